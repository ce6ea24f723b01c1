"""Deterministic checks beside the model: quantities, negation, names, quotations."""

"""How a response is checked: claims, sources, evidence, entailment, rules, models."""

from __future__ import annotations

from .protocols import NLI_LABELS, ModelPair, NliClassifier, SentenceEncoder
from .rule import SIMILARITY_RULE, SPEC_RULE, DecisionRule

__all__ = [
    "NLI_LABELS",
    "SIMILARITY_RULE",
    "SPEC_RULE",
    "DecisionRule",
    "ModelPair",
    "NliClassifier",
    "SentenceEncoder",
]

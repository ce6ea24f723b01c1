"""LongTracer."""

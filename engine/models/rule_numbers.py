"""Saved numbers of a rule: checked by type, by range and by name before they can decide anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from pydantic import TypeAdapter

from longtracer.engine.rule import DecisionRule

__all__ = ["rule_with"]

_NAMES = frozenset(field.name for field in fields(DecisionRule))
_PROBABILITIES = ("entailment", "contradiction", "conflict_entailment", "conflict_contradiction")
_COUNTS = ("conflict_sources", "evidence_sentences")
_CHECKED: TypeAdapter[DecisionRule] = TypeAdapter(DecisionRule)


def rule_with(base: DecisionRule, numbers: Mapping[str, Any]) -> DecisionRule:
    """`base` with `numbers` in place of its own.

    Raises ValueError for a name the rule does not have, a value of the wrong type, or one out of range.
    """
    unknown = sorted(set(numbers) - _NAMES)
    if unknown:
        raise ValueError(f"a rule has no {', '.join(unknown)}; it has {', '.join(sorted(_NAMES))}")
    rule = _CHECKED.validate_python(asdict(base) | dict(numbers))
    for name in _PROBABILITIES:
        if not 0 <= getattr(rule, name) <= 1:
            raise ValueError(f"{name} is a probability, not {getattr(rule, name)}")
    for name in _COUNTS:
        if getattr(rule, name) < 1:
            raise ValueError(f"{name} is at least 1, not {getattr(rule, name)}")
    if not rule.temperature > 0:
        raise ValueError(f"temperature is above 0, not {rule.temperature}")
    return rule

"""Which rule decides: the caller's, or the one calibrated for the models."""

from __future__ import annotations

from longtracer.contracts import InvalidInputError

from .protocols import ModelPair
from .rule import SIMILARITY_RULE, SPEC_RULE, DecisionRule

__all__ = ["named_rule", "rule_for"]

_NAMED = {"similarity": SIMILARITY_RULE, "entailment": SPEC_RULE}


def named_rule(rule: str | DecisionRule | None) -> DecisionRule | None:
    """The rule a caller asked for; None for the one that comes with the models.

    Raises:
        InvalidInputError: for an unknown name, or a profile file that cannot be read.
    """
    if rule is None or isinstance(rule, DecisionRule):
        return rule
    if isinstance(rule, str) and rule in _NAMED:
        return _NAMED[rule]
    if isinstance(rule, str) and rule.endswith(".json"):
        from .models import read_rule  # profile files are read where profiles are

        return read_rule(rule)
    raise InvalidInputError(f"rule must be one of {sorted(_NAMED)}, a DecisionRule or a profile file, not {rule!r}")


def rule_for(asked: DecisionRule | None, models: ModelPair | None) -> DecisionRule:
    """`asked`, else the rule of `models`, else the rule of the spec (nothing was scored then)."""
    if asked is not None:
        return asked
    return models.rule if models is not None else SPEC_RULE

"""How a response is checked: claims, sources, evidence, entailment, rules, models, verifier.

Importing this package loads no model runtime: names are resolved when they are used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .deferred_models import DeferredModels
    from .history import HistoryTurn
    from .models import load_models
    from .protocols import NLI_LABELS, ModelPair, NliClassifier, SentenceEncoder
    from .request import CaseItem
    from .rule import SIMILARITY_RULE, SPEC_RULE, DecisionRule
    from .verifier import CitationVerifier

__all__ = [
    "NLI_LABELS",
    "SIMILARITY_RULE",
    "SPEC_RULE",
    "CaseItem",
    "CitationVerifier",
    "DecisionRule",
    "DeferredModels",
    "HistoryTurn",
    "ModelPair",
    "NliClassifier",
    "SentenceEncoder",
    "load_models",
]

_HOME = {
    "NLI_LABELS": "protocols",
    "SIMILARITY_RULE": "rule",
    "SPEC_RULE": "rule",
    "CaseItem": "request",
    "CitationVerifier": "verifier",
    "DecisionRule": "rule",
    "DeferredModels": "deferred_models",
    "HistoryTurn": "history",
    "ModelPair": "protocols",
    "NliClassifier": "protocols",
    "SentenceEncoder": "protocols",
    "load_models": "models",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOME[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(__all__)

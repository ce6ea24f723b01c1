"""Checks whether each claim of a RAG answer is grounded in the retrieved documents.

    from longtracer import check_case
    case = check_case("Water boils at 100 °C at sea level.", ["At sea level, water boils at 100 °C."])

Names are resolved when they are used, so that importing this package loads neither numpy nor a model runtime.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .checks import check, check_batch, check_case
    from .contracts import (
        AssessmentAvailability,
        CaseResult,
        ClaimAssessment,
        ClaimResult,
        EvaluationFailedError,
        EvaluationTimeoutError,
        EvaluatorError,
        ExecutionStatus,
        InvalidInputError,
        LegacyVerificationAdapter,
        ModelUnavailableError,
        QualityGate,
        ReasonCode,
        VerificationResult,
        compute_quality_gate,
    )
    from .engine import CitationVerifier

__version__ = "0.1.0"

__all__ = [
    "AssessmentAvailability",
    "CaseResult",
    "CitationVerifier",
    "ClaimAssessment",
    "ClaimResult",
    "EvaluationFailedError",
    "EvaluationTimeoutError",
    "EvaluatorError",
    "ExecutionStatus",
    "InvalidInputError",
    "LegacyVerificationAdapter",
    "ModelUnavailableError",
    "QualityGate",
    "ReasonCode",
    "VerificationResult",
    "check",
    "check_batch",
    "check_case",
    "compute_quality_gate",
]

_ELSEWHERE = {"CitationVerifier": "engine", "check": "checks", "check_batch": "checks", "check_case": "checks"}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_ELSEWHERE.get(name, 'contracts')}", __name__), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])

"""What a result is: states, claims, cases, the gate, errors, schema."""

from __future__ import annotations

from .build import cancelled_case, evaluated_case, failed_case, skipped_case
from .case_result import SCHEMA_VERSION, CaseResult
from .claim_result import CitationResult, ClaimResult, ClaimScores, EvidenceSentence, QuantityFinding
from .errors import (
    EvaluationFailedError,
    EvaluationTimeoutError,
    EvaluatorError,
    InvalidInputError,
    ModelUnavailableError,
    QueueFullError,
)
from .gate import compute_quality_gate
from .legacy_adapter import LegacyVerificationAdapter
from .states import AssessmentAvailability, ClaimAssessment, ExecutionStatus, QualityGate, ReasonCode
from .summary import summarize
from .verification_result import VerificationResult

__all__ = [
    "SCHEMA_VERSION",
    "AssessmentAvailability",
    "CaseResult",
    "CitationResult",
    "ClaimAssessment",
    "ClaimResult",
    "ClaimScores",
    "EvaluationFailedError",
    "EvaluationTimeoutError",
    "EvaluatorError",
    "EvidenceSentence",
    "ExecutionStatus",
    "InvalidInputError",
    "LegacyVerificationAdapter",
    "ModelUnavailableError",
    "QualityGate",
    "QuantityFinding",
    "QueueFullError",
    "ReasonCode",
    "VerificationResult",
    "cancelled_case",
    "compute_quality_gate",
    "evaluated_case",
    "failed_case",
    "skipped_case",
    "summarize",
]

"""Builds a `CaseResult` whose gate and summary follow from what happened, so no caller can set them apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .case_result import CaseResult
from .claim_result import ClaimResult
from .errors import (
    EvaluationTimeoutError,
    InvalidInputError,
    ModelUnavailableError,
)
from .gate import compute_quality_gate
from .states import AssessmentAvailability, ExecutionStatus, ReasonCode
from .summary import summarize

__all__ = ["cancelled_case", "evaluated_case", "failed_case", "skipped_case"]


def evaluated_case(
    *,
    availability: AssessmentAvailability,
    reason: ReasonCode | None,
    claims: Sequence[ClaimResult] = (),
    trust_score: float = 0.0,
    case_id: str | None = None,
    metadata: Mapping[str, Any] | None = None,
    note: str | None = None,
) -> CaseResult:
    """A case whose evaluation ran to completion."""
    return _gated(
        CaseResult(
            case_id=case_id,
            execution=ExecutionStatus.SUCCESS,
            availability=availability,
            reason=reason,
            claims=tuple(claims),
            trust_score=trust_score,
            summary=summarize(reason, claims, note=note),
            metadata=dict(metadata or {}),
        )
    )


def failed_case(
    error: BaseException, *, case_id: str | None = None, metadata: Mapping[str, Any] | None = None
) -> CaseResult:
    """A case that ended in `error`: nothing was evaluated, and nothing partial is kept."""
    execution, reason = _outcome_of(error)
    return _not_evaluated(execution, reason, str(error) or type(error).__name__, case_id, metadata)


def cancelled_case(*, case_id: str | None = None, metadata: Mapping[str, Any] | None = None) -> CaseResult:
    """A case whose evaluation future was cancelled."""
    return _not_evaluated(
        ExecutionStatus.CANCELLED,
        ReasonCode.EXECUTION_CANCELLED,
        "the evaluation was cancelled before it ended",
        case_id,
        metadata,
    )


def skipped_case(why: str, *, case_id: str | None = None, metadata: Mapping[str, Any] | None = None) -> CaseResult:
    """A case that was not run on purpose, `why` saying so in words: never a pass."""
    return _not_evaluated(ExecutionStatus.SKIPPED, ReasonCode.EXECUTION_SKIPPED, why, case_id, metadata)


def _not_evaluated(
    execution: ExecutionStatus,
    reason: ReasonCode,
    message: str,
    case_id: str | None,
    metadata: Mapping[str, Any] | None,
) -> CaseResult:
    return _gated(
        CaseResult(
            case_id=case_id,
            execution=execution,
            availability=AssessmentAvailability.NOT_EVALUATED,
            reason=reason,
            summary=summarize(reason, note=f"({message})"),
            error_message=message,
            metadata=dict(metadata or {}),
        )
    )


def _outcome_of(error: BaseException) -> tuple[ExecutionStatus, ReasonCode]:
    if isinstance(error, EvaluationTimeoutError):
        return ExecutionStatus.TIMEOUT, ReasonCode.EVALUATION_TIMEOUT
    if isinstance(error, ModelUnavailableError):
        return ExecutionStatus.ERROR, ReasonCode.MODEL_UNAVAILABLE
    if isinstance(error, InvalidInputError):
        return ExecutionStatus.ERROR, ReasonCode.INVALID_INPUT
    return ExecutionStatus.ERROR, ReasonCode.EVALUATION_FAILED


def _gated(case: CaseResult) -> CaseResult:
    return case.model_copy(update={"quality_gate": compute_quality_gate(case)})

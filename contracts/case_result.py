"""What happened to one response: execution, availability, claims and gate."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from .claim_result import ClaimResult
from .plain import JsonObject, PlainFloat, PlainText
from .states import AssessmentAvailability, ExecutionStatus, QualityGate, ReasonCode

__all__ = ["SCHEMA_VERSION", "CaseResult"]

SCHEMA_VERSION: Literal["1"] = "1"


class CaseResult(BaseModel):
    """The typed result of checking one response against its sources (schema version "1").

    The defaults describe a case that nobody ran: skipped, not evaluated, indeterminate. A pass is never a default.

    Attributes:
        execution: did the evaluator run to completion?
        availability: was there anything to assess?
        quality_gate: the verdict of `compute_quality_gate`.
        reason: why, for cases that a single code explains; None when the claims tell.
        claims: one entry per claim, in order; always empty when nothing was evaluated.
        trust_score: the legacy mean similarity. Do not gate on it.
        summary: the reason in words.
        error_message: what went wrong, when `execution` is not SUCCESS.
        latency_ms: wall-clock milliseconds from call to result.
        metadata: JSON object with "models", "legacy_verdict", "conflict_detection", "skipped_spans" and more.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)

    schema_version: Literal["1"] = SCHEMA_VERSION
    case_id: PlainText | None = None
    execution: ExecutionStatus = ExecutionStatus.SKIPPED
    availability: AssessmentAvailability = AssessmentAvailability.NOT_EVALUATED
    quality_gate: QualityGate = QualityGate.INDETERMINATE
    reason: ReasonCode | None = None
    claims: tuple[ClaimResult, ...] = ()
    trust_score: PlainFloat = 0.0
    summary: PlainText = ""
    error_message: PlainText | None = None
    latency_ms: PlainFloat | None = None
    metadata: JsonObject = {}

    @property
    def passed(self) -> bool:
        """Whether the gate is PASS."""
        return self.quality_gate is QualityGate.PASS

    @property
    def unsupported_claims(self) -> tuple[ClaimResult, ...]:
        """The assessed claims that are not SUPPORTED, in order."""
        return tuple(claim for claim in self.claims if claim.is_assessed and not claim.is_supported)

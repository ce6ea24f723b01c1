"""Layer 4: from what was measured to pass, fail or indeterminate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .states import AssessmentAvailability, ExecutionStatus, QualityGate, ReasonCode

if TYPE_CHECKING:
    from .case_result import CaseResult

__all__ = ["compute_quality_gate"]


def compute_quality_gate(case: CaseResult) -> QualityGate:
    """Apply the gate policy to `case`; pure, and never a change to its claims.

    Whatever did not run to completion, or says it was assessed but holds no assessed claim, is INDETERMINATE:
    nothing was assessed, so it is neither a pass nor a fail. The same holds for a case whose assessed claims are
    all supported while others were left unread (EXECUTION_SKIPPED): what was not read cannot pass.
    """
    if case.execution is not ExecutionStatus.SUCCESS:
        return QualityGate.INDETERMINATE
    if case.availability is AssessmentAvailability.NOT_EVALUATED:
        return QualityGate.INDETERMINATE
    if case.availability is AssessmentAvailability.NO_ASSESSABLE_CLAIMS:
        honest = case.reason is ReasonCode.HONEST_UNCERTAINTY_ONLY
        return QualityGate.PASS if honest else QualityGate.FAIL
    assessed = [claim for claim in case.claims if claim.is_assessed]
    if not assessed:
        return QualityGate.INDETERMINATE
    if not all(claim.is_supported for claim in assessed):
        return QualityGate.FAIL
    unread = any(claim.reason is ReasonCode.EXECUTION_SKIPPED for claim in case.claims)
    return QualityGate.INDETERMINATE if unread else QualityGate.PASS

"""The gate policy, row by row, and the defaults that must never be a pass."""

from __future__ import annotations

import pytest

from longtracer import (
    AssessmentAvailability as Availability,
)
from longtracer import (
    CaseResult,
    ClaimAssessment,
    ClaimResult,
    ExecutionStatus,
    QualityGate,
    ReasonCode,
    compute_quality_gate,
)


def claim(
    assessment: ClaimAssessment = ClaimAssessment.SUPPORTED,
    availability: Availability = Availability.ASSESSED,
    reason: ReasonCode | None = None,
) -> ClaimResult:
    return ClaimResult(
        claim_id="claim_1", claim_text="x", assessment=assessment, availability=availability, reason=reason
    )


SUPPORTED = claim()
REFUSAL = claim(ClaimAssessment.INSUFFICIENT_EVIDENCE, Availability.NOT_EVALUATED, ReasonCode.HONEST_UNCERTAINTY)
UNREAD = claim(ClaimAssessment.INSUFFICIENT_EVIDENCE, Availability.NOT_EVALUATED, ReasonCode.EXECUTION_SKIPPED)


def case(execution: ExecutionStatus, availability: Availability, *claims: ClaimResult, reason=None) -> CaseResult:
    return CaseResult(execution=execution, availability=availability, claims=claims, reason=reason)


@pytest.mark.parametrize("execution", [status for status in ExecutionStatus if status is not ExecutionStatus.SUCCESS])
@pytest.mark.parametrize("availability", list(Availability))
def test_nothing_that_did_not_run_passes_or_fails(execution, availability):
    assert compute_quality_gate(case(execution, availability, SUPPORTED)) is QualityGate.INDETERMINATE


def test_not_evaluated_is_indeterminate():
    assert compute_quality_gate(case(ExecutionStatus.SUCCESS, Availability.NOT_EVALUATED)) is QualityGate.INDETERMINATE


@pytest.mark.parametrize("reason", [None, *ReasonCode])
def test_without_assessable_claims_only_an_honest_refusal_passes(reason):
    gate = compute_quality_gate(case(ExecutionStatus.SUCCESS, Availability.NO_ASSESSABLE_CLAIMS, reason=reason))
    honest = reason is ReasonCode.HONEST_UNCERTAINTY_ONLY
    assert gate is (QualityGate.PASS if honest else QualityGate.FAIL)


@pytest.mark.parametrize("assessment", list(ClaimAssessment))
def test_every_assessed_claim_must_be_supported(assessment):
    gate = compute_quality_gate(case(ExecutionStatus.SUCCESS, Availability.ASSESSED, SUPPORTED, claim(assessment)))
    assert gate is (QualityGate.PASS if assessment is ClaimAssessment.SUPPORTED else QualityGate.FAIL)


def test_a_refusal_beside_supported_claims_does_not_count():
    assert (
        compute_quality_gate(case(ExecutionStatus.SUCCESS, Availability.ASSESSED, SUPPORTED, REFUSAL))
        is QualityGate.PASS
    )


def test_a_refusal_marked_supported_is_still_not_assessed():
    only = claim(ClaimAssessment.SUPPORTED, Availability.NOT_EVALUATED)
    assert compute_quality_gate(case(ExecutionStatus.SUCCESS, Availability.ASSESSED, only)) is QualityGate.INDETERMINATE


def test_claims_that_were_not_read_make_a_pass_impossible():
    ran = (ExecutionStatus.SUCCESS, Availability.ASSESSED)
    assert compute_quality_gate(case(*ran, SUPPORTED, UNREAD)) is QualityGate.INDETERMINATE
    failing = claim(ClaimAssessment.CONTRADICTED)
    assert compute_quality_gate(case(*ran, failing, UNREAD)) is QualityGate.FAIL


def test_assessed_without_claims_is_no_pass():
    assert compute_quality_gate(case(ExecutionStatus.SUCCESS, Availability.ASSESSED)) is QualityGate.INDETERMINATE


def test_an_empty_case_is_no_pass():
    empty = CaseResult()
    assert empty.quality_gate is QualityGate.INDETERMINATE
    assert compute_quality_gate(empty) is QualityGate.INDETERMINATE


def test_the_gate_changes_no_claim():
    given = case(ExecutionStatus.SUCCESS, Availability.ASSESSED, SUPPORTED, REFUSAL)
    before = given.model_dump()
    compute_quality_gate(given)
    assert given.model_dump() == before

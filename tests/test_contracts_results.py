"""Results hold plain, finite values and survive JSON; errors are what callers would expect."""

from __future__ import annotations

import json

import numpy as np
import pytest
from pydantic import ValidationError

from longtracer import (
    AssessmentAvailability,
    CaseResult,
    ClaimAssessment,
    ClaimResult,
    EvaluationFailedError,
    EvaluationTimeoutError,
    EvaluatorError,
    ExecutionStatus,
    InvalidInputError,
    ModelUnavailableError,
    QualityGate,
    ReasonCode,
    VerificationResult,
)
from longtracer.contracts import cancelled_case, evaluated_case, failed_case, skipped_case, summarize


def a_claim(**changes: object) -> ClaimResult:
    fields: dict[str, object] = {
        "claim_id": "claim_1",
        "claim_text": "The lake is deep.",
        "assessment": ClaimAssessment.SUPPORTED,
        "confidence": 0.75,
        "supporting_sources": ("a", "b"),
        "char_start": 0,
        "char_end": 17,
    }
    return ClaimResult(**{**fields, **changes})


@pytest.mark.parametrize(
    ("error", "builtin"),
    [
        (ModelUnavailableError, ImportError),
        (EvaluationTimeoutError, TimeoutError),
        (InvalidInputError, ValueError),
        (EvaluationFailedError, RuntimeError),
    ],
)
def test_each_error_is_also_its_builtin(error, builtin):
    assert issubclass(error, builtin)
    assert issubclass(error, EvaluatorError)


@pytest.mark.parametrize(
    ("error", "execution", "reason"),
    [
        (ModelUnavailableError("x"), ExecutionStatus.ERROR, ReasonCode.MODEL_UNAVAILABLE),
        (EvaluationFailedError("x"), ExecutionStatus.ERROR, ReasonCode.EVALUATION_FAILED),
        (MemoryError("x"), ExecutionStatus.ERROR, ReasonCode.EVALUATION_FAILED),
        (EvaluationTimeoutError("x"), ExecutionStatus.TIMEOUT, ReasonCode.EVALUATION_TIMEOUT),
        (InvalidInputError("x"), ExecutionStatus.ERROR, ReasonCode.INVALID_INPUT),
        (TypeError("inside a model"), ExecutionStatus.ERROR, ReasonCode.EVALUATION_FAILED),
    ],
)
def test_each_error_becomes_its_case(error, execution, reason):
    case = failed_case(error, case_id="c")
    assert (case.execution, case.reason, case.case_id) == (execution, reason, "c")
    assert case.availability is AssessmentAvailability.NOT_EVALUATED
    assert case.quality_gate is QualityGate.INDETERMINATE
    assert case.claims == ()
    assert str(error) in (case.error_message or "")


def test_cancelled_and_skipped_cases_are_indeterminate():
    assert cancelled_case().reason is ReasonCode.EXECUTION_CANCELLED
    assert skipped_case("no retrieval").reason is ReasonCode.EXECUTION_SKIPPED
    assert cancelled_case().quality_gate is skipped_case("x").quality_gate is QualityGate.INDETERMINATE


def test_summaries_differ_by_reason():
    texts = [summarize(reason, [a_claim()]) for reason in ReasonCode if reason is not ReasonCode.INVALID_INPUT]
    assert summarize(ReasonCode.EMPTY_RESPONSE) != summarize(ReasonCode.NO_EXTRACTABLE_CLAIMS)
    case_reasons = {
        ReasonCode.EMPTY_RESPONSE,
        ReasonCode.NO_EXTRACTABLE_CLAIMS,
        ReasonCode.NO_SOURCES_SUPPLIED,
        ReasonCode.HONEST_UNCERTAINTY_ONLY,
        ReasonCode.MODEL_UNAVAILABLE,
        ReasonCode.EVALUATION_FAILED,
        ReasonCode.EVALUATION_TIMEOUT,
        ReasonCode.EXECUTION_CANCELLED,
        ReasonCode.EXECUTION_SKIPPED,
        ReasonCode.INVALID_INPUT,
    }
    assert len({summarize(reason, [a_claim()]) for reason in case_reasons}) == len(case_reasons)
    assert all(texts)


def test_json_round_trips_exactly():
    case = evaluated_case(
        availability=AssessmentAvailability.ASSESSED,
        reason=None,
        claims=[a_claim(confidence=1 / 3)],
        trust_score=0.1 + 0.2,
        metadata={"nested": {"list": [1, 2.5, None, True, "x"]}},
    )
    assert CaseResult.model_validate_json(case.model_dump_json()) == case
    assert CaseResult.model_validate(json.loads(json.dumps(case.model_dump(mode="json")))) == case
    json.dumps(case.model_dump(), allow_nan=False)


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -float("inf"), np.float32("nan"), np.float64("inf")])
def test_no_nan_or_infinity_enters(bad):
    with pytest.raises(ValidationError):
        CaseResult(trust_score=bad)
    with pytest.raises(ValidationError):
        a_claim(confidence=bad)
    with pytest.raises(ValidationError):
        CaseResult(metadata={"deep": [{"x": bad}]})


@pytest.mark.parametrize(
    ("given", "plain"),
    [
        (np.float32(0.5), 0.5),
        (np.float64(0.25), 0.25),
        (np.int64(3), 3),
        (np.bool_(True), True),
        (np.str_("x"), "x"),
        (np.array([1, 2]), [1, 2]),
        ((1, 2), [1, 2]),
        (ReasonCode.NOT_ENTAILED, "NOT_ENTAILED"),
    ],
)
def test_numpy_values_become_plain_ones(given, plain):
    kept = CaseResult(metadata={"value": given}).metadata["value"]
    assert kept == plain
    assert type(kept) is type(plain)


def test_numpy_scores_become_plain_floats():
    kept = a_claim(confidence=np.float32(0.5), char_start=np.int64(4))
    assert type(kept.confidence) is float
    assert type(kept.char_start) is int


def test_text_that_no_utf8_can_hold_is_replaced_one_for_one():
    bad = "x\ud800y\udfffz"
    case = failed_case(RuntimeError(bad), case_id=bad, metadata={bad: [bad]})
    read = a_claim(claim_text=bad, supporting_sources=(bad,), details=bad)
    ((key, values),) = case.metadata.items()
    written = {case.case_id, case.error_message, key, *values}
    assert written | {read.claim_text, read.details, *read.supporting_sources} == {"x\ufffdy\ufffdz"}
    assert CaseResult.model_validate_json(case.model_dump_json()) == case


@pytest.mark.parametrize("bad", [object(), b"bytes", {1: "x"}, {"x": {2}}])
def test_metadata_that_is_no_json_is_refused(bad):
    with pytest.raises(ValidationError):
        CaseResult(metadata={"value": bad})


def test_a_refusal_is_no_unsupported_claim():
    refusal = a_claim(availability="NOT_EVALUATED", assessment="INSUFFICIENT_EVIDENCE")
    failing = a_claim(assessment="INSUFFICIENT_EVIDENCE")
    assert CaseResult(claims=[a_claim(), refusal, failing]).unsupported_claims == (failing,)


def test_results_are_frozen():
    with pytest.raises(ValidationError):
        CaseResult().quality_gate = QualityGate.PASS


def test_unknown_fields_of_a_newer_producer_are_ignored():
    data = json.loads(CaseResult().model_dump_json()) | {"added_in_1_1": {"x": 1}}
    assert CaseResult.model_validate(data) == CaseResult()


def test_another_schema_version_is_refused():
    with pytest.raises(ValidationError):
        CaseResult.model_validate({"schema_version": "2"})


def test_the_notebook_view_escapes_the_answer():
    result = VerificationResult(trust_score=1.0, claims=[{"claim": "<script>x</script>", "supported": True}])
    assert "<script>" not in result._repr_html_()
    assert "&lt;script&gt;" in result._repr_html_()

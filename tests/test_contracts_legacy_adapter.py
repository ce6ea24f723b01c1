"""A legacy result read as a case, by its signals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from longtracer import (
    AssessmentAvailability,
    ClaimAssessment,
    LegacyVerificationAdapter,
    QualityGate,
    ReasonCode,
    VerificationResult,
)


def legacy(**changes: Any) -> dict[str, Any]:
    claim = {
        "claim": "The lake is deep.",
        "supported": True,
        "score": 0.8,
        "best_score": 0.8,
        "contradiction_score": 0.1,
        "entailment_score": 0.2,
        "nli_ran": True,
        "best_source_index": 1,
        "best_source_metadata": None,
        "is_hallucination": False,
        "is_meta_statement": False,
        "has_hallucination_pattern": False,
    }
    return {**claim, **changes}


def convert(*claims: dict[str, Any], **options: Any):
    result = VerificationResult(trust_score=0.8, claims=list(claims), verdict="FAIL")
    return LegacyVerificationAdapter.from_legacy(result, **options)


@pytest.mark.parametrize(
    ("claim", "assessment", "reason"),
    [
        (legacy(), ClaimAssessment.SUPPORTED, ReasonCode.SUPPORTED_BY_EVIDENCE),
        (
            legacy(supported=False, contradiction_score=0.51),
            ClaimAssessment.CONTRADICTED,
            ReasonCode.CONTRADICTED_BY_EVIDENCE,
        ),
        (
            legacy(supported=False, contradiction_score=0.5),
            ClaimAssessment.INSUFFICIENT_EVIDENCE,
            ReasonCode.NOT_ENTAILED,
        ),
        (
            legacy(supported=False, nli_ran=False, contradiction_score=0.9),
            ClaimAssessment.INSUFFICIENT_EVIDENCE,
            ReasonCode.LOW_EVIDENCE_SIMILARITY,
        ),
        (
            legacy(supported=False, nli_ran=False, is_hallucination=True, has_hallucination_pattern=True, score=0.1),
            ClaimAssessment.INSUFFICIENT_EVIDENCE,
            ReasonCode.LOW_EVIDENCE_SIMILARITY,
        ),
    ],
)
def test_the_signals_decide(claim, assessment, reason):
    (read,) = convert(claim).claims
    assert (read.assessment, read.reason) == (assessment, reason)


def test_a_refusal_alone_passes_the_new_gate():
    case = convert(legacy(supported=False, is_meta_statement=True))
    assert case.quality_gate is QualityGate.PASS
    assert case.reason is ReasonCode.HONEST_UNCERTAINTY_ONLY
    assert case.metadata["legacy_verdict"] == "FAIL"


def test_a_refusal_beside_a_flagged_claim_fails():
    case = convert(legacy(supported=False, is_meta_statement=True), legacy(supported=False, nli_ran=False))
    assert case.quality_gate is QualityGate.FAIL


def test_no_claims_is_never_a_pass():
    assert convert().quality_gate is QualityGate.FAIL
    assert convert().reason is ReasonCode.NO_EXTRACTABLE_CLAIMS
    assert convert(response="  ").reason is ReasonCode.EMPTY_RESPONSE


def test_confidence_is_the_contradiction_of_a_contradicted_claim():
    (read,) = convert(legacy(supported=False, contradiction_score=0.9)).claims
    assert read.confidence == 0.9
    assert read.contradicting_sources == ("source_1",)
    assert read.supporting_sources == ()


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        ({"source_id": "s", "id": "i"}, "s"),
        ({"id": "i"}, "i"),
        ({"id": 7}, "7"),
        ({}, "source_1"),
        (None, "source_1"),
    ],
)
def test_source_ids(metadata, expected):
    (read,) = convert(legacy(best_source_metadata=metadata)).claims
    assert read.supporting_sources == (expected,)


def test_a_repeated_claim_gets_its_own_place():
    text = "It is red. It is red."
    first, second = convert(legacy(claim="It is red."), legacy(claim="It is red."), response=text).claims
    assert (first.char_start, second.char_start) == (0, 11)
    assert text[second.char_start : second.char_end] == second.claim_text


def test_availability_of_claims():
    (read,) = convert(legacy(is_meta_statement=True)).claims
    assert read.availability is AssessmentAvailability.NOT_EVALUATED


@pytest.mark.parametrize("score", [np.float32(0.9), np.float64(0.9)])
def test_scores_of_numpy_are_scores(score):
    (read,) = convert(legacy(contradiction_score=score)).claims
    assert read.assessment is ClaimAssessment.CONTRADICTED


@pytest.mark.parametrize("score", [float("nan"), float("inf"), "0.9"])
def test_a_contradiction_that_is_no_number_supports_nothing(score):
    case = convert(legacy(supported=True, contradiction_score=score))
    assert case.claims[0].assessment is ClaimAssessment.INSUFFICIENT_EVIDENCE
    assert case.quality_gate is QualityGate.FAIL


def test_an_index_of_numpy_is_an_index():
    (read,) = convert(legacy(best_source_index=np.int64(2), best_source_metadata={"id": ""})).claims
    assert read.supporting_sources == ("source_2",)


def test_something_else_is_refused():
    with pytest.raises(TypeError, match="VerificationResult"):
        LegacyVerificationAdapter.from_legacy(VerificationResult(trust_score=1.0, claims=["x"]))
    with pytest.raises(TypeError, match="VerificationResult"):
        LegacyVerificationAdapter.from_legacy({"claims": []})

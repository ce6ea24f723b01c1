"""The legacy result keeps the meaning its fields have always had."""

from __future__ import annotations

import pytest

from longtracer import CitationVerifier, EvaluationFailedError, LegacyVerificationAdapter, QualityGate, check
from longtracer.engine import ModelPair
from longtracer.testing import WordOverlapEncoder, scripted_models

LAKE = "The lake is 40 metres deep."
REFUSAL = "The provided documents do not contain this information."
KEYS = {
    "claim",
    "supported",
    "score",
    "best_score",
    "sentence_results",
    "contradiction_score",
    "entailment_score",
    "nli_ran",
    "best_source",
    "best_source_index",
    "best_source_metadata",
    "is_hallucination",
    "is_meta_statement",
    "has_hallucination_pattern",
}


def scripted(label: str) -> CitationVerifier:
    return CitationVerifier(models=scripted_models(lambda premise, hypothesis: label))


def test_every_claim_has_the_documented_keys(verifier):
    assert set(verifier.verify(LAKE, [LAKE]).claims[0]) == KEYS


def test_no_claims_is_a_full_trust_score_and_a_pass(verifier):
    for response in ("", "Yes."):
        result = verifier.verify_parallel(response, [LAKE])
        assert (result.trust_score, result.verdict, result.all_supported) == (1.0, "PASS", True)


def test_no_sources_is_a_zero_trust_score_and_a_fail(verifier):
    result = verifier.verify_parallel(LAKE, [])
    assert (result.trust_score, result.verdict) == (0.0, "FAIL")


def test_the_trust_score_is_the_mean_similarity_and_no_share_of_support():
    with scripted("contradiction") as fresh:
        result = fresh.verify("The lake is 41 metres deep.", [LAKE])
    assert result.trust_score == pytest.approx(result.claims[0]["score"])
    assert result.trust_score > 0.7
    assert result.verdict == "FAIL"


def test_the_entailment_score_holds_the_neutral_probability():
    with scripted("neutral") as fresh:
        assert fresh.verify("The lake is deep.", [LAKE]).claims[0]["entailment_score"] == pytest.approx(0.98)
    with scripted("entailment") as fresh:
        assert fresh.verify("The lake is deep.", [LAKE]).claims[0]["entailment_score"] == pytest.approx(0.01)


@pytest.mark.parametrize(("label", "supported"), [("neutral", True), ("entailment", True), ("contradiction", False)])
def test_similarity_supports_unless_nli_contradicts(label, supported):
    with scripted(label) as fresh:
        result = fresh.verify("The lake is 40 metres wide.", [LAKE])
    assert result.claims[0]["supported"] is supported
    assert result.claims[0]["is_hallucination"] is (label == "contradiction")
    assert result.hallucination_count == len(result.hallucinations) == int(label == "contradiction")


def test_a_refusal_is_flagged_and_never_a_hallucination(verifier):
    result = verifier.verify(REFUSAL, [LAKE])
    assert result.verdict == "FAIL"
    assert result.claims[0]["is_meta_statement"] is True
    assert result.hallucination_count == 0


def test_own_knowledge_with_low_similarity_is_a_hallucination(verifier):
    result = verifier.verify("Based on my knowledge, invoices are due in spring.", ["Salmon swim upstream."])
    assert result.claims[0]["has_hallucination_pattern"] is True
    assert result.claims[0]["is_hallucination"] is True
    case = verifier.verify_case("Based on my knowledge, invoices are due in spring.", ["Salmon swim upstream."])
    assert case.claims[0].assessment.value == "INSUFFICIENT_EVIDENCE"


def test_own_knowledge_that_a_source_confirms_is_none():
    claim = "Based on my knowledge, the lake is deep."
    with scripted("neutral") as fresh:
        (read,) = fresh.verify(claim, [claim]).claims
    assert (read["has_hallucination_pattern"], read["is_hallucination"]) == (True, False)


def test_the_case_records_the_legacy_verdict_and_trust_score(verifier):
    for response in (LAKE, "The lake is 41 metres deep.", "", REFUSAL):
        case, result = verifier.verify_case(response, [LAKE]), verifier.verify(response, [LAKE])
        assert case.metadata["legacy_verdict"] == result.verdict
        assert case.trust_score == pytest.approx(result.trust_score, abs=1e-5)


def test_the_best_source_is_named(verifier):
    claim = verifier.verify(LAKE, ["The town hall is old.", LAKE], [{"id": "a"}, {"id": "b"}]).claims[0]
    assert (claim["best_source_index"], claim["best_source"], claim["best_source_metadata"]) == (1, LAKE, {"id": "b"})


def test_a_converted_result_agrees_with_the_similarity_rule():
    with CitationVerifier(rule="similarity") as fresh:
        for response in (LAKE, "The lake is not deep.", "", REFUSAL):
            case = fresh.verify_case(response, [LAKE])
            read = LegacyVerificationAdapter.from_legacy(fresh.verify(response, [LAKE]), response=response)
            assert read.quality_gate is case.quality_gate
            assert [claim.assessment for claim in read.claims] == [claim.assessment for claim in case.claims]


def test_evaluator_errors_are_raised_as_they_are():
    class Broken:
        name = "broken"

        def predict(self, pairs):
            raise ValueError("boom")

    with (
        CitationVerifier(models=ModelPair(encoder=WordOverlapEncoder(), nli=Broken())) as fresh,
        pytest.raises(EvaluationFailedError, match="boom"),
    ):
        fresh.verify("The lake is deep.", [LAKE])


def test_the_threshold_is_stored_and_changes_nothing():
    with CitationVerifier(threshold=0.99) as strict, CitationVerifier(threshold=0.01) as lax:
        assert (strict.threshold, lax.threshold) == (0.99, 0.01)
        assert strict.verify(LAKE, [LAKE]).verdict == lax.verify(LAKE, [LAKE]).verdict


def test_check_is_the_same_path(verifier):
    assert check(LAKE, [LAKE]).trust_score == pytest.approx(verifier.verify(LAKE, [LAKE]).trust_score, abs=1e-6)
    assert QualityGate.PASS.value == check(LAKE, [LAKE]).verdict

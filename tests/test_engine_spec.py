"""The edge-case and assessment tables of the result states, on the embedded models or with an injected fault."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from longtracer import (
    AssessmentAvailability,
    CaseResult,
    CitationVerifier,
    ClaimAssessment,
    ExecutionStatus,
    ModelUnavailableError,
    QualityGate,
    ReasonCode,
    check_case,
)
from longtracer.engine import DeferredModels, ModelPair
from longtracer.testing import ScriptedNli, WordOverlapEncoder, scripted_models

REFUSAL = "The provided documents do not contain this information."
LAKE = "The lake is 40 metres deep."


def states(case: CaseResult) -> tuple[str, str, str | None, str]:
    return case.execution.value, case.availability.value, case.reason and case.reason.value, case.quality_gate.value


@pytest.mark.parametrize(
    ("response", "sources", "expected"),
    [
        ("", [LAKE], ("SUCCESS", "NO_ASSESSABLE_CLAIMS", "EMPTY_RESPONSE", "FAIL")),
        (" \n\t", [LAKE], ("SUCCESS", "NO_ASSESSABLE_CLAIMS", "EMPTY_RESPONSE", "FAIL")),
        ("", [], ("SUCCESS", "NO_ASSESSABLE_CLAIMS", "EMPTY_RESPONSE", "FAIL")),
        ("Yes.", [LAKE], ("SUCCESS", "NO_ASSESSABLE_CLAIMS", "NO_EXTRACTABLE_CLAIMS", "FAIL")),
        ("👍", [LAKE], ("SUCCESS", "NO_ASSESSABLE_CLAIMS", "NO_EXTRACTABLE_CLAIMS", "FAIL")),
        (LAKE, [], ("SUCCESS", "ASSESSED", "NO_SOURCES_SUPPLIED", "FAIL")),
        (LAKE, [""], ("SUCCESS", "ASSESSED", None, "FAIL")),
        (LAKE, ["  ", "\n"], ("SUCCESS", "ASSESSED", None, "FAIL")),
        (REFUSAL, [LAKE], ("SUCCESS", "NO_ASSESSABLE_CLAIMS", "HONEST_UNCERTAINTY_ONLY", "PASS")),
        (REFUSAL, [], ("SUCCESS", "NO_ASSESSABLE_CLAIMS", "HONEST_UNCERTAINTY_ONLY", "PASS")),
        (f"{REFUSAL} {LAKE}", [LAKE], ("SUCCESS", "ASSESSED", None, "PASS")),
        (f"{REFUSAL} The lake is 41 metres deep.", [LAKE], ("SUCCESS", "ASSESSED", None, "FAIL")),
        (LAKE, [LAKE], ("SUCCESS", "ASSESSED", None, "PASS")),
        ("The lake is 41 metres deep.", [LAKE], ("SUCCESS", "ASSESSED", None, "FAIL")),
    ],
)
def test_edge_cases(verifier, response, sources, expected):
    assert states(verifier.verify_case(response, sources)) == expected


@pytest.mark.parametrize("response", ["", "Yes.", REFUSAL])
def test_cases_without_assessable_claims_hold_only_refusals(verifier, response):
    for claim in verifier.verify_case(response, [LAKE]).claims:
        assert claim.availability is AssessmentAvailability.NOT_EVALUATED
        assert claim.reason is ReasonCode.HONEST_UNCERTAINTY


def test_empty_and_too_short_have_different_summaries(verifier):
    assert verifier.verify_case("", [LAKE]).summary != verifier.verify_case("Yes.", [LAKE]).summary


@pytest.mark.parametrize(
    ("sources", "reason"), [([], ReasonCode.NO_SOURCES_SUPPLIED), ([""], ReasonCode.NO_SOURCE_TEXT)]
)
def test_claims_without_evidence_are_never_contradicted(verifier, sources, reason):
    case = verifier.verify_case(f"{LAKE} It is not deep.", sources)
    assert len(case.claims) == 2
    for claim in case.claims:
        assert (claim.assessment, claim.reason) == (ClaimAssessment.INSUFFICIENT_EVIDENCE, reason)


def test_no_sources_and_sources_without_text_have_different_summaries(verifier):
    none, empty = verifier.verify_case(LAKE, []).summary, verifier.verify_case(LAKE, [""]).summary
    assert "No sources were supplied" in none
    assert "no usable text" in empty


def test_a_refusal_beside_a_claim_is_listed_and_not_evaluated(verifier):
    refusal, claim = verifier.verify_case(f"{REFUSAL} {LAKE}", [LAKE]).claims
    assert (refusal.availability, refusal.reason) == (
        AssessmentAvailability.NOT_EVALUATED,
        ReasonCode.HONEST_UNCERTAINTY,
    )
    assert claim.assessment is ClaimAssessment.SUPPORTED


@pytest.mark.parametrize(
    ("claim", "source", "assessment", "reason"),
    [
        (LAKE, LAKE, "SUPPORTED", "SUPPORTED_BY_EVIDENCE"),
        ("Dogs are allowed.", "Dogs and cats are allowed.", "SUPPORTED", "SUPPORTED_BY_EVIDENCE"),
        ("Dogs are not allowed.", "Dogs and cats are allowed.", "CONTRADICTED", "CONTRADICTED_BY_EVIDENCE"),
        ("Dogs and birds are allowed.", "Dogs are allowed.", "INSUFFICIENT_EVIDENCE", "NOT_ENTAILED"),
        (
            "Photosynthesis needs light.",
            "The invoice is due in March.",
            "INSUFFICIENT_EVIDENCE",
            "LOW_EVIDENCE_SIMILARITY",
        ),
    ],
)
def test_assessments(verifier, claim, source, assessment, reason):
    (result,) = verifier.verify_case(claim, [source]).claims
    assert (result.assessment.value, result.reason.value) == (assessment, reason)


def test_conflicting_sources_need_the_option(verifier):
    sources = ["Dogs are allowed in the park.", "Dogs are not allowed in the park."]
    (plain,) = verifier.verify_case("Dogs are allowed in the park.", sources).claims
    (found,) = verifier.verify_case("Dogs are allowed in the park.", sources, detect_conflicts=True).claims
    assert plain.assessment is ClaimAssessment.SUPPORTED
    assert found.assessment is ClaimAssessment.CONFLICTING_SOURCES
    assert found.reason is ReasonCode.CONFLICTING_EVIDENCE
    assert (found.supporting_sources, found.contradicting_sources) == (("source_0",), ("source_1",))


def test_sources_that_agree_are_no_conflict(verifier):
    sources = ["Dogs are allowed in the park.", "In the park, dogs are allowed."]
    (found,) = verifier.verify_case("Dogs are allowed in the park.", sources, detect_conflicts=True).claims
    assert found.assessment is ClaimAssessment.SUPPORTED


@pytest.mark.parametrize(
    ("other", "assessment"),
    [
        ("Basic costs $10 a month.", ClaimAssessment.SUPPORTED),
        ("Pro costs $10 a month.", ClaimAssessment.CONFLICTING_SOURCES),
    ],
)
def test_what_is_said_of_another_subject_is_no_conflict(other, assessment):
    models = scripted_models(lambda premise, claim: "entailment" if premise == claim else "contradiction")
    with CitationVerifier(models=models) as fresh:
        claim = "Pro costs $25 a month."
        (found,) = fresh.verify_case(claim, [claim, other], detect_conflicts=True).claims
    assert found.assessment is assessment


@pytest.mark.parametrize(
    ("source", "assessment"),
    [
        ("Express delivery takes under two days.", ClaimAssessment.INSUFFICIENT_EVIDENCE),
        ("Express delivery takes under three days.", ClaimAssessment.CONTRADICTED),
    ],
)
def test_equal_quantities_in_other_figures_are_no_contradiction(source, assessment):
    with CitationVerifier(models=scripted_models(lambda premise, claim: "contradiction")) as fresh:
        (found,) = fresh.verify_case("Express delivery takes less than 48 hours.", [source]).claims
    assert found.assessment is assessment


def test_conflict_detection_is_recorded(verifier):
    off = verifier.verify_case(LAKE, [LAKE]).metadata["conflict_detection"]
    on = verifier.verify_case(LAKE, [LAKE, "The lake is shallow."], detect_conflicts=True)
    assert off == {"enabled": False}
    assert on.metadata["conflict_detection"]["enabled"] is True
    assert on.metadata["conflict_detection"]["status"] == "completed"


def test_conflict_detection_reads_at_most_three_sources():
    models = scripted_models(lambda premise, hypothesis: "neutral")
    sources = [f"The lake is deep and has the number {n}." for n in range(6)]
    with CitationVerifier(models=models) as fresh:
        case = fresh.verify_case("The lake is deep and blue.", sources, detect_conflicts=True)
    assert case.metadata["conflict_detection"]["pairs_scored"] == 3


class Failing:
    """A model whose every call ends as told."""

    name = "failing"

    def __init__(self, act: Callable[[int], object]) -> None:
        self._act = act

    def encode(self, sentences: Sequence[str]) -> object:
        return self._act(len(sentences))

    predict = encode


def raising(error: Exception) -> Callable[[int], object]:
    def act(count: int) -> object:
        raise error

    return act


SCORING_FAULTS = {
    "raises": raising(RuntimeError("boom")),
    "out of memory": raising(MemoryError("no memory")),
    "type error": raising(TypeError("bad tensor")),
    "timeout of its own": raising(TimeoutError("remote model")),
    "nan": lambda n: np.full((n, 3), np.nan, dtype=np.float32),
    "infinite": lambda n: np.full((n, 3), np.inf, dtype=np.float32),
    "none": lambda n: None,
    "text": lambda n: "scores",
    "one row short": lambda n: np.full((n - 1, 3), 1 / 3, dtype=np.float32),
    "flat": lambda n: np.full((n,), 1 / 3, dtype=np.float32),
}
NLI_FAULTS = {
    **SCORING_FAULTS,
    "logits": lambda n: np.tile(np.array([[4.0, -1.0, -2.0]], dtype=np.float32), (n, 1)),
    "too much in a row": lambda n: np.full((n, 3), 0.9, dtype=np.float32),
    "too little in a row": lambda n: np.full((n, 3), 0.1, dtype=np.float32),
    "four columns": lambda n: np.full((n, 4), 0.25, dtype=np.float32),
    "none scores": lambda n: [[None, 0.5, 0.5]] * n,
}


def check_failed(case: CaseResult) -> None:
    assert states(case) == ("ERROR", "NOT_EVALUATED", "EVALUATION_FAILED", "INDETERMINATE")
    assert case.claims == ()
    assert case.error_message


@pytest.mark.parametrize("fault", NLI_FAULTS)
@pytest.mark.parametrize("detect_conflicts", [False, True])
def test_a_failing_classifier_leaves_nothing_partial(fault, detect_conflicts):
    models = ModelPair(encoder=WordOverlapEncoder(), nli=Failing(NLI_FAULTS[fault]))
    with CitationVerifier(models=models) as fresh:
        case = fresh.verify_case("The lake is quite deep.", [LAKE], detect_conflicts=detect_conflicts)
    check_failed(case)


# The shapes of an encoder are of its own width; they are tested below.
@pytest.mark.parametrize("fault", sorted(set(SCORING_FAULTS) - {"one row short", "flat"}))
def test_a_failing_encoder_leaves_nothing_partial(fault):
    models = ModelPair(encoder=Failing(SCORING_FAULTS[fault]), nli=ScriptedNli(lambda p, h: "entailment"))
    with CitationVerifier(models=models) as fresh:
        check_failed(fresh.verify_case("The lake is quite deep.", [LAKE]))


@pytest.mark.parametrize("shape", [lambda n: (n - 1, 8), lambda n: (n,), lambda n: (n, 0), lambda n: (n, 2, 2)])
def test_an_encoder_of_the_wrong_shape_fails(shape):
    models = ModelPair(
        encoder=Failing(lambda n: np.ones(shape(n), dtype=np.float32)), nli=ScriptedNli(lambda p, h: "entailment")
    )
    with CitationVerifier(models=models) as fresh:
        check_failed(fresh.verify_case("The lake is quite deep.", [LAKE]))


def test_a_missing_model_is_an_outcome_of_check_case():
    case = check_case(LAKE, [LAKE], models="standard")
    assert states(case) == ("ERROR", "NOT_EVALUATED", "MODEL_UNAVAILABLE", "INDETERMINATE")
    assert "longtracer models prepare" in (case.error_message or "")


def test_a_missing_model_is_an_error_of_the_constructor():
    with pytest.raises(ModelUnavailableError, match="longtracer models prepare"):
        CitationVerifier(models="standard")


def test_a_deferred_missing_model_is_an_outcome():
    with CitationVerifier(models=DeferredModels("standard")) as fresh:
        assert fresh.verify_case(LAKE, [LAKE]).reason is ReasonCode.MODEL_UNAVAILABLE
        assert fresh.verify_case("", [LAKE]).reason is ReasonCode.EMPTY_RESPONSE


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        ((None, [LAKE]), "response"),
        ((7, [LAKE]), "response"),
        ((LAKE, None), "sources"),
        ((LAKE, LAKE), "sources"),
        ((LAKE, {"a": LAKE}), "sources"),
        ((LAKE, [LAKE, 7]), "sources[1]"),
        ((LAKE, [b"bytes"]), "sources[0]"),
        ((LAKE, [LAKE], ["x"]), "source_metadata[0]"),
        ((LAKE, [LAKE], {"id": "x"}), "source_metadata"),
        ((LAKE, [LAKE], [{}, {}]), "source_metadata"),
    ],
)
def test_wrong_argument_types_are_named(verifier, arguments, names):
    case = verifier.verify_case(*arguments)
    assert states(case) == ("ERROR", "NOT_EVALUATED", "INVALID_INPUT", "INDETERMINATE")
    assert names in (case.error_message or "")
    assert case.claims == ()


@pytest.mark.parametrize(
    "options", [{"case_id": 7}, {"detect_conflicts": "yes"}, {"question": 7}, {"history": "x"}, {"history": [7]}]
)
def test_wrong_option_types_are_named(verifier, options):
    case = verifier.verify_case(LAKE, [LAKE], **options)
    assert case.reason is ReasonCode.INVALID_INPUT
    assert next(iter(options)) in (case.error_message or "")


@pytest.mark.parametrize(
    "arguments", [(None, [LAKE]), (LAKE, None), (LAKE, LAKE), (LAKE, [LAKE, 7]), (LAKE, [LAKE], ["x"])]
)
@pytest.mark.parametrize("method", ["verify", "verify_parallel"])
def test_legacy_methods_raise_type_errors(verifier, method, arguments):
    with pytest.raises(TypeError):
        getattr(verifier, method)(*arguments)


def test_an_encoder_without_unit_vectors_is_read_as_one_with_them():
    class Long(WordOverlapEncoder):
        def encode(self, sentences):
            return super().encode(sentences) * 7

    found = []
    for encoder in (WordOverlapEncoder(), Long()):
        models = ModelPair(encoder=encoder, nli=ScriptedNli(lambda p, h: "neutral"))
        with CitationVerifier(models=models) as fresh:
            found.append(fresh.verify_case("The lake is quite deep.", [LAKE]).claims[0].scores.similarity)
    assert found[0] == pytest.approx(found[1])
    assert 0 < found[0] < 1


@pytest.mark.parametrize(
    ("label", "assessment"), [("contradiction", "CONTRADICTED"), ("neutral", "INSUFFICIENT_EVIDENCE")]
)
def test_the_confidence_of_a_contradiction_is_its_probability_and_else_the_similarity(label, assessment):
    with CitationVerifier(models=scripted_models(lambda premise, hypothesis: label)) as fresh:
        (claim,) = fresh.verify_case("The lake is quite deep.", [LAKE]).claims
    assert claim.assessment.value == assessment
    expected = claim.scores.contradiction if label == "contradiction" else claim.scores.similarity
    assert claim.confidence == expected
    assert claim.scores.contradiction != claim.scores.similarity


def test_a_blank_source_is_noted(verifier):
    assert verifier.verify_case(LAKE, [LAKE, " ", None]).metadata["empty_sources"] == [1, 2]


def test_a_null_source_is_ignored_with_a_note(verifier):
    case = verifier.verify_case(LAKE, [None, LAKE])
    assert case.quality_gate is QualityGate.PASS
    assert case.claims[0].supporting_sources == ("source_1",)
    assert case.metadata["empty_sources"] == [0]


def test_the_case_id_and_the_latency_are_kept(verifier):
    case = verifier.verify_case(LAKE, [LAKE], case_id="case-7")
    assert case.case_id == "case-7"
    assert case.latency_ms is not None
    assert case.latency_ms > 0


def test_metadata_names_the_models(verifier):
    models = verifier.verify_case(LAKE, [LAKE]).metadata["models"]
    assert models["profile"] == "embedded"
    assert "MiniLM" in models["encoder"]
    assert "@" in models["nli"]
    assert ExecutionStatus.SUCCESS.value not in models.values()

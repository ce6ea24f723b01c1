"""Results that once said more than was assessed, named the wrong source, or could not be written down."""

from __future__ import annotations

import json

import pytest

from longtracer import (
    AssessmentAvailability,
    CaseResult,
    CitationVerifier,
    ExecutionStatus,
    InvalidInputError,
    QualityGate,
    ReasonCode,
    check_case,
)
from longtracer.engine import HistoryTurn
from longtracer.engine.pool import WorkerPool
from longtracer.testing import scripted_models

LAKE = "The lake is 40 metres deep."
MOON = "The moon is made of cheese."
REFUSAL = "The provided documents do not contain this information."
BAD = "\ud800"


@pytest.fixture
def plain():
    with CitationVerifier(models=scripted_models(lambda premise, hypothesis: "entailment")) as made:
        yield made


@pytest.fixture
def limited():
    models = scripted_models(lambda premise, hypothesis: "entailment")
    with CitationVerifier(models=models, max_claims=1) as made:
        yield made


# Nothing assessed, nothing passed --------------------------------------------------------------------------------


def test_a_case_whose_only_read_claim_is_a_refusal_was_not_evaluated(limited):
    case = limited.verify_case(f"{REFUSAL} {MOON}", [LAKE], case_id="c")
    assert (case.execution, case.availability) == (ExecutionStatus.SKIPPED, AssessmentAvailability.NOT_EVALUATED)
    assert (case.reason, case.quality_gate) == (ReasonCode.EXECUTION_SKIPPED, QualityGate.INDETERMINATE)
    assert (case.claims, case.case_id) == ((), "c")
    assert "max_claims" in case.summary
    assert "max_claims" in case.metadata["limits"][0]


def test_a_refusal_within_the_limit_is_still_an_honest_one(limited):
    assert limited.verify_case(REFUSAL, [LAKE]).quality_gate is QualityGate.PASS


def test_an_unread_claim_is_no_honest_refusal(limited):
    assert "refusal" not in limited.verify_case(f"{LAKE} {MOON}", [LAKE]).summary


@pytest.mark.parametrize("option", ["max_source_chars", "max_sentences"])
def test_thousands_of_sources_behind_a_limit_are_told_in_a_line(option):
    models = scripted_models(lambda premise, hypothesis: "entailment")
    with CitationVerifier(models=models, **{option: {"max_sentences": 1}.get(option, len(LAKE) + 9)}) as fresh:
        case = fresh.verify_case(MOON, [f"{LAKE} It is cold.", *[LAKE] * 2000])
    told = case.metadata["limits"]
    assert len(told) == 2
    assert told[0].startswith("source 'source_0' was read up to ")
    assert told[1].startswith("2000 sources were not read")
    assert len(case.summary) < 400


def test_an_unread_claim_is_flagged_in_the_legacy_result(limited):
    result = limited.verify(f"{LAKE} {MOON}", [LAKE])
    assert [claim["supported"] for claim in result.claims] == [True, False]
    assert (result.verdict, result.all_supported, result.hallucination_count) == ("FAIL", False, 0)
    assert result.trust_score == pytest.approx(1.0)
    assert limited.verify_case(f"{LAKE} {MOON}", [LAKE]).metadata["legacy_verdict"] == "FAIL"


def test_a_read_answer_is_not_flagged_in_the_legacy_result(limited):
    assert limited.verify(LAKE, [LAKE]).verdict == "PASS"


# Sources -----------------------------------------------------------------------------------------------------------

ANNA = "Anna Berg was a painter. She was born in Oslo in 1950."
CLARA = "Clara Holm was a poet. She was born in Oslo in 1950."


@pytest.fixture
def careful():
    """Entailment only where the premise names who the claim is about."""

    def judge(premise: str, hypothesis: str) -> str:
        return "entailment" if "Anna Berg" in premise and "born" in premise else "neutral"

    with CitationVerifier(models=scripted_models(judge)) as made:
        yield made


@pytest.mark.parametrize("sources", [[ANNA, CLARA], [CLARA, ANNA]])
def test_a_cited_source_does_not_borrow_the_sentences_of_another(careful, sources):
    for number, source in enumerate(sources, 1):
        case = careful.verify_case(f"Anna Berg was born in Oslo in 1950 [{number}].", sources, check_citations=True)
        (mark,) = case.claims[0].citations
        assert mark.verdict == ("supports" if source is ANNA else "does_not_support")
        assert case.passed is (source is ANNA)


@pytest.mark.parametrize("sources", [[ANNA, CLARA], [CLARA, ANNA], [CLARA, ANNA, ANNA]])
def test_sentences_that_prove_together_are_named_where_they_stand_together(careful, sources):
    (claim,) = careful.verify_case("Anna Berg was born in Oslo in 1950.", sources).claims
    assert claim.supporting_sources == tuple(f"source_{n}" for n, source in enumerate(sources) if source is ANNA)


# Text ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ((f"The lake {BAD} is deep.", [LAKE]), {}),
        (("The lake is deep.", [f"The lake {BAD} is 40 metres deep."]), {}),
        (("The lake is deep.", [LAKE], [{"id": BAD}]), {}),
        (("The lake is deep.", [LAKE]), {"case_id": BAD}),
        (("The lake is deep.", []), {"history": [("user", f"The lake {BAD} is 40 metres deep.")]}),
    ],
)
def test_a_lone_surrogate_survives_json_as_a_replacement_character(verifier, arguments, options):
    case = verifier.verify_case(*arguments, **options)
    assert case.passed
    assert CaseResult.model_validate_json(case.model_dump_json()) == case
    written = json.dumps(case.model_dump(mode="json"), ensure_ascii=False)
    assert "\ufffd" in written
    written.encode("utf-8")


def test_a_case_that_ends_in_a_message_with_a_lone_surrogate_is_a_case(plain, monkeypatch):
    def refuse(self, job, **options):
        raise RuntimeError(f"no thread {BAD}")

    monkeypatch.setattr(WorkerPool, "submit", refuse)
    case = plain.verify_case("The lake is deep.", [LAKE])
    assert case.reason is ReasonCode.EVALUATION_FAILED
    case.model_dump_json()


# Arguments ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("turn", [HistoryTurn(1, "x"), HistoryTurn("user", None)])
def test_a_turn_that_holds_no_text_is_named(plain, turn):
    case = plain.verify_case("The lake is deep.", [LAKE], history=[("user", "Hello."), turn])
    assert case.reason is ReasonCode.INVALID_INPUT
    assert "history[1]" in (case.error_message or "")


def test_a_case_without_sources_says_so(plain):
    (case,) = plain.verify_cases([{"response": "x"}])
    assert case.error_message == "a case needs response and sources"
    (case,) = plain.verify_cases([{"response": "x", "sources": [], "answer": "x"}])
    assert case.error_message == "a case has no answer"


@pytest.mark.parametrize("models", [7, ["embedded"], {"encoder": "x"}])
def test_models_of_another_type_are_an_unusable_argument(models):
    assert check_case("The lake is deep.", [LAKE], models=models).reason is ReasonCode.INVALID_INPUT
    with pytest.raises(InvalidInputError, match="models"):
        CitationVerifier(models=models)

"""Options of a check: citations, quotations, questions, history, limits, languages, numbers."""

from __future__ import annotations

import pytest

from longtracer import CitationVerifier, ClaimAssessment, ExecutionStatus, QualityGate, ReasonCode
from longtracer.engine import HistoryTurn, ModelPair
from longtracer.testing import ScriptedNli, WordOverlapEncoder

PARIS = "Paris is in France."
OSLO = "Oslo is in Norway."
LAKE = "The lake is 40 metres deep."


def reasons(case):
    return [claim.reason for claim in case.claims]


# Citations -----------------------------------------------------------------------------------------------------


def test_markers_are_no_part_of_what_the_model_reads(verifier):
    case = verifier.verify_case(f"{PARIS}[1] {OSLO} [2]", [PARIS, OSLO])
    assert case.quality_gate is QualityGate.PASS
    assert [mark.text for claim in case.claims for mark in claim.citations] == ["[1]", "[2]"]
    assert {mark.verdict for claim in case.claims for mark in claim.citations} == {"unchecked"}


@pytest.mark.parametrize(
    ("answer", "expected", "verdicts"),
    [
        (f"{PARIS[:-1]} [1].", None, ["supports"]),
        (f"{PARIS[:-1]} [2].", ReasonCode.CITED_SOURCE_DOES_NOT_SUPPORT, ["contradicts"]),
        (f"{PARIS[:-1]} [7].", ReasonCode.CITATION_OUT_OF_RANGE, ["out_of_range"]),
        (f"{PARIS[:-1]} [1, 2].", None, ["supports"]),
        (f"{PARIS[:-1]} [0].", ReasonCode.CITATION_OUT_OF_RANGE, ["out_of_range"]),
        (f"{PARIS[:-1]} [1][7].", ReasonCode.CITATION_OUT_OF_RANGE, ["supports", "out_of_range"]),
    ],
)
def test_citations_are_judged_against_the_source_they_name(verifier, answer, expected, verdicts):
    case = verifier.verify_case(answer, [PARIS, OSLO], check_citations=True)
    (claim,) = case.claims
    assert [mark.verdict for mark in claim.citations] == verdicts
    assert claim.reason is (expected or ReasonCode.SUPPORTED_BY_EVIDENCE)
    assert case.quality_gate is (QualityGate.PASS if expected is None else QualityGate.FAIL)


def test_citations_are_judged_only_when_asked(verifier):
    assert verifier.verify_case(f"{PARIS[:-1]} [7].", [PARIS, OSLO]).quality_gate is QualityGate.PASS


def test_a_contradicting_cited_source_is_named_as_such(verifier):
    sources = ["Dogs are allowed in the park.", "Dogs are not allowed in the park."]
    (claim,) = verifier.verify_case("Dogs are allowed in the park [2].", sources, check_citations=True).claims
    assert claim.citations[0].verdict == "contradicts"
    assert claim.citations[0].source_ids == ("source_1",)
    assert claim.assessment is ClaimAssessment.INSUFFICIENT_EVIDENCE


def test_a_cited_source_is_judged_alone_also_when_sources_disagree(verifier):
    sources = ["Dogs are allowed in the park.", "Dogs are not allowed in the park."]
    options = {"check_citations": True, "detect_conflicts": True}
    (claim,) = verifier.verify_case("Dogs are allowed in the park [1].", sources, **options).claims
    assert claim.assessment is ClaimAssessment.CONFLICTING_SOURCES
    assert claim.citations[0].verdict == "supports"


MEMO = 'The memo of May says that "growth will be slow this year" and that hiring stops.'


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ('The memo says that "growth will be slow this year".', ReasonCode.SUPPORTED_BY_EVIDENCE),
        ('The memo says that "growth will be slow this week".', ReasonCode.QUOTE_NOT_FOUND),
    ],
)
def test_invented_quotations_are_named(answer, reason):
    models = ModelPair(encoder=WordOverlapEncoder(), nli=ScriptedNli(lambda p, h: "entailment"))
    with CitationVerifier(models=models) as fresh:
        assert reasons(fresh.verify_case(answer, [MEMO], check_citations=True)) == [reason]
        assert fresh.verify_case(answer, [MEMO]).quality_gate is QualityGate.PASS


# Questions and history -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("answer", "gate"), [("Berlin.", QualityGate.PASS), ("Bonn.", QualityGate.FAIL)])
def test_a_short_answer_needs_its_question(verifier, answer, gate):
    source = "The capital of Germany is Berlin."
    assert verifier.verify_case(answer, [source]).reason is ReasonCode.NO_EXTRACTABLE_CLAIMS
    case = verifier.verify_case(answer, [source], question="What is the capital of Germany?")
    assert case.quality_gate is gate
    assert case.claims[0].claim_text == answer


@pytest.mark.parametrize(
    ("role", "gate"),
    [
        ("user", QualityGate.PASS),
        ("human", QualityGate.PASS),
        ("tool", QualityGate.PASS),
        ("assistant", QualityGate.FAIL),
        ("ai", QualityGate.FAIL),
        ("system", QualityGate.FAIL),
    ],
)
def test_history_is_evidence_by_role(verifier, role, gate):
    history = [(role, "My order number is 4711."), HistoryTurn("assistant", "Noted.")]
    case = verifier.verify_case("Your order number is 4711.", [], history=history)
    assert case.quality_gate is gate
    if gate is QualityGate.PASS:
        assert case.claims[0].supporting_sources == ("history_0",)
    else:
        assert case.reason is ReasonCode.NO_SOURCES_SUPPLIED


# Limits -----------------------------------------------------------------------------------------------------------


def test_claims_beyond_the_limit_are_listed_and_prevent_a_pass():
    with CitationVerifier(max_claims=2) as limited:
        case = limited.verify_case(f"{LAKE} {PARIS} {OSLO}", [LAKE, PARIS, OSLO])
    assert [claim.reason for claim in case.claims] == [
        ReasonCode.SUPPORTED_BY_EVIDENCE,
        ReasonCode.SUPPORTED_BY_EVIDENCE,
        ReasonCode.EXECUTION_SKIPPED,
    ]
    assert case.quality_gate is QualityGate.INDETERMINATE
    assert "max_claims" in case.summary


def test_a_limit_that_is_not_reached_leaves_no_trace():
    with CitationVerifier(max_claims=3, max_source_chars=500, max_sentences=50) as limited:
        case = limited.verify_case(f"{LAKE} {PARIS} {OSLO}", [LAKE, PARIS, OSLO])
    assert case.quality_gate is QualityGate.PASS
    assert "limits" not in case.metadata


@pytest.mark.parametrize("option", ["max_source_chars", "max_sentences"])
def test_cut_sources_are_told(option):
    sources = [f"{PARIS} {OSLO}", LAKE]
    with CitationVerifier(**{option: 2 if option == "max_sentences" else 38}) as limited:
        case = limited.verify_case(LAKE, sources)
    assert case.quality_gate is QualityGate.FAIL
    assert option in case.metadata["limits"][0]
    assert option in case.summary


def test_long_answers_are_read_to_the_end(verifier):
    sentences = [f"Room {n} has {n + 2} chairs." for n in range(60)]
    answer = " ".join([*sentences, "The lake is dry."])
    case = verifier.verify_case(answer, [" ".join(sentences), LAKE])
    assert len(case.claims) == 61
    assert case.quality_gate is QualityGate.FAIL
    assert [claim.claim_text for claim in case.unsupported_claims] == ["The lake is dry."]


# Languages ---------------------------------------------------------------------------------------------------------


def test_text_the_models_were_not_trained_for_is_not_guessed_at(verifier):
    case = verifier.verify_case("东京是日本的首都。人口是一百万。", ["东京是日本的首都。人口是一千四百万。"])
    assert (case.execution, case.reason) == (ExecutionStatus.SKIPPED, ReasonCode.EXECUTION_SKIPPED)
    assert case.quality_gate is QualityGate.INDETERMINATE
    assert case.claims == ()
    assert case.metadata["language"]["claims_not_evaluated"] == 2
    assert "'zh'" in case.summary or "'ja'" in case.summary


def test_one_foreign_claim_prevents_a_pass(verifier):
    case = verifier.verify_case(f"{LAKE} Der See ist sehr tief und das Wasser ist kalt, sagt der Förster.", [LAKE])
    assert case.claims[-1].reason is ReasonCode.EXECUTION_SKIPPED
    assert case.quality_gate is QualityGate.INDETERMINATE


def test_foreign_sources_are_not_guessed_at(verifier):
    source = "Der See ist sehr tief. Das Wasser ist kalt und die Ufer sind steil. Im Winter ist er gefroren."
    case = verifier.verify_case("The lake is very deep.", [source])
    assert case.quality_gate is QualityGate.INDETERMINATE
    assert case.metadata["language"]["where"] == "sources"


def test_a_multilingual_pair_works_end_to_end():
    models = ModelPair(
        encoder=WordOverlapEncoder(),
        nli=ScriptedNli(lambda premise, claim: "entailment" if premise == claim else "contradiction"),
        name="multilingual",
        languages=frozenset({"de", "en", "zh"}),
    )
    with CitationVerifier(models=models) as fresh:
        good = fresh.verify_case("Der See ist tief und kalt.", ["Der See ist tief und kalt."])
        bad = fresh.verify_case("Der See ist flach und kalt.", ["Der See ist tief und kalt."])
    assert (good.quality_gate, bad.quality_gate) == (QualityGate.PASS, QualityGate.FAIL)
    assert good.metadata["models"]["profile"] == "multilingual"


# Numbers ------------------------------------------------------------------------------------------------------------


def everything_entails():
    return ModelPair(encoder=WordOverlapEncoder(), nli=ScriptedNli(lambda p, h: "entailment"))


@pytest.mark.parametrize(
    ("claim", "source", "supported"),
    [
        ("The lake holds 1,500 litres of water.", "The lake holds 1500 litres of water.", True),
        ("The lake holds 1,600 litres of water.", "The lake holds 1500 litres of water.", False),
        ("The walk takes 2 hours.", "The walk takes 120 minutes.", True),
        ("The walk takes 3 hours.", "The walk takes 120 minutes.", False),
        ("It opened on 3 May 1999.", "It opened on 1999-05-03.", True),
        ("It opened on 4 May 1999.", "It opened on 1999-05-03.", False),
    ],
)
def test_a_quantity_that_the_evidence_states_differently_is_never_supported(claim, source, supported):
    with CitationVerifier(models=everything_entails()) as fresh:
        (result,) = fresh.verify_case(claim, [source]).claims
    assert result.is_supported is supported
    assert result.scores.quantity_check == ("consistent" if supported else "differs")
    if not supported:
        assert result.scores.quantities[0].finding == "different"


def test_the_number_check_can_be_switched_off():
    with CitationVerifier(models=everything_entails(), check_numbers=False) as fresh:
        (result,) = fresh.verify_case("The walk takes 3 hours.", ["The walk takes 120 minutes."]).claims
    assert result.is_supported
    assert result.scores.quantity_check is None

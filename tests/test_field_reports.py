"""What users of such systems reported, one test a report: U1 to U57, each with a twin that must come out otherwise.

Meaning is judged by the embedded models; labels, faults and rules by small scripted ones.
"""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys

import numpy as np
import pytest

from longtracer import (
    CaseResult,
    CitationVerifier,
    ClaimAssessment,
    ModelUnavailableError,
    QualityGate,
    ReasonCode,
)
from longtracer.engine import ModelPair
from longtracer.engine.text.claims import SkipReason, split_claims
from longtracer.testing import ScriptedNli, WordOverlapEncoder
from tests.growth import grows_linearly

SUPPORTED, CONTRADICTED = ClaimAssessment.SUPPORTED, ClaimAssessment.CONTRADICTED
INSUFFICIENT = ClaimAssessment.INSUFFICIENT_EVIDENCE


def claims(answer: str) -> list[str]:
    return [claim.text for claim in split_claims(answer).claims]


# Splitting and text ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("report", "answer", "expected"),
    [
        ("U1", "Okoro et al. [2019] measured 14 lakes.", 1),
        ("U1 twin", "Okoro came home. [2019] He measured 14 lakes.", 2),
        ("U3", "The fine was £1.6m in total.", 1),
        ("U3 twin", "The fine was £1. It was paid at once.", 2),
        ("U4", "The Ph.D.'s thesis covers bees.", 1),
        ("U4", "The report by J. Kern, M.D.: it covers bees.", 1),
        ("U4 twin", "The thesis was long. It covers bees.", 2),
        ("U9", "Sales rose -- a record. Costs fell 3%. Staff doubled.", 3),
        ("U9 twin", "Sales rose -- a record -- and costs fell 3%.", 1),
        ("U15", "The first match was on 15 Jan 1967", 1),
        ("U15 twin", "1967", 0),
    ],
)
def test_boundaries(report, answer, expected):
    found = claims(answer)
    assert len(found) == expected
    if expected == 1:
        assert found == [answer]


def test_u6_the_second_item_has_its_own_place():
    first, second = split_claims("1) It is red. 2) It is red.").claims
    assert second.start > first.end


def test_u7_hostile_text_takes_linear_time():
    for make in (
        lambda n: ".." + "[111 " * n + "]",
        lambda n: "v." + "1" * (100 * n),
        lambda n: '<a b="' + "x" * (100 * n),
    ):
        assert grows_linearly(split_claims, make, 800)


def test_u10_an_enumerator_is_no_sentence():
    found = claims("Specs:\n\n1. Diameter is 38 mm.\n2. Weight is 26 g.")
    assert found == ["Diameter is 38 mm.", "Weight is 26 g."]


def test_u11_bullets_without_a_period_are_claims_of_their_own(verifier):
    answer, sources = "Plans:\n- Basic costs $10\n- Pro costs $20", ["Basic costs $10. Pro costs $25."]
    first, second = verifier.verify_case(answer, sources).claims
    assert (first.assessment, second.assessment) == (SUPPORTED, CONTRADICTED)
    first, second = verifier.verify_case(answer.replace("$20", "$25"), sources).claims
    assert (first.assessment, second.assessment) == (SUPPORTED, SUPPORTED)


def test_u12_a_heading_is_skipped_and_not_glued_to_the_next_line():
    segmentation = split_claims("## Refunds\nRefunds take 5 days")
    assert [claim.text for claim in segmentation.claims] == ["Refunds take 5 days"]
    assert SkipReason.HEADING in {span.reason for span in segmentation.skipped}
    assert len(claims("Refunds are slow\nRefunds take 5 days")) in (1, 2)


def test_u13_hard_wrapped_lines_are_one_claim():
    (claim,) = split_claims("The tower was\nfinished in 1889.").claims
    assert (claim.start, claim.end) == (0, 31)
    assert len(claims("The tower was tall.\nIt was finished in 1889.")) == 2


def test_u14_scripts_without_spaces(verifier):
    answer, source = "东京是日本的首都。人口是一百万。", "东京是日本的首都。人口是一千四百万。"
    assert len(claims(answer)) == 2
    case = verifier.verify_case(answer, [source])
    assert case.quality_gate is QualityGate.INDETERMINATE
    assert case.metadata["language"]["found"] in ("zh", "ja")
    english = verifier.verify_case("Tokyo is the capital of Japan.", ["Tokyo is the capital of Japan."])
    assert english.quality_gate is QualityGate.PASS


@pytest.mark.parametrize(
    "answer",
    [
        "Sure! **Basic** costs $10 [1], _Pro_ costs\n$25.\n\n| a | b |\n|---|---|\n| x | y |\n\n> It is good, I hear.",
        "1. One thing is red.\n   - It is also round (see https://example.org/a?b=1).\n2. `code` is not prose.",
        "“It works,” she said... And then — silence! 😀 Fee is 5.",
    ],
)
def test_u17_every_claim_is_a_part_of_the_answer(verifier, answer):
    for claim in verifier.verify_case(answer, ["Basic costs $10."]).claims:
        assert answer[claim.char_start : claim.char_end] == claim.claim_text


def test_u18_splitting_needs_no_download(tmp_path):
    code = (
        "import socket\n"
        "def refuse(*a, **k): raise OSError('blocked')\n"
        "socket.socket.connect = refuse\n"
        "from longtracer.engine.text.claims import split_claims\n"
        "print(len(split_claims('It is red. It is blue.').claims))\n"
    )
    environment = {**os.environ, "NLTK_DATA": str(tmp_path), "HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.strip() == "2"


def test_u20_a_table_row_is_a_claim_with_its_header(verifier):
    table = "| Plan | Price |\n|---|---|\n| Pro | $25 |"
    (row,) = verifier.verify_case(table, ["Pro costs $20."]).claims
    assert row.claim_text.strip("| ") == "Pro | $25"
    assert row.assessment is not SUPPORTED
    (row,) = verifier.verify_case(table, ["The plan Pro has a price of $25."]).claims
    assert row.assessment is SUPPORTED


def test_u22_offsets_count_code_points():
    answer = "😀 Fee is 5. Cap is 9."
    segmentation = split_claims(answer)
    assert [answer[claim.start : claim.end] for claim in segmentation.claims] == [c.text for c in segmentation.claims]
    assert segmentation.claims[-1].start == answer.index("Cap")


# NLI, numbers, evidence ---------------------------------------------------------------------------------------------


def judge(premise: str, claim: str) -> str:
    if premise == claim:
        return "entailment"
    return "contradiction" if "not" in claim else "neutral"


@pytest.mark.parametrize("labels", list(itertools.permutations(["contradiction", "entailment", "neutral"])))
def test_u23_the_label_order_of_the_model_decides(labels):
    models = ModelPair(encoder=WordOverlapEncoder(), nli=ScriptedNli(judge, labels=labels))
    with CitationVerifier(models=models) as fresh:
        case = fresh.verify_case("It is open now. It is not open.", ["It is  open now.", "It is open."])
    assert [claim.assessment for claim in case.claims] == [SUPPORTED, CONTRADICTED]


@pytest.mark.parametrize("labels", [("LABEL_0", "LABEL_1", "LABEL_2"), ("entailment", "not_entailment"), ()])
def test_u24_labels_are_never_guessed(labels):
    with pytest.raises(ModelUnavailableError):
        ScriptedNli(judge, labels=labels)


def test_u24_twin_aliases_are_understood():
    assert ScriptedNli(judge, labels=("CONTRADICTION", "Entailment", "NEUTRAL")).predict([("a", "a")]).argmax() == 1


MIXED = [
    ("Dogs are allowed in the park.", "In the park, dogs and cats are allowed from April to October each year."),
    ("The lake is deep.", "The lake is 40 metres deep."),
    ("It is closed.", "The museum is open on all days except Mondays, and tickets are sold until four."),
]


def test_u26_one_or_many_gives_equal_scores(verifier):
    sources = [source for _, source in MIXED]
    alone = [verifier.verify_case(claim, sources).claims[0] for claim, _ in MIXED]
    together = verifier.verify_case(" ".join(claim for claim, _ in MIXED), sources).claims
    for one, other in zip(alone, together, strict=True):
        assert one.assessment is other.assessment
        for name in ("entailment", "contradiction", "neutral"):
            assert getattr(one.scores, name) == pytest.approx(getattr(other.scores, name), abs=1e-3)
        for piece in other.evidence:
            assert piece.entailment + piece.contradiction + piece.neutral == pytest.approx(1, abs=1e-4)


def test_u28_sources_that_disagree_are_both_named(verifier):
    sources = ["Opens at 9.", "Opens at 10."]
    (claim,) = verifier.verify_case("It opens at 9.", sources, detect_conflicts=True).claims
    assert claim.assessment is ClaimAssessment.CONFLICTING_SOURCES
    assert (claim.supporting_sources, claim.contradicting_sources) == (("source_0",), ("source_1",))
    (claim,) = verifier.verify_case("It opens at 9.", sources[:1], detect_conflicts=True).claims
    assert claim.assessment is SUPPORTED


@pytest.mark.parametrize("score", [None, -1.0, 2.0, float("nan"), "neutral"])
def test_u29_a_score_that_is_none_is_never_counted(score):
    class Odd:
        name = "odd"

        def predict(self, pairs):
            return [[score, 0.5, 0.5]] * len(pairs)

    with CitationVerifier(models=ModelPair(encoder=WordOverlapEncoder(), nli=Odd())) as fresh:
        case = fresh.verify_case("The lake is deep.", ["The lake is 40 metres deep."])
    assert (case.quality_gate, case.claims) == (QualityGate.INDETERMINATE, ())


def test_u30_a_range_that_holds_is_no_contradiction(verifier):
    source = "Scores were 85%, 86% and 89.4%."
    (claim,) = verifier.verify_case("All scores are between 80% and 90%.", [source]).claims
    assert claim.assessment in (SUPPORTED, INSUFFICIENT)
    (claim,) = verifier.verify_case("All scores were 95%.", [source]).claims
    assert claim.assessment is not SUPPORTED


def test_u33_durations_and_equal_units(verifier):
    source = "The message was sent 35 minutes ago; 4,998 GB are free."
    wrong, equal = verifier.verify_case("It was sent 6 hours ago. There are 4.998 TB free.", [source]).claims
    assert wrong.assessment is not SUPPORTED
    assert equal.assessment is not CONTRADICTED
    (other,) = verifier.verify_case("There are 5.998 TB free.", [source]).claims
    assert other.assessment is not SUPPORTED


GOOD = "The Basic plan costs $10 a month."
DISTRACTORS = [
    "Refunds are paid within five days.",
    "The office in Lisbon was opened in 2016.",
    "About 40 people work there.",
    "Shipping takes three weeks.",
    "The warranty covers parts.",
    "A newsletter is sent on Fridays.",
    "The founder plays chess.",
    "Support answers on weekdays.",
    "The logo was drawn by hand.",
]


@pytest.mark.parametrize("claim", ["Basic costs $10 per month.", "Basic costs $12 per month."])
def test_u34_more_context_flips_no_verdict(verifier, claim):
    alone = verifier.verify_case(claim, [GOOD]).claims[0].assessment
    for place in range(0, 10, 3):
        sources = [*DISTRACTORS[:place], GOOD, *DISTRACTORS[place:]]
        assert verifier.verify_case(claim, sources).claims[0].assessment is alone
        assert verifier.verify_case(claim, sources[::-1]).claims[0].assessment is alone


def test_u35_padding_changes_nothing(verifier):
    claim, source = "Dogs are allowed.", "Dogs and cats are allowed."
    others = [f"Room {n} {'is very large and ' * (n % 9)}has {n + 2} chairs." for n in range(30)]
    (alone,) = verifier.verify_case(claim, [source]).claims
    among = verifier.verify_case(" ".join([*others[:15], claim, *others[15:]]), [source, *others]).claims[15]
    assert among.claim_text == claim
    assert among.assessment is alone.assessment
    assert among.scores.entailment == pytest.approx(alone.scores.entailment, abs=1e-3)


@pytest.mark.parametrize(
    ("answer", "contradicted"),
    [
        ("Sale items can be returned.", True),
        ("You may not send back sale goods.", False),
        ("Sale items cannot be returned.", False),
    ],
)
def test_u36_a_negation_is_seen(verifier, answer, contradicted):
    (claim,) = verifier.verify_case(answer, ["Sale items cannot be returned."]).claims
    assert (claim.assessment is CONTRADICTED) is contradicted


def test_u38_long_answers_are_judged_to_the_end(verifier):
    true = [f"Room {n} has {n + 2} chairs." for n in range(60)]
    source = " ".join(true)
    case = verifier.verify_case(" ".join([*true, "Room 3 has 99 chairs."]), [source])
    assert (len(case.claims), case.quality_gate) == (61, QualityGate.FAIL)
    assert verifier.verify_case(source, [source]).quality_gate is QualityGate.PASS


def test_u39_a_mention_is_no_support(verifier):
    (claim,) = verifier.verify_case("Paris is the capital of France.", ["I had a great day in Paris."]).claims
    assert claim.assessment is INSUFFICIENT
    (claim,) = verifier.verify_case("I had a day in Paris.", ["I had a great day in Paris."]).claims
    assert claim.assessment is SUPPORTED


def test_u40_leaving_something_out_is_no_error(verifier):
    facts = [f"Room {n} has {n + 2} chairs." for n in range(10)]
    assert verifier.verify_case(" ".join(facts[2:4]), facts).quality_gate is QualityGate.PASS
    changed = facts[2].replace("4 chairs", "7 chairs")
    assert verifier.verify_case(f"{changed} {facts[3]}", facts).quality_gate is QualityGate.FAIL


def test_u42_the_source_is_the_premise(verifier):
    (claim,) = verifier.verify_case("Dogs are allowed.", ["Dogs and cats are allowed."]).claims
    assert claim.assessment is SUPPORTED
    (claim,) = verifier.verify_case("Dogs and cats are allowed.", ["Dogs are allowed."]).claims
    assert claim.assessment is not SUPPORTED


def test_u45_an_invented_quotation_is_named(verifier):
    memo = "The memo expects slow growth and says that hiring stops in May."
    case = verifier.verify_case('The memo says "growth will double".', [memo], check_citations=True)
    assert case.quality_gate is not QualityGate.PASS
    models = ModelPair(encoder=WordOverlapEncoder(), nli=ScriptedNli(lambda p, h: "entailment"))
    with CitationVerifier(models=models) as trusting:
        invented = trusting.verify_case('The memo says "growth will double".', [memo], check_citations=True)
        real = trusting.verify_case('The memo says that "hiring stops in May".', [memo], check_citations=True)
    assert invented.claims[0].reason is ReasonCode.QUOTE_NOT_FOUND
    assert real.quality_gate is QualityGate.PASS


def test_u46_citation_markers(verifier):
    answer = "Paris is in France.[1] Oslo is in Norway [7]."
    sources = ["Paris is in France.", "Oslo is in Norway."]
    case = verifier.verify_case(answer, sources, check_citations=True)
    assert [claim.reason for claim in case.claims] == [
        ReasonCode.SUPPORTED_BY_EVIDENCE,
        ReasonCode.CITATION_OUT_OF_RANGE,
    ]
    for claim in case.claims:
        assert answer[claim.char_start : claim.char_end] == claim.claim_text
        for mark in claim.citations:
            assert answer[mark.char_start : mark.char_end] == mark.text
    assert all("[" not in claim.model_text for claim in split_claims(answer).claims)
    assert verifier.verify_case(answer.replace("[7]", "[2]"), sources, check_citations=True).passed


def test_u47_no_silent_fall_back_to_a_weaker_critic(verifier):
    from longtracer.engine import DeferredModels

    with CitationVerifier(models=DeferredModels("standard")) as fresh:
        case = fresh.verify_case("The lake is deep.", ["The lake is deep."])
    assert (case.reason, case.quality_gate) == (ReasonCode.MODEL_UNAVAILABLE, QualityGate.INDETERMINATE)
    used = verifier.verify_case("The lake is deep.", ["The lake is deep."])
    assert used.metadata["models"]["profile"] == "embedded"


# Refusals, empties, types --------------------------------------------------------------------------------------------

SOURCE = "The Pro plan costs $20. The part comes in blue only."


@pytest.mark.parametrize(
    ("answer", "refusal"),
    [
        ("IDK.", True),  # U48
        ("None of the provided files relate to that.", True),  # U50
        ("The part is not available in red.", False),  # U50
        ("I can't see the image you mention.", True),  # U51
        ("Profits tripled last year, something not mentioned in the summary.", False),
    ],
)
def test_u48_u50_u51_refusals_are_told_by_what_they_say(verifier, answer, refusal):
    case = verifier.verify_case(answer, [SOURCE])
    assert (case.reason is ReasonCode.HONEST_UNCERTAINTY_ONLY) is refusal
    assert (case.quality_gate is QualityGate.PASS) is refusal or answer.startswith("The part")


def test_u51_a_fact_inside_a_refusal_is_judged(verifier):
    answer = "I could not find a cheaper plan, but Pro costs $99."
    assert verifier.verify_case(answer, [SOURCE]).quality_gate is QualityGate.FAIL


@pytest.mark.parametrize(
    ("sources", "reason"),
    [
        ([], ReasonCode.NO_SOURCES_SUPPLIED),
        ([""], ReasonCode.NO_SOURCE_TEXT),
        (["  "], ReasonCode.NO_SOURCE_TEXT),
    ],
)
def test_u53_no_context_is_never_a_pass(verifier, sources, reason):
    case = verifier.verify_case("The lake is deep.", sources)
    assert case.quality_gate is QualityGate.FAIL
    assert case.claims[0].reason is reason
    assert verifier.verify_case("The lake is deep.", ["The lake is deep."]).passed


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("", ReasonCode.EMPTY_RESPONSE),
        ("👍", ReasonCode.NO_EXTRACTABLE_CLAIMS),
        (None, ReasonCode.INVALID_INPUT),
    ],
)
def test_u54_nothing_to_judge_has_a_reason(verifier, answer, reason):
    case = verifier.verify_case(answer, [None, "The lake is deep."])
    assert case.reason is reason
    assert case.quality_gate is not QualityGate.PASS


def test_u55_a_failed_case_is_one_result_among_others():
    class FailsOnTwo(ScriptedNli):
        def predict(self, pairs):
            if any("south" in claim for _, claim in pairs):
                raise RuntimeError("boom")
            return super().predict(pairs)

    models = ModelPair(encoder=WordOverlapEncoder(), nli=FailsOnTwo(lambda p, h: "entailment"))
    with CitationVerifier(models=models) as fresh:
        cases = fresh.verify_cases(
            [(f"The lake is in the {n}.", ["The lake is here."]) for n in ("north", "south", "east")]
        )
    assert [case.quality_gate.value for case in cases] == ["PASS", "INDETERMINATE", "PASS"]


def test_u57_numpy_scores_do_not_break_json(verifier):
    class Numpy(ScriptedNli):
        def predict(self, pairs):
            return super().predict(pairs).astype(np.float64)

    models = ModelPair(encoder=WordOverlapEncoder(), nli=Numpy(lambda p, h: "entailment"))
    with CitationVerifier(models=models) as fresh:
        for case in (
            fresh.verify_case("The lake is deep.", ["The lake is very deep."], [{"source_id": np.int64(3)}]),
            verifier.verify_case("The lake is deep.", ["The lake is very deep."]),
        ):
            text = json.dumps(case.model_dump(), allow_nan=False)
            assert CaseResult.model_validate(json.loads(text)) == case
            assert CaseResult.model_validate_json(case.model_dump_json()) == case

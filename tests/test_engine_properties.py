"""What holds for every input: offsets rebuild the answer, and order, copies and company change no verdict."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from longtracer import CaseResult, CitationVerifier
from longtracer.engine.statements import plain_statements
from longtracer.engine.text.claims import split_claims
from longtracer.testing import scripted_models

SENTENCES = [
    "The lake is deep and cold.",
    "The lake is shallow and warm.",
    "A ferry crosses the lake twice a day.",
    "The ferry costs 12 euros.",
    "It was built in 1987.",
    "Salmon return to the lake in autumn.",
    "The hall was built of sandstone.",
]


def judge(premise: str, claim: str) -> str:
    """A little logic that depends on the two texts alone."""
    said, asked = set(premise.casefold().split()), set(claim.casefold().split())
    if asked <= said:
        return "entailment"
    return "contradiction" if {"deep", "shallow"} <= said | asked and not {"deep", "shallow"} <= said else "neutral"


@pytest.fixture(scope="module")
def scripted() -> Iterator[CitationVerifier]:
    with CitationVerifier(models=scripted_models(judge)) as made:
        yield made


sources = st.lists(st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=3).map(" ".join), min_size=1, max_size=5)
answers = st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=4, unique=True).map(" ".join)
relaxed = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def verdicts(case: CaseResult) -> list[tuple[str, str | None, float]]:
    return [(claim.assessment.value, claim.reason, round(claim.confidence, 4)) for claim in case.claims]


def named(case: CaseResult, ids: list[str]) -> list[tuple[frozenset[str], frozenset[str]]]:
    return [
        (frozenset(claim.supporting_sources) & set(ids), frozenset(claim.contradicting_sources) & set(ids))
        for claim in case.claims
    ]


@relaxed
@given(answer=answers, texts=sources, order=st.randoms(use_true_random=False), conflicts=st.booleans())
def test_the_order_of_the_sources_changes_nothing(scripted, answer, texts, order, conflicts):
    ids = [{"id": f"s{number}"} for number in range(len(texts))]
    shuffled = list(zip(texts, ids, strict=True))
    order.shuffle(shuffled)
    one = scripted.verify_case(answer, texts, ids, detect_conflicts=conflicts)
    other = scripted.verify_case(
        answer, [text for text, _ in shuffled], [each for _, each in shuffled], detect_conflicts=conflicts
    )
    assert verdicts(one) == verdicts(other)
    assert named(one, [each["id"] for each in ids]) == named(other, [each["id"] for each in ids])


@relaxed
@given(answer=answers, texts=sources)
def test_a_copy_of_a_source_changes_no_verdict_and_is_named(scripted, answer, texts):
    one = scripted.verify_case(answer, texts)
    copied = scripted.verify_case(answer, [*texts, texts[0]])
    assert verdicts(one) == verdicts(copied)
    for claim in copied.claims:
        first, copy = "source_0", f"source_{len(texts)}"
        assert (first in claim.supporting_sources) == (copy in claim.supporting_sources)


@relaxed
@given(texts=sources, parts=st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=4, unique=True))
def test_a_claim_is_judged_the_same_alone_and_in_company(scripted, texts, parts):
    together = scripted.verify_case(" ".join(parts), texts)
    alone = [scripted.verify_case(part, texts).claims[0] for part in parts]
    assert [claim.assessment for claim in together.claims] == [claim.assessment for claim in alone]
    assert [claim.supporting_sources for claim in together.claims] == [claim.supporting_sources for claim in alone]


markdown = st.lists(
    st.sampled_from(
        [
            *SENTENCES,
            "\n",
            "\n\n",
            "- ",
            "1. ",
            "# ",
            "> ",
            "**",
            "`x`",
            "[1]",
            "| a | b |\n|---|---|\n| c | d |\n",
            " ",
            "😀",
        ]
    ),
    max_size=12,
).map("".join)


@relaxed
@given(answer=st.one_of(markdown, st.text(max_size=200)))
def test_claims_and_skipped_spans_rebuild_the_answer(scripted, answer):
    segmentation = plain_statements(split_claims(answer))
    spans = sorted([*segmentation.claims, *segmentation.skipped], key=lambda span: span.start)
    assert "".join(answer[span.start : span.end] for span in spans) == answer
    case = scripted.verify_case(answer, SENTENCES[:3])
    assert len(case.claims) == len(segmentation.claims)
    for claim in case.claims:
        assert answer[claim.char_start : claim.char_end] == claim.claim_text


@relaxed
@given(answer=st.one_of(markdown, st.text(max_size=200)), texts=st.lists(st.text(max_size=80), max_size=3))
def test_every_text_gives_a_result_that_survives_json(scripted, answer, texts):
    case = scripted.verify_case(answer, texts, check_citations=True, detect_conflicts=True)
    assert case.error_message is None
    assert CaseResult.model_validate(json.loads(json.dumps(case.model_dump(mode="json"), allow_nan=False))) == case


@relaxed
@given(answer=answers)
def test_nothing_passes_without_evidence(scripted, answer):
    for texts in ([], [""], ["  ", "\n"], [None]):
        assert not scripted.verify_case(answer, texts).passed

"""What holds for every text: offsets, tiling, no exceptions, the same answer twice."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from longtracer.engine.text.claims import Segmentation, SkipReason, split_claims
from longtracer.engine.text.language import foreign_language
from longtracer.engine.text.legacy import has_unsourced_phrase
from longtracer.engine.text.refusals import is_refusal
from longtracer.engine.text.sentences import sentence_spans
from longtracer.engine.text.sources import split_source

_FRAGMENTS = st.sampled_from(
    [
        *(
            "Pro costs $25.",
            "It is red",
            "é",
            "e\u0301",
            "Hello!",
            "I don't know.",
            "but Pro is free",
            "Here is the answer: ",
        ),
        *(" ", "\n", "\r\n", "\r", "\n\n", "\t", "    ", "\x0b", "\x1c", "\u2028", "\u200b", "\ufeff", "\0", "\ud800"),
        *("- ", "* ", "1. ", "2) ", "> ", "# ", "```", "```py\n", "---", "===", "|", "|---|---|", "| a | b |"),
        *(
            "**",
            "*",
            "_",
            "~~",
            "`",
            "[",
            "](",
            ")",
            "](http://a.b)",
            "<b>",
            "</b>",
            "<br>",
            "<!--",
            "-->",
            "<DECIMAL>",
        ),
        *("[1]", "[^2]", "【4†source】", "https://a.b/c.d?e=f.", "&amp;", "\\", "“", "”", '"', "'", "(", ":"),
        *("Dr. ", "et al. [2019] ", "e.g. ", "3.5", "...", "…", "?", "!", "东京。", "ไทย", "😀", "👨‍👩‍👧"),
        *(
            "<think>",
            "</think>",
            "✅ ",
            "✗ ",
            "[x] ",
            "{1}",
            "[a.pdf]",
            "<sup>1</sup>",
            "What is it? ",
            "$5. ",
            "(Source: a)",
        ),
        *("The documents do not mention it.", "Sources:\n", "The plan includes:\n", "| x |\n"),
    ]
)
texts = st.one_of(st.text(), st.lists(_FRAGMENTS, max_size=25).map("".join))
questions = st.one_of(st.none(), st.text(max_size=40), st.sampled_from(["Who?", "Is it red?", "What is the fee?"]))


def tiles(segmentation: Segmentation, text: str) -> bool:
    """Whether claims and skipped spans follow each other without a gap or an overlap."""
    spans = sorted((part.start, part.end) for part in (*segmentation.claims, *segmentation.skipped))
    ends = [end for _, end in spans]
    return [start for start, _ in spans] == [0, *ends][: len(spans)] and (ends[-1] if ends else 0) == len(text)


@settings(max_examples=400, deadline=None)
@given(texts, questions)
@example("\u2028\r东京。~~| a | b |\nIt is red", None)
@example("\u00a0\nIt is red\n\u00a0\nIt is blue", None)
@example("It is <b\nclass=x>red</b> and\nIt is blue", None)
def test_claims_and_skipped_spans_tile_the_response(text: str, question: str | None) -> None:
    assert tiles(split_claims(text, question=question), text)


@settings(max_examples=300, deadline=None)
@given(texts)
def test_every_claim_is_the_text_at_its_offsets(text: str) -> None:
    assert all(text[claim.start : claim.end] == claim.text != "" for claim in split_claims(text).claims)


@settings(max_examples=200, deadline=None)
@given(texts)
@example("It is red (Sources:\n2) and\nIt is blue")
@example("0(Source 0)")
@example("It is red.(Source 1)It is blue.")
def test_every_citation_lies_in_its_claim_at_its_offsets(text: str) -> None:
    found = [(claim, citation) for claim in split_claims(text).claims for citation in claim.citations]
    assert all(text[citation.start : citation.end] == citation.text for _, citation in found)
    assert all(claim.start <= citation.start < citation.end <= claim.end for claim, citation in found)


@settings(max_examples=200, deadline=None)
@given(texts)
def test_model_text_is_never_blank_and_can_be_encoded(text: str) -> None:
    assert all(claim.model_text.strip().encode("utf-8") for claim in split_claims(text).claims)


@settings(max_examples=200, deadline=None)
@given(texts)
def test_no_word_is_skipped_as_white_space_or_markup(text: str) -> None:
    silent = (SkipReason.WHITESPACE, SkipReason.PUNCTUATION)
    skipped = [text[span.start : span.end] for span in split_claims(text).skipped if span.reason in silent]
    assert not any(character.isalnum() for span in skipped for character in span)


@settings(max_examples=100, deadline=None)
@given(texts, questions)
def test_splitting_twice_gives_the_same_claims(text: str, question: str | None) -> None:
    assert split_claims(text, question=question) == split_claims(text, question=question)


@settings(max_examples=100, deadline=None)
@given(texts, st.integers(0, 5))
def test_max_claims_keeps_the_first_claims_and_still_tiles(text: str, limit: int) -> None:
    limited, full = split_claims(text, max_claims=limit), split_claims(text)
    assert limited.claims == full.claims[:limit]
    assert tiles(limited, text)


@settings(max_examples=300, deadline=None)
@given(texts)
def test_every_passage_is_the_source_at_its_offsets_in_order(text: str) -> None:
    passages = split_source(text)
    assert all(text[passage.start : passage.end] == passage.text != "" for passage in passages)
    assert all(one.end <= two.start for one, two in pairwise(passages))


@settings(max_examples=200, deadline=None)
@given(texts)
def test_sentence_spans_leave_out_only_white_space(text: str) -> None:
    inside = "".join(text[start:end] for start, end in sentence_spans(text))
    assert "".join(inside.split()) == "".join(text.split())


@pytest.mark.parametrize("judge", [is_refusal, has_unsourced_phrase])
@settings(max_examples=100, deadline=None)
@given(text=texts)
def test_a_judgement_is_a_bool(judge: object, text: str) -> None:
    assert judge(text) in (True, False)  # type: ignore[operator]


@settings(max_examples=100, deadline=None)
@given(texts)
def test_a_language_is_a_code_or_none(text: str) -> None:
    found = foreign_language(text, frozenset({"en"}))
    assert found is None or found != ""

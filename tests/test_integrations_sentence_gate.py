"""Cutting a growing answer into segments that later text cannot change."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longtracer_integrations.sentence_gate import Segment, SentenceGate
from tests.growth import grows_linearly

TEXTS = [
    "The fee is 3.5 euros. Call us.",
    "Dr. Smith met John F. Kennedy in the U.S. Army base. The U.S. economy grew. See Fig. 3 for details. Done.",
    "Smith et al. [2004] found it. Paris is in France.[1] Oslo is in Norway. [2] It is cold.",
    "Plans:\n- Basic costs $10\n- Pro costs $20\n\nCall us. Or mail.",
    "Specs:\n\n1. Diameter is 38 mm.\n2. Weight is 26 g. It is light.\n",
    "The plan includes:\n- 5 users\n- Pro:\n  - 50 users\n  - 20 TB\n- Support\nThe end.",
    "Prices:\n\n| Plan | Price |\n|---|---|\n| Pro | $25 |\n| Max | $50 |\n\nDone. Really.",
    "## Refunds\nRefunds take 5 days. Or 6.\n```python\nx = 1. \n\ny = 2\n```\nAfter. It works.",
    'He said "It is red. It is blue." Then he left. She said “no. yes.” End.',
    "东京是日本的首都。人口是一百万。「はい。」と言った。",
    "**Fee is 5. Or 6.** Next one. (It is red. It is blue.) Fine. The end!! Really? Yes... No.",
    "The tower was\nfinished in 1889. It is\ntall.\n\n\nNew part.\r\nLine two. More.\r\n",
    "Sales rose -- a record. Costs fell 3%. Staff doubled. Version 1.2.3. is out.",
    "  \n\n Hello there. ",
    "😀 Fee is 5. Cap is 9.",
    "",
]


def cut(text: str, sizes: list[int]) -> list[Segment]:
    """Feed `text` in pieces of these sizes, over and over."""
    gate, found, at, turn = SentenceGate(), [], 0, 0
    while at < len(text):
        size = sizes[turn % len(sizes)]
        found.extend(gate.feed(text[at : at + size]))
        at, turn = at + size, turn + 1
    return [*found, *gate.flush()]


def texts(segments: list[Segment]) -> list[str]:
    return [segment.text for segment in segments]


def test_u66_a_decimal_that_arrives_in_pieces_is_no_sentence_end() -> None:
    gate = SentenceGate()
    found = [segment.text for chunk in ("The fee is 3", ".", "5 euros. Call", " us.") for segment in gate.feed(chunk)]
    assert [*found, *texts(gate.flush())] == ["The fee is 3.5 euros. ", "Call us."]


@pytest.mark.parametrize("text", TEXTS)
def test_segments_are_the_text_to_the_character(text: str) -> None:
    segments = cut(text, [1])
    assert "".join(texts(segments)) == text
    assert all(text[segment.start : segment.end] == segment.text for segment in segments)


@pytest.mark.parametrize("text", TEXTS)
def test_segments_do_not_depend_on_the_pieces_in_which_text_arrives(text: str) -> None:
    whole = cut(text, [max(1, len(text))])
    chances = random.Random(7)
    for _ in range(20):
        assert cut(text, [chances.randint(1, 9) for _ in range(5)]) == whole


@settings(max_examples=60, deadline=None)
@given(st.text(st.sampled_from('ab .!?\n-|*`"()[]1€:#'), max_size=60), st.lists(st.integers(1, 7), min_size=1))
def test_any_text_comes_out_unchanged(text: str, sizes: list[int]) -> None:
    assert "".join(texts(cut(text, sizes))) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (TEXTS[1], ["Dr. Smith met John F. Kennedy in the U.S. Army base. ", "The U.S. economy grew. "]),
        (TEXTS[2], ["Smith et al. [2004] found it. ", "Paris is in France.[1] ", "Oslo is in Norway. [2] "]),
        (TEXTS[3], ["Plans:\n- Basic costs $10\n", "- Pro costs $20\n\n", "Call us. "]),
        (TEXTS[4], ["Specs:\n\n1. Diameter is 38 mm.\n"]),
        (TEXTS[6], ["Prices:\n\n", "| Plan | Price |\n|---|---|\n| Pro | $25 |\n", "| Max | $50 |\n"]),
        (
            TEXTS[7],
            ["## Refunds\n", "Refunds take 5 days. ", "Or 6.\n", "```python\nx = 1. \n\ny = 2\n```\n", "After. "],
        ),
        (TEXTS[8], ['He said "It is red. It is blue." ']),
        (TEXTS[9], ["东京是日本的首都。", "人口是一百万。"]),
        (TEXTS[11], ["The tower was\nfinished in 1889. ", "It is\ntall.\n\n"]),
    ],
)
def test_where_segments_end(text: str, expected: list[str]) -> None:
    assert texts(cut(text, [3]))[: len(expected)] == expected


@pytest.mark.parametrize(
    ("text", "contexts"),
    [
        (TEXTS[3], ["", "Plans:\n", "", ""]),
        (
            TEXTS[5],
            ["", "The plan includes:\n", "The plan includes:\n- Pro:\n", "The plan includes:\n"],
        ),
        (TEXTS[6], ["", "", "| Plan | Price |\n|---|---|\n", ""]),
    ],
)
def test_list_items_and_table_rows_carry_what_they_need_to_be_understood(text: str, contexts: list[str]) -> None:
    assert [segment.context for segment in cut(text, [4])] == contexts


def test_nothing_leaves_before_it_is_certain() -> None:
    gate = SentenceGate()
    assert gate.feed("It costs 5. ") == []
    assert texts(gate.feed("Then ")) == ["It costs 5. "]


@pytest.mark.parametrize(
    "words",
    [
        "word ",
        "The plan costs 25 dollars\n",
        "e.g. the plan, ",
        "It costs 5. ",
        "x = foo(1)\n",
        "- An item\n",
        "| a | b |\n",
    ],
)
@pytest.mark.parametrize("opening", ["", "```\n"])
@pytest.mark.parametrize("size", [4, 100_000])
def test_the_work_grows_with_the_text(opening: str, words: str, size: int) -> None:
    def feed(text: str) -> None:
        cut(opening + text, [size])

    assert grows_linearly(feed, words, 40_000)


def test_a_long_block_is_complete_without_a_last_look() -> None:
    code = "```\n" + "x = foo(1)\n" * 200 + "```\n"
    assert texts(cut(code + "It is red. It is blue.", [7])) == [code, "It is red. ", "It is blue."]


STRAYS = [
    'The screen is 5" wide. ',
    "See the note (below. ",
    "Use ` to quote. ",
    "It is 「old. ",
    "Well. [Note it is old. ",
]


@pytest.mark.parametrize("stray", STRAYS)
def test_a_stray_mark_does_not_hold_the_rest_of_its_paragraph(stray: str) -> None:
    text = stray + "The plan costs ten dollars a month. " * 100
    segments = texts(cut(text, [5]))
    assert max(map(len, segments)) < 700
    assert len(segments) > 50
    assert segments == texts(cut(text, [len(text)]))


@pytest.mark.parametrize("end", ["] It ends. Really.", " It never ends. Really."])
@pytest.mark.parametrize("opening", ["Paris is in France. [1", "Paris is in France. [see the very long note, "])
def test_a_citation_without_an_end_is_none(opening: str, end: str) -> None:
    text = opening + ", 2" * 200 + end
    segments = texts(cut(text, [1]))
    assert segments[0] == "Paris is in France. "
    assert segments == texts(cut(text, [len(text)]))


def test_what_is_quoted_over_some_sentences_stays_together() -> None:
    quoted = 'He said "' + "It is red. " * 40 + 'It is blue." '
    assert texts(cut(quoted + "Then he left. Done.", [5])) == [quoted, "Then he left. Done."]

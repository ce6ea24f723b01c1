"""Text made to hang a parser: the work on a long run of one pattern grows with its length, not with its square."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from longtracer.engine.text.claims import split_claims
from longtracer.engine.text.language import foreign_language
from longtracer.engine.text.legacy import has_unsourced_phrase
from longtracer.engine.text.refusals import is_refusal
from longtracer.engine.text.sources import split_source
from tests.growth import grows_linearly


def is_english(text: str) -> bool:
    """Whether no other language is recognised."""
    return foreign_language(text, frozenset({"en"})) is None


pytestmark = pytest.mark.usefixtures("light_heap")

PATTERNS = [
    *(
        "[",
        "]",
        "(",
        "![",
        "[a](",
        "](",
        "![[]()",
        "[1]",
        "[1,",
        "[111 ",
        "[^",
        "[^a]",
        "【4",
        "(Source 1) ",
        "[source ",
    ),
    *("|", "| a ", "| a\n", "|-|\n", "a|b\n-|-\n", "| a | b |\n|---|---|\n"),
    *("`", "`a", "``a`", "``` ", "```\n", "```\nx\n```\n", "```md\n", "~", "~~a"),
    *("*", "_", "**a ", "_a_", "*a_", "a**b", "* * ", "**a**\n", "***\n"),
    *(
        ".",
        "..",
        ". ",
        "…",
        "!",
        "? ",
        "! ",
        "a. ",
        "A. ",
        "v.",
        "It is red. ",
        "it is red? ",
        "Mr. ",
        "et al. ",
        "e.g. ",
    ),
    *("<", "<a>", '<a b="', "<!--", "<?", "<br>", "<p>x", "<div>\n", "</td>", "&", "&amp;", "\\", "\\["),
    *('"', "'", "“", "“a.", '"a. ', "«", ")", "(a. ", "(1) ", "1) a. ", "[a]: b\n", "[1]: http://a.b\n"),
    *(
        "1",
        "1 ",
        "1.",
        "1, ",
        "1. ",
        "1. a\n",
        "1. a\n2) b\n",
        "$1 ",
        "#1 ",
        "# a\n",
        "#",
        "a\n===\n",
        "a\n---\n",
        "=\n",
    ),
    *(
        "- ",
        "- a\n",
        "  - a\n",
        "- - ",
        "-\n",
        "-\n ",
        "+ a\n* b\n",
        "- a:\n  - b\n",
        "- **a**: b\n",
        "\n- ",
        "---\n",
        "-",
    ),
    *("> ", "> a\n", "\n> ", " >", ">", "\n", "\r\n", "\r", "\t", " ", "x\n\n", "a\n", "    a\n", "\u2028", "\x0b"),
    *(
        "\0",
        "\ufeff",
        "\u200b",
        "\ud800",
        "é",
        "东京。",
        "东",
        "ไทย",
        "😀",
        "😀. ",
        "x",
        "x ",
        "ab cd\n",
        ": ",
        ":",
        "a: ",
        "; ",
    ),
    *(
        "http://a.b ",
        "http://",
        "www.",
        "I ",
        "not ",
        "no, ",
        "sorry ",
        "I am sorry ",
        "the documents ",
        "to be honest, ",
    ),
    *(
        "I do not know, ",
        "based on the documents ",
        "according to the ",
        "as an ai ",
        "did you know ",
        "here is ",
        "the ",
    ),
    *(
        "“a",
        "« a. ",
        "It is red. “a",
        "4 g. ",
        "option A. ",
        "use C. ",
        "What is it? $5. ",
        "✅ a ",
        "[x] ",
        "<think>a",
    ),
    *("{1}", "[a.pdf", "(a.pdf, p. 3", "(Source: a", "(Source 1, ", "[1 and ", "<sup>1", "(sources [1] ", "# a is b\n"),
    *("<think>a</think>", "</think>", "I do not know (a "),
    *("let me know ", "if you ", ", but ", " – ", "a-", "a'", "a.b", "Sources:\n", "| a |\n", "a, b? "),
]
PHRASE_PATTERNS = [
    "not ",
    "I am sorry ",
    "sorry ",
    "I do not know, ",
    "the documents ",
    ", but ",
    "based on the documents ",
    "la ",
]


def test_a_square_law_is_noticed() -> None:
    assert not grows_linearly(lambda text: [text.count("[") for _ in text], "[", 100_000)


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("function", [split_claims, split_source])
def test_a_long_run_of_one_pattern_takes_linear_time(function: Callable[[str], object], pattern: str) -> None:
    assert grows_linearly(function, pattern)


@pytest.mark.parametrize("pattern", PHRASE_PATTERNS)
@pytest.mark.parametrize("function", [is_refusal, has_unsourced_phrase, is_english])
def test_a_long_run_of_one_phrase_takes_linear_time(function: Callable[[str], object], pattern: str) -> None:
    assert grows_linearly(function, pattern)


@pytest.mark.parametrize("pattern", ["what is ", "is it ", "a or b ", "x", "the plan "])
def test_a_question_of_any_length_is_no_hindrance(pattern: str) -> None:
    assert grows_linearly(lambda text: split_claims("Yes.", question=text + "?"), pattern)


@pytest.mark.parametrize(("start", "filling", "end"), [("..", "[111 ", "]"), ("v.", "1", ""), ('<a b="', "x", "")])
def test_the_reported_hangs_take_linear_time(start: str, filling: str, end: str) -> None:  # U7
    assert grows_linearly(split_claims, lambda length: start + filling * (length // len(filling)) + end, 20_000)


@pytest.mark.parametrize("marker", ["> ", "- ", "1. ", "  "])
def test_a_claim_nested_too_deep_for_the_parser_is_still_judged(marker: str) -> None:
    claims = split_claims(marker * 200 + "The fee is 5 euros.").claims
    assert [claim.text for claim in claims] == ["The fee is 5 euros."]


def test_a_claim_after_hostile_text_is_still_judged() -> None:
    claims = split_claims("[" * 50_000 + "\n\nThe fee is 5 euros.").claims
    assert "The fee is 5 euros." in [claim.text for claim in claims]

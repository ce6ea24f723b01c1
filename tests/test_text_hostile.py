"""Text made to hang a parser: 100 kB of one pattern is split in under a second of processor time."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from longtracer.engine.text.claims import split_claims
from longtracer.engine.text.language import foreign_language
from longtracer.engine.text.legacy import has_unsourced_phrase, is_meta_statement
from longtracer.engine.text.refusals import is_refusal
from longtracer.engine.text.sources import split_source


def is_english(text: str) -> bool:
    """Whether no other language is recognised."""
    return foreign_language(text, frozenset({"en"})) is None


pytestmark = pytest.mark.usefixtures("light_heap")

_SIZE = 100_000
_LIMIT_S = 1.0

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


def seconds(function: Callable[[str], object], text: str) -> float:
    """Processor time of one call, the best of three when it is long.

    The clock on the wall would also count other processes; those still slow this one down by its caches.
    """
    best = float("inf")
    for _ in range(3):
        start = time.thread_time()
        function(text)
        best = min(best, time.thread_time() - start)
        if best < _LIMIT_S / 2:
            break
    return best


def filled(pattern: str) -> str:
    """A hundred kilobytes of `pattern`."""
    return (pattern * (_SIZE // len(pattern) + 1))[:_SIZE]


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("function", [split_claims, split_source])
def test_a_hundred_kilobytes_of_one_pattern_are_split_in_a_second(
    function: Callable[[str], object], pattern: str
) -> None:
    assert seconds(function, filled(pattern)) < _LIMIT_S


@pytest.mark.parametrize("pattern", PHRASE_PATTERNS)
@pytest.mark.parametrize("function", [is_refusal, has_unsourced_phrase, is_meta_statement, is_english])
def test_a_hundred_kilobytes_of_one_phrase_are_judged_in_a_second(
    function: Callable[[str], object], pattern: str
) -> None:
    assert seconds(function, filled(pattern)) < _LIMIT_S


@pytest.mark.parametrize("pattern", ["what is ", "is it ", "a or b ", "x", "the plan "])
def test_a_question_of_a_hundred_kilobytes_is_no_hindrance(pattern: str) -> None:
    assert seconds(lambda text: split_claims("Yes.", question=text + "?"), filled(pattern)) < _LIMIT_S


@pytest.mark.parametrize("text", [".." + "[111 " * 200 + "]", "v." + "1" * 20_000, '<a b="' + "x" * 20_000])
def test_the_reported_hangs_are_split(text: str) -> None:  # U7
    assert seconds(split_claims, text) < 0.1


@pytest.mark.parametrize("marker", ["> ", "- ", "1. ", "  "])
def test_a_claim_nested_too_deep_for_the_parser_is_still_judged(marker: str) -> None:
    claims = split_claims(marker * 200 + "The fee is 5 euros.").claims
    assert [claim.text for claim in claims] == ["The fee is 5 euros."]


def test_a_claim_after_hostile_text_is_still_judged() -> None:
    claims = split_claims("[" * 50_000 + "\n\nThe fee is 5 euros.").claims
    assert "The fee is 5 euros." in [claim.text for claim in claims]

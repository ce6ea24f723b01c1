"""Which quotation marks quote, and whether a source has the words."""

from __future__ import annotations

import pytest

from longtracer.engine.facts import find_quotations, quotation_in


def texts(claim: str) -> list[str]:
    return [quotation.text for quotation in find_quotations(claim)]


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ('The memo says "growth will double".', ["growth will double"]),
        ("The memo says “growth will double”.", ["growth will double"]),
        ("The memo says 'growth will double'.", ["growth will double"]),
        ("The memo says «growth will double».", ["growth will double"]),
        ('"We will not raise prices", the firm said.', ["We will not raise prices"]),
        ('He called it "a very big deal" twice.', ["a very big deal"]),
        ('The report states "double" for growth.', ["double"]),
        ('It says "up by half" and "down by a third".', ["up by half", "down by a third"]),
        ("She said “it’s a ‘good’ thing to have”.", ["it’s a ‘good’ thing to have"]),
    ],
)
def test_quotation(claim: str, expected: list[str]) -> None:
    assert texts(claim) == expected


@pytest.mark.parametrize(
    "claim",
    [
        'The "expert" left early.',
        'It was a "soft opening" for friends.',
        'His show "The Joy of Painting" ran for years.',
        "He is 5'11\" tall and she is 5'6\" tall.",
        "The dogs' bowl and the cats' bed are new.",
        "It's the firm's plan that isn't ready.",
        'The memo says "growth will double.',
        'Empty "" marks.',
        "",
    ],
)
def test_scare_quotes_titles_and_apostrophes_are_no_quotations(claim: str) -> None:
    assert texts(claim) == []


def test_offsets_count_code_points() -> None:
    claim = '😀 The memo says "growth will double".'
    (quotation,) = find_quotations(claim)
    assert claim[quotation.start : quotation.end] == "growth will double"


MEMO = "Staff notes. We expect that growth\nwill double, and “prices” won’t rise, by next year."


@pytest.mark.parametrize(
    "quotation",
    [
        "growth will double",
        "Growth  will\ndouble,",
        "“growth will double”",
        "We expect ... prices won't rise",
        "We expect … by next year",
        "[w]e expect that growth will double",
        "we [the board] expect that growth will double",
    ],
)
def test_quotation_stands_in_the_source(quotation: str) -> None:
    assert quotation_in(quotation, ["Other text.", MEMO]) == 1


@pytest.mark.parametrize(
    "quotation",
    [
        "growth will triple",
        "growth will doub",
        "will growth double",
        "by next year ... growth will double",
        "[w]e expected that growth will double",
        "...",
        "",
    ],
)
def test_quotation_stands_in_no_source(quotation: str) -> None:
    assert quotation_in(quotation, ["Other text.", MEMO]) is None


def test_quotation_is_not_put_together_from_two_sources() -> None:
    assert quotation_in("other text ... growth will double", ["Other text.", MEMO]) is None


def test_first_source_that_has_it_is_named() -> None:
    assert quotation_in("growth will double", [MEMO, MEMO]) == 0

"""A sentence with its values in other places: each misplaced value has a twin that is one token away and agrees."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longtracer.engine.facts.misplaced import misplaced
from tests.growth import grows_linearly

pytestmark = pytest.mark.usefixtures("light_heap")

REVENUE = "Revenue was $5 million in 2019 and $6 million in 2020."
PLANS = "The Basic plan costs $10 and the Pro plan costs $25."

# misplaced, in place, sentence
TWINS = [
    ("Revenue was $6 million in 2019 and $5 million in 2020.", "Revenue was $5m in 2019 and $6m in 2020.", REVENUE),
    (
        "Revenue was $5 million in 2020 and $6 million in 2019.",
        "Revenue was $6 million in 2020 and $5 million in 2019.",
        REVENUE,
    ),
    (
        "The Basic plan costs $25 and the Pro plan costs $10.",
        "The Basic plan costs $10 and the Pro plan costs $25.",
        PLANS,
    ),
    (
        "The Basic plan costs $10 and the Pro plan costs $10.",
        "The Basic plan costs 10 dollars and the Pro plan costs $25.",
        PLANS,
    ),
    ("It rose from 5% to 8%.", "It rose from eight percent to 5%.", "It rose from 8% to 5%."),
    (
        "It rose from about 8% to about 5%.",
        "It rose from about 5% to about 8%.",
        "It rose from about 5.2% to about 8.1%.",
    ),
    ("It fell from 500 m to 1 km.", "It fell from 1 km to 500 m.", "It fell from 1000 m to 0.5 km."),
    ("2019: $6 million, 2020: $5 million", "2020: $6 million, 2019: $5 million", "2019: $5 million, 2020: $6 million"),
    (
        "It was $6m in 2019 and it was $5m in 2020.",
        "It was $6m in 2020 and it was $5m in 2019.",
        "It was $5m in 2019 and it was $6m in 2020.",
    ),
    (
        "In 2020 it sold 8 cars in May and 5 in June.",
        "In 2020 it sold 8 cars in June and 5 in May.",
        "In 2020 it sold 5 cars in May and 8 in June.",
    ),
    (
        "Anna and Bo got 6 and 5 points, respectively.",
        "Anna and Bo got 5 and 6 points, respectively.",
        "Anna and Bo got 5 and 6 points, respectively.",
    ),
    ("It has one door and two windows.", "It has two doors and one window.", "It has 2 doors and one window."),
    (
        "It opens at 5 p.m. and closes at 9 a.m.",
        "It opens at 9:00 and closes at 17:00.",
        "It opens at 9 a.m. and closes at 5 p.m.",
    ),
    ("He finished third in the race.", "He finished 2nd in the race.", "He finished second in the race."),
    ("It is the third-largest city.", "It is the second-largest city.", "It is the second-largest city."),
    ("It was the 2nd edition.", "It was the third edition.", "It was the 3rd edition."),
    ("Take it once daily.", "Take it two times daily.", "Take it twice daily."),
    ("Take it twice daily.", "Take it 3 times daily.", "Take it three times daily."),
    ("Take it at most once daily.", "Take it at most three times daily.", "Take it at most twice daily."),
    ("Take it at least three times daily.", "Take it at least once daily.", "Take it at least twice daily."),
    ("He flew a Boeing 777 to Oslo.", "He flew a Boeing 747 to Oslo.", "He flew a Boeing 747 to Oslo."),
    ("It needs Python 3.12.1 or newer.", "It needs Python 3.11 or newer.", "It needs Python 3.11.2 or newer."),
    ("The game ended 3-1.", "The game ended 1-3.", "The game ended 1–3."),
]


@pytest.mark.parametrize(("claim", "_", "sentence"), TWINS)
def test_value_in_another_place(claim: str, _: str, sentence: str) -> None:
    assert misplaced(claim, sentence) is not None


@pytest.mark.parametrize(("_", "claim", "sentence"), TWINS)
def test_value_in_its_place(_: str, claim: str, sentence: str) -> None:
    assert misplaced(claim, sentence) is None


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("Scores were 90% and 85%.", "Scores were 85% and 90%."),
        ("It won in 2020 and in 2019.", "It won in 2019 and in 2020."),
        ("The room is 20 by 10 feet.", "The room is 10 by 20 feet."),
        ("Arsenal lost 3-1.", "Arsenal lost 1-3."),
        ("3.1 miles is about 5 km.", "5 km is about 3.1 miles."),
    ],
)
def test_order_that_says_nothing(claim: str, sentence: str) -> None:
    assert misplaced(claim, sentence) is None


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("The second edition is red.", "The third edition is red."),
        ("Section 4 covers refunds.", "Section 3 covers refunds."),
        ("In 2020 he scored 12 goals.", "In 2019 he scored 10 goals."),
        ("First, add 5 eggs.", "Third, add 5 eggs."),
        ("Paris is in France [2].", "Paris is in France [1]."),
        ("He did not finish third.", "He did not finish second."),
        ("Did it rise from 5% to 8%?", "Did it rise from 8% to 5%?"),
        ("It fell from 5% to 8%.", "It rose from 8% to 5%."),
    ],
)
def test_another_thing_or_another_sentence_is_left_to_the_model(claim: str, sentence: str) -> None:
    assert misplaced(claim, sentence) is None


def test_both_values_are_named() -> None:
    found = misplaced("It rose from 5% to 8%.", "It rose from 8% to 5%.")
    assert found is not None
    assert [quantity.text for quantity in found] == ["5%", "8%"]


_PIECES = st.sampled_from(
    [
        *("1", "5", "12", "1999", "3-1", "1-3", "$5", "%", " km", "second", "2nd", "once", "v1.2", "[1]"),
        *("and", "to", "in", "not", ","),
    ]
)


@given(st.lists(_PIECES, max_size=20).map(" ".join) | st.text(max_size=60))
def test_no_text_misplaces_its_own_values(text: str) -> None:
    assert misplaced(text, text) is None


@pytest.mark.parametrize("pattern", ["1 ", "once ", "second ", "1 and ", "+", "a+", "A- "])
def test_hostile_text_takes_linear_time(pattern: str) -> None:
    assert grows_linearly(lambda text: misplaced(text[:400], text), pattern, 50_000)

"""What is found in a text: values, units, dates, modifiers, and numbers that are no quantities."""

from __future__ import annotations

from decimal import Decimal

import pytest

from longtracer.engine.facts import Kind, PartialDate, Quantity, Role, find_quantities


def only(text: str) -> Quantity:
    (quantity,) = find_quantities(text)
    return quantity


def values(text: str) -> list[Decimal]:
    return [quantity.low for quantity in find_quantities(text)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,000", "1000"),
        ("1 000", "1000"),
        ("1\u202f000", "1000"),
        ("1_000", "1000"),
        ("1'000", "1000"),
        ("1.000,50", "1000.5"),
        ("1.234.567", "1234567"),
        ("12,34,567", "1234567"),
        ("50, 000", "50000"),
        ("4.998", "4.998"),
        ("4,998", "4998"),
        ("0,5", "0.5"),
        (".5", "0.5"),
        ("3½", "3.5"),
        ("3 1/2", "3.5"),
        ("5 million", "5000000"),
        ("1.5 billion", "1500000000"),
        ("5k", "5000"),
        ("5M", "5000000"),
        ("3 lakh", "300000"),
        ("2 crore", "20000000"),
        ("2 dozen", "24"),
    ],
)
def test_number_in_digits(text: str, value: str) -> None:
    assert only(text).low == Decimal(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("twelve", "12"),
        ("twenty-five", "25"),
        ("thirty - four", "34"),
        ("a dozen", "12"),
        ("half a dozen", "6"),
        ("two dozen", "24"),
        ("a hundred and five", "105"),
        ("two hundred and thirty-four", "234"),
        ("three hundred thousand", "300000"),
        ("one and a half million", "1500000"),
        ("half a million", "500000"),
        ("three quarters of a million", "750000"),
        ("one million two hundred thousand", "1200000"),
    ],
)
def test_number_in_words(text: str, value: str) -> None:
    assert only(text).low == Decimal(value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("two and three", [2, 3]), ("six, seven", [6, 7]), ("twenty thirty", [20, 30])],
)
def test_words_that_make_two_numbers(text: str, expected: list[int]) -> None:
    assert values(text) == expected


@pytest.mark.parametrize("text", ["several hundred people", "hundreds of people", "a million-dollar smile of hundreds"])
def test_vague_words_are_no_exact_number(text: str) -> None:
    assert Decimal(100) not in values(text)


@pytest.mark.parametrize(
    ("text", "kind", "value", "unit"),
    [
        ("85%", Kind.PERCENT, "85", "percent"),
        ("85 per cent", Kind.PERCENT, "85", "percent"),
        ("eighty percent", Kind.PERCENT, "80", "percent"),
        ("5 percentage points", Kind.PERCENT, "5", "percentage_point"),
        ("25 basis points", Kind.PERCENT, "0.25", "percentage_point"),
        ("half of them", Kind.PERCENT, "50", "share"),
        ("$25", Kind.MONEY, "25", "$"),
        ("C$25", Kind.MONEY, "25", "CAD"),
        ("500 kr", Kind.MONEY, "500", "kr"),
        ("500kr", Kind.MONEY, "500", "kr"),
        ("500 Swedish kronor", Kind.MONEY, "500", "SEK"),
        ("25 dollars", Kind.MONEY, "25", "$"),
        ("£1.6m", Kind.MONEY, "1600000", "GBP"),
        ("$65K", Kind.MONEY, "65000", "$"),
        ("US$3.2bn", Kind.MONEY, "3200000000", "USD"),
        ("5 million euros", Kind.MONEY, "5000000", "EUR"),
        ("EUR 5", Kind.MONEY, "5", "EUR"),
        ("€72.090.405,19", Kind.MONEY, "72090405.19", "EUR"),
        ("99 cents", Kind.MONEY, "0.99", "$"),
        ("4.998 TB", Kind.MEASURE, "4.998", "terabyte"),
        ("12-inch", Kind.MEASURE, "12", "inch"),
        ("-5 °C", Kind.MEASURE, "-5", "degree_Celsius"),
        ("70 miles per hour", Kind.MEASURE, "70", "mile/hour"),
        ("9.8 km²", Kind.MEASURE, "9.8", "kilometer**2"),
        ("35 minutes", Kind.DURATION, "35", "minute"),
        ("half an hour", Kind.DURATION, "0.5", "hour"),
        ("a year and a half", Kind.DURATION, "1.5", "year"),
        ("44-year-old", Kind.DURATION, "44", "year"),
        ("aged 44", Kind.DURATION, "44", "year"),
        ("2 hours 30 minutes", Kind.DURATION, "2.5", "hour"),
        ("9:30 a.m.", Kind.TIME, "570", "clock24"),
        ("four p.m.", Kind.TIME, "960", "clock24"),
        ("It opens at 9.", Kind.TIME, "540", "clock12"),
        ("half past seven", Kind.TIME, "450", "clock12"),
        ("a quarter to 8 p.m.", Kind.TIME, "1185", "clock24"),
        ("ten past nine", Kind.TIME, "550", "clock12"),
        ("20 minutes to 5", Kind.TIME, "280", "clock12"),
        ("2h 30m", Kind.DURATION, "150", "minute"),
        ("2h30m", Kind.DURATION, "150", "minute"),
        ("5m 20s", Kind.DURATION, "320", "second"),
        ("5m users", Kind.CARDINAL, "5000000", None),
        ("three bars", Kind.CARDINAL, "3", None),
    ],
)
def test_kind_value_and_unit(text: str, kind: Kind, value: str, unit: str | None) -> None:
    found = only(text)
    assert (found.kind, found.low, found.unit) == (kind, Decimal(value), unit)


def test_compound_length_is_one_quantity() -> None:
    found = only("5 feet 11 inches")
    assert found.unit == "foot"
    assert float(found.low) == pytest.approx(5 + 11 / 12)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("80-90%", 80, 90),
        ("80% to 90%", 80, 90),
        ("between 80 and 90 percent", 80, 90),
        ("5 to 7 km", 5, 7),
        ("$5-10 million", 5_000_000, 10_000_000),
        ("forty to fifty foot", 40, 50),
        ("1999–2003", 1999, 2003),
        ("1994-95", 1994, 1995),
        ("the 1990s", 1990, 1999),
        ("the late 1980s", 1985, 1989),
        ("the 80s", 1980, 1989),
        ("the 19th century", 1800, 1900),
        ("in his 30s", 30, 39),
    ],
)
def test_range(text: str, low: int, high: int) -> None:
    found = only(text)
    assert (found.low, found.high) == (low, high)


@pytest.mark.parametrize(
    ("text", "sort"),
    [
        ("5 business days", "business"),
        ("5 working days", "business"),
        ("3-5 working days", "business"),
        ("10 sick days", "sick"),
        ("5 days", None),
    ],
)
def test_sort_of_days(text: str, sort: str | None) -> None:
    assert only(text).sort == sort


@pytest.mark.parametrize("text", ["won 3-1", "lost 1-3"])
def test_result_of_a_game_is_one_pair(text: str) -> None:
    found = only(text)
    assert (found.low, found.high) == (1, 3)


@pytest.mark.parametrize("text", ["ten to twelve", "10 minutes to 2 hours", "in 5 past 9 games"])
def test_numbers_around_to_and_past_are_no_time(text: str) -> None:
    assert all(quantity.kind is not Kind.TIME for quantity in find_quantities(text))


@pytest.mark.parametrize("text", ["rose from 5 to 7", "7 to 3 kg"])
def test_changes_are_two_values(text: str) -> None:
    assert len(find_quantities(text)) == 2


@pytest.mark.parametrize(
    ("text", "year", "month", "day"),
    [
        ("3 May 1999", 1999, 5, 3),
        ("3rd of May, 1999", 1999, 5, 3),
        ("May 3, 1999", 1999, 5, 3),
        ("1999-05-03", 1999, 5, 3),
        ("25/12/1999", 1999, 12, 25),
        ("12/25/1999", 1999, 12, 25),
        ("15 Jan 1967", 1967, 1, 15),
        ("May 1999", 1999, 5, None),
        ("May 3", None, 5, 3),
        ("in July", None, 7, None),
    ],
)
def test_date(text: str, year: int | None, month: int | None, day: int | None) -> None:
    assert only(text).date == PartialDate(year=year, month=month, day=day)


def test_numeric_date_with_both_orders_has_two_readings() -> None:
    date = only("03/05/1999").date
    assert date is not None
    assert {(reading.month, reading.day) for reading in date.readings()} == {(5, 3), (3, 5)}


@pytest.mark.parametrize(
    ("text", "year"), [("in 1889", 1889), ("44 BC", -44), ("AD 79", 79), ("the 2019 protests", 2019)]
)
def test_year(text: str, year: int) -> None:
    found = only(text)
    assert (found.kind, found.low) == (Kind.YEAR, year)


@pytest.mark.parametrize("text", ["1999 people came", "It costs 1999 euros"])
def test_four_digits_before_a_counted_thing_are_no_year(text: str) -> None:
    assert only(text).kind is not Kind.YEAR


@pytest.mark.parametrize("text", ["It may 3 times fail", "the remaining two may go"])
def test_the_verb_may_is_no_month(text: str) -> None:
    assert all(quantity.date is None for quantity in find_quantities(text))


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("at least 10 users", Role.AT_LEAST),
        ("500+ stores", Role.AT_LEAST),
        ("18 or older", Role.AT_LEAST),
        ("more than 10 users", Role.MORE_THAN),
        ("over 10 users", Role.MORE_THAN),
        ("up to 3 kg", Role.AT_MOST),
        ("no more than 3 kg", Role.AT_MOST),
        ("not under 70 kg", Role.AT_LEAST),
        ("fewer than 3 users", Role.LESS_THAN),
        ("after 9 p.m.", Role.MORE_THAN),
        ("before 1990", Role.LESS_THAN),
        ("10 users", Role.VALUE),
        ("after 5 years", Role.VALUE),
    ],
)
def test_role(text: str, role: Role) -> None:
    assert only(text).role is role


@pytest.mark.parametrize(
    ("text", "approximate"), [("about 5 km", True), ("nearly 20%", True), ("~5", True), ("5 km", False)]
)
def test_approximate(text: str, approximate: bool) -> None:
    assert only(text).approximate is approximate


@pytest.mark.parametrize(
    "text",
    [
        "COVID-19",
        "Pre-covid-19",
        "SARS-CoV-2",
        "H1N1",
        "Boeing 747",
        "F-16",
        "Section 4.2",
        "section 4.2",
        "Figure 3",
        "page 12",
        "version 3.11.2",
        "v2.0.1",
        "ISO 8601",
        "[1]",
        "[1, 2]",
        "[^3]",
        "【4†source】",
        "555-1234",
        "+47 22 33 44 55",
        "(555) 555-0100",
        "9/11",
        "24/7",
        "#42",
        "the 5G network",
        "10.0.0.1",
        "https://example.org/2019/12",
        "mail4711@example.org",
        "Blade Runner 2049",
        "type 2 diabetes",
    ],
)
def test_identifier_never_fires(text: str) -> None:
    assert not any(quantity.fires for quantity in find_quantities(text))


@pytest.mark.parametrize("text", ["COVID 19 patients", "the 747 planes", "mid-1990s", "20 pages", "Because 97 passed"])
def test_number_near_a_name_is_still_a_number(text: str) -> None:
    assert any(quantity.fires for quantity in find_quantities(text))


@pytest.mark.parametrize(
    "text", ["1st place", "the third attempt", "22nd floor", "one of the best", "a day", "one dog"]
)
def test_ordinals_and_articles_never_fire(text: str) -> None:
    assert not any(quantity.fires for quantity in find_quantities(text))


def test_offsets_count_code_points() -> None:
    text = "😀 Fee is 5 euros."
    found = only(text)
    assert text[found.start : found.end] == found.text == "5 euros"


def test_more_digits_than_a_number_has_are_no_quantity() -> None:
    assert find_quantities("1" * 40) == ()


def test_reading_stops_after_the_limit() -> None:
    assert len(find_quantities("7 apples, " * 20, limit=5)) == 5

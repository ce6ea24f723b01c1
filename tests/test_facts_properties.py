"""What holds for any text: nothing raised, offsets rebuild the text, work grows with length, twins agree."""

from __future__ import annotations

import subprocess
import sys
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longtracer.engine.facts import (
    FactVerdict,
    Kind,
    compare_facts,
    entity_mismatch,
    find_quantities,
    find_quotations,
    negation_mismatch,
    quotation_in,
)
from longtracer.engine.facts.units import UNIT_PATTERN, convert, unit_of
from tests.growth import grows_linearly

pytestmark = pytest.mark.usefixtures("light_heap")

_PIECES = st.sampled_from(
    [
        *("1", "5", "12", "1999", "1,000", "½", "half", "a", "one", "million", "hundred"),
        *(".", ",", "-", "–", " ", "/", ":", "[", "]", "“", "”", '"', "'", chr(10)),
        *("%", "$", "€", "km", "m", "s", "pm", "May", "old"),
        *("to", "and", "between", "about", "in", "the", "not", "no", "Oslo"),
    ]
)
_TEXTS = (
    st.text(max_size=80) | st.lists(_PIECES, max_size=24).map("".join) | st.lists(_PIECES, max_size=24).map(" ".join)
)


@given(_TEXTS)
def test_quantities_lie_in_the_text_in_order(text: str) -> None:
    found = find_quantities(text)
    assert all(text[quantity.start : quantity.end] == quantity.text for quantity in found)
    assert [quantity.start for quantity in found] == sorted(quantity.start for quantity in found)


@given(_TEXTS)
def test_range_runs_upwards(text: str) -> None:
    assert all(quantity.low <= quantity.high for quantity in find_quantities(text))


@given(_TEXTS)
def test_text_agrees_with_itself(text: str) -> None:
    assert compare_facts(text, [text]).verdict in (FactVerdict.CONSISTENT, FactVerdict.NO_QUANTITIES)


@given(_TEXTS, _TEXTS)
def test_any_two_texts_can_be_compared(claim: str, evidence: str) -> None:
    assert len(compare_facts(claim, [evidence]).findings) == sum(quantity.fires for quantity in find_quantities(claim))


@given(_TEXTS)
def test_no_text_denies_or_renames_itself(text: str) -> None:
    assert not negation_mismatch(text, text)
    assert entity_mismatch(text, text) is None


@given(_TEXTS, _TEXTS)
def test_quotations_lie_in_the_text(text: str, source: str) -> None:
    for quotation in find_quotations(text):
        assert text[quotation.start : quotation.end] == quotation.text
        assert quotation_in(quotation.text, [source]) in (0, None)


@given(st.integers(min_value=13, max_value=10**9))
def test_separators_do_not_change_a_number(value: int) -> None:
    assert compare_facts(f"It has {value:,} parts.", [f"It has {value} parts."]).verdict is FactVerdict.CONSISTENT


@given(st.integers(min_value=2100, max_value=10**9), st.integers(min_value=1, max_value=9))
def test_another_number_differs(value: int, change: int) -> None:
    check = compare_facts(f"The set has {value:,} parts.", [f"The set has {value + change} parts."])
    assert check.verdict is FactVerdict.DIFFERS


@given(st.dates())
def test_date_formats_are_one_date(date: object) -> None:
    named = f"{date:%d %B} 1999"
    assert compare_facts(f"Born {named}.", [f"Born 1999-{date:%m-%d}."]).verdict is FactVerdict.CONSISTENT


@given(st.integers(min_value=1, max_value=10_000))
def test_units_convert_both_ways(value: int) -> None:
    claim, evidence = f"It holds {value} GB.", f"It holds {value * 1000} MB."
    assert compare_facts(claim, [evidence]).verdict is FactVerdict.CONSISTENT
    assert compare_facts(evidence, [claim]).verdict is FactVerdict.CONSISTENT


@given(st.lists(st.integers(min_value=20, max_value=10**6), min_size=1, max_size=5), st.randoms())
def test_order_of_evidence_does_not_matter(prices: list[int], random: object) -> None:
    evidence = [f"Plan {index} costs ${price}." for index, price in enumerate(prices)]
    first = compare_facts("Plan X costs $7.", evidence).verdict
    assert compare_facts("Plan X costs $7.", evidence[::-1]).verdict is first


_NUMBERS = [
    "1", "1,", "1 ", "1, ", "1,000,", "1/", "½", "1.", "1-", "$1", "1%", "1:", "[1", "A1", "a1-", "1 May ", "May 1 ",
    "one ", "one and a ", "half ", "1999-", "1 km 1 m ", "5 feet 11 inches ", "http://", "a.a@", "٣",
]  # fmt: skip
_WORDS = ["Aa", "A. ", "not ", "n't ", "no, ", '"', "“", "'", '" ', "1 ", "…", "[a] "]


@pytest.mark.parametrize("pattern", _NUMBERS)
def test_hostile_numbers_take_linear_time(pattern: str) -> None:
    assert grows_linearly(find_quantities, pattern, 50_000)
    assert grows_linearly(lambda text: compare_facts(text, [text]), pattern, 50_000)


@pytest.mark.parametrize("pattern", _WORDS)
def test_hostile_words_take_linear_time(pattern: str) -> None:
    assert grows_linearly(lambda text: negation_mismatch(text, text + "x"), pattern, 50_000)
    assert grows_linearly(lambda text: entity_mismatch(text + " Oslo", text + " Bergen"), pattern, 50_000)
    assert grows_linearly(find_quotations, pattern, 50_000)
    assert grows_linearly(lambda text: quotation_in(text[: len(text) // 2], [text]), pattern, 50_000)


def test_import_loads_no_unit_registry() -> None:
    code = "import sys, longtracer.engine.facts; sys.exit('pint' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_same_unit_needs_no_unit_registry() -> None:
    code = (
        "import sys; from longtracer.engine.facts import compare_facts as compare; "
        "compare('5 km', ['6 km']); sys.exit('pint' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    ("value", "source", "target", "expected"),
    [
        ("4.998", "terabyte", "gigabyte", "4998"),
        ("100", "degree_Celsius", "degree_Fahrenheit", "212"),
        ("2", "hour", "minute", "120"),
        ("1", "calendar_decade", "year", "10"),
        ("7", "mile", "mile", "7"),
    ],
)
def test_conversion(value: str, source: str, target: str, expected: str) -> None:
    assert float(convert(Decimal(value), source, target)) == pytest.approx(float(expected))


@pytest.mark.parametrize(
    ("form", "name"), [("km", "kilometer"), ("Km", None), ("MB", "megabyte"), ("Kilometres", "kilometer")]
)
def test_symbols_keep_their_case_and_words_do_not(form: str, name: str | None) -> None:
    match = UNIT_PATTERN.fullmatch(form)
    assert (unit_of(form).name if match else None) == name


@pytest.mark.parametrize("kind", list(Kind))
def test_every_kind_is_found_somewhere(kind: Kind) -> None:
    text = "7 cats, 5%, $3, 4 km, 6 days, 3 May 1999, 1889, 9:30, 2nd, Figure 3"
    assert kind in {quantity.kind for quantity in find_quantities(text)}

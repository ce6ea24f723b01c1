"""Edits of quantities: another value, another way to write the same value, another unit."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from training.synthetic.dates import MONTHS
from training.synthetic.edits import CONTRADICTION, ENTAILMENT, Edit, like_case, pick, put

_MONTH = "|".join(MONTHS)
_NUMBER = re.compile(
    r"(?<![\w.,/–°′-])(?<!° )(?P<whole>\d{1,3}(?:,\d{3})+|\d+)(?P<part>\.\d+)?"
    r"(?![\w/–-])(?!,\d)(?!\.\d)(?! ?[°′″\"'])"
)
_DATE_AROUND = re.compile(rf"\b(?:{_MONTH})\.? \d{{1,2}}\b|\b\d{{1,2}} (?:{_MONTH})\b")
_WORDS = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
_WORD_VALUES = {word: value for value, word in enumerate(_WORDS, start=2)}
_WORD = re.compile(rf"\b(?:{'|'.join(_WORDS)})\b", re.IGNORECASE)
_ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
_ORDINAL = re.compile(rf"\b(?:{'|'.join(_ORDINALS)})\b(?! of all)", re.IGNORECASE)
_SCALES = {"thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_SCALED = re.compile(r"(?<![\w.,])(\d+(?:\.\d+)?) (thousand|million|billion)\b")
_BIG = re.compile(r"(?<![\w.,$€£-])(\d{1,3}(?:,\d{3})+)(?![\w.,]?\d)")
_BOUNDED = re.compile(r"(?:than|about|over|nearly|least|No\.|only|most|#|[$€£]) ?$")
_PERCENT = re.compile(r"(?<=\d)(%| percent| per cent)(?!\w)")


def quantities(text: str) -> list[re.Match[str]]:
    """Numbers written in digits that are neither years nor days of a month."""
    dates = [match.span() for match in _DATE_AROUND.finditer(text)]
    return [
        match
        for match in _NUMBER.finditer(text)
        if not looks_like_year(match) and not any(start <= match.start() < end for start, end in dates)
    ]


def looks_like_year(match: re.Match[str]) -> bool:
    return match["part"] is None and len(match["whole"]) == 4 and 1000 <= int(match["whole"]) <= 2100


def value_of(match: re.Match[str]) -> float:
    return float(match["whole"].replace(",", "") + (match["part"] or ""))


def written_like(value: float, model: re.Match[str]) -> str:
    """A value with as many decimals, and thousands separators, as the number it replaces."""
    decimals = len(model["part"] or ".") - 1
    grouped = "," in model["whole"] or (value >= 10_000 and len(model["whole"]) < 5)
    return f"{value:,.{decimals}f}" if grouped else f"{value:.{decimals}f}"


def other_value(value: float, rng: random.Random) -> float:
    """A clearly different value of the same kind."""
    if value <= 12 and value == int(value):
        return float(rng.choice([near for near in range(1, 16) if near != value]))
    if rng.random() < 0.25:
        return value * rng.choice([10, 2, 0.5, 0.1, 3])
    change = rng.choice([0.05, 0.1, 0.2, 0.35, 0.6]) * rng.choice([-1, 1])
    return value * (1 + change)


def swap_number(text: str, rng: random.Random) -> str | None:
    found = quantities(text)
    if not found:
        return None
    match = rng.choice(found)
    known = {value_of(each) for each in found}
    for _ in range(4):
        written = written_like(other_value(value_of(match), rng), match)
        if float(written.replace(",", "")) not in known:
            return put(text, match, written)
    return None


def swap_digits(text: str, rng: random.Random) -> str | None:
    """One digit changed: the mistake that looks most like a copy."""
    found = [match for match in quantities(text) if value_of(match) >= 10]
    if not found:
        return None
    match = rng.choice(found)
    places = [i for i, char in enumerate(match[0]) if char.isdigit()]
    place = rng.choice(places[: max(1, len(places) - 1)])
    digit = rng.choice([d for d in "123456789" if d != match[0][place]])
    return put(text, match, match[0][:place] + digit + match[0][place + 1 :])


def exchange_numbers(text: str, rng: random.Random) -> str | None:
    """Two different quantities of a sentence trade places."""
    found = quantities(text)
    if len(found) < 2:
        return None
    left, right = sorted(rng.sample(found, 2), key=lambda match: match.start())
    if value_of(left) == value_of(right):
        return None
    return text[: left.start()] + right[0] + text[left.end() : right.start()] + left[0] + text[right.end() :]


def swap_number_word(text: str, rng: random.Random) -> str | None:
    match = pick(_WORD, text, rng)
    if match is None:
        return None
    value = _WORD_VALUES[match[0].lower()]
    others = [word for word, number in _WORD_VALUES.items() if number != value and number < 2 * value + 4]
    return put(text, match, like_case(rng.choice(others), match[0]))


def swap_ordinal(text: str, rng: random.Random) -> str | None:
    match = pick(_ORDINAL, text, rng)
    if match is None:
        return None
    others = [word for word in _ORDINALS[:6] if word != match[0].lower()]
    return put(text, match, like_case(rng.choice(others), match[0]))


def swap_scale(text: str, rng: random.Random) -> str | None:
    match = pick(_SCALED, text, rng)
    if match is None:
        return None
    return put(text, match, rng.choice([scale for scale in _SCALES if scale != match[2]]), 2)


def number_to_word(text: str, rng: random.Random) -> str | None:
    found = [m for m in quantities(text) if m["part"] is None and 2 <= value_of(m) <= 20 and "," not in m[0]]
    found = [match for match in found if not text[match.end() :].startswith(("%", "°"))]
    if not found:
        return None
    match = rng.choice(found)
    return put(text, match, _WORDS[int(value_of(match)) - 2])


def word_to_number(text: str, rng: random.Random) -> str | None:
    match = pick(_WORD, text, rng)
    return None if match is None else put(text, match, str(_WORD_VALUES[match[0].lower()]))


def toggle_separator(text: str, rng: random.Random) -> str | None:
    match = pick(_BIG, text, rng)
    return None if match is None else put(text, match, match[1].replace(",", ""))


def spell_scale(text: str, rng: random.Random) -> str | None:
    """1.5 million -> 1,500,000."""
    match = pick(_SCALED, text, rng)
    if match is None:
        return None
    return put(text, match, f"{round(float(match[1]) * _SCALES[match[2]]):,}")


def respell_percent(text: str, rng: random.Random) -> str | None:
    match = pick(_PERCENT, text, rng)
    if match is None:
        return None
    return put(text, match, rng.choice([form for form in ("%", " percent", " per cent") if form != match[0]]))


def _large(text: str, rng: random.Random) -> tuple[re.Match[str], int, int] | None:
    """A number of three or more digits, with its value rounded down and the step it was rounded to."""
    found = [match for match in quantities(text) if value_of(match) >= 101 and match["part"] is None]
    found = [match for match in found if not _BOUNDED.search(text[: match.start()])]
    if not found:
        return None
    match = rng.choice(found)
    value = int(value_of(match))
    step = int(10 ** (len(str(value)) - rng.choice([1, 2])))
    floor = value // step * step
    return None if floor in (0, value) else (match, floor, step)


def round_number(text: str, rng: random.Random) -> str | None:
    found = _large(text, rng)
    if found is None:
        return None
    match, floor, step = found
    return put(text, match, rng.choice([f"more than {floor:,}", f"over {floor:,}", f"fewer than {floor + step:,}"]))


def round_wrongly(text: str, rng: random.Random) -> str | None:
    found = _large(text, rng)
    if found is None:
        return None
    match, floor, step = found
    return put(
        text, match, rng.choice([f"more than {floor + step:,}", f"fewer than {floor:,}", f"over {floor + 2 * step:,}"])
    )


@dataclass(frozen=True, slots=True)
class Unit:
    """`names` are spellings of the unit; `size` is its size in the dimension's base unit."""

    dimension: str
    size: float
    names: tuple[str, ...]


UNITS = (
    Unit("length", 1000.0, ("kilometres", "kilometers", "km")),
    Unit("length", 1609.344, ("miles",)),
    Unit("length", 1.0, ("metres", "meters", "m")),
    Unit("length", 0.3048, ("feet", "ft")),
    Unit("length", 0.01, ("centimetres", "centimeters", "cm")),
    Unit("length", 0.0254, ("inches",)),
    Unit("mass", 1.0, ("kilograms", "kg")),
    Unit("mass", 0.45359, ("pounds", "lb")),
    Unit("mass", 1000.0, ("tonnes",)),
    Unit("mass", 0.001, ("grams", "g")),
    Unit("area", 1e4, ("hectares", "ha")),
    Unit("area", 4046.86, ("acres",)),
    Unit("speed", 1.0, ("km/h", "kilometres per hour")),
    Unit("speed", 1.609344, ("mph", "miles per hour")),
    Unit("time", 1.0, ("minutes", "min")),
    Unit("time", 60.0, ("hours",)),
    Unit("time", 1440.0, ("days",)),
    Unit("time", 10080.0, ("weeks",)),
    Unit("data", 1.0, ("megabytes", "MB")),
    Unit("data", 1000.0, ("gigabytes", "GB")),
    Unit("data", 1e6, ("terabytes", "TB")),
)
_BY_NAME = {name: unit for unit in UNITS for name in unit.names}
_MEASURE = re.compile(
    r"(?<![\w.,])(?P<whole>\d{1,3}(?:,\d{3})+|\d+)(?P<part>\.\d+)? (?P<unit>"
    + "|".join(re.escape(name) for name in sorted(_BY_NAME, key=len, reverse=True))
    + r")(?![\w/²³])(?! per\b)"
)


def _sensible(value: float) -> str:
    """Three significant figures, without an exponent."""
    digits = f"{float(f'{value:.3g}'):,.3f}".rstrip("0").rstrip(".")
    return digits or "0"


def _cousins(unit: Unit) -> list[Unit]:
    """Units one would convert to: of the same dimension and not more than 2,000 times larger or smaller."""
    return [
        other
        for other in UNITS
        if other.dimension == unit.dimension and other is not unit and 1 / 2000 <= other.size / unit.size <= 2000
    ]


def convert_unit(text: str, rng: random.Random) -> str | None:
    match = pick(_MEASURE, text, rng)
    if match is None:
        return None
    unit = _BY_NAME[match["unit"]]
    other = rng.choice(_cousins(unit))
    value = value_of(match) * unit.size / other.size
    return put(text, match, f"{_sensible(value)} {rng.choice(other.names)}") if 0.1 <= value < 1e7 else None


def convert_wrongly(text: str, rng: random.Random) -> str | None:
    """The unit changes and the number does not, or the converted number is clearly off."""
    match = pick(_MEASURE, text, rng)
    if match is None:
        return None
    unit = _BY_NAME[match["unit"]]
    other = rng.choice(_cousins(unit))
    if rng.random() < 0.6:
        return put(text, match, rng.choice(other.names), "unit")
    value = value_of(match) * unit.size / other.size * rng.choice([0.4, 0.6, 1.5, 2.2, 10])
    return put(text, match, f"{_sensible(value)} {rng.choice(other.names)}") if 0.1 <= value < 1e7 else None


def respell_unit(text: str, rng: random.Random) -> str | None:
    match = pick(_MEASURE, text, rng)
    if match is None:
        return None
    others = [name for name in _BY_NAME[match["unit"]].names if name != match["unit"]]
    return put(text, match, rng.choice(others), "unit") if others else None


EDITS = (
    Edit("number_swap", CONTRADICTION, swap_number, CONTRADICTION),
    Edit("number_digit", CONTRADICTION, swap_digits, CONTRADICTION),
    Edit("number_exchange", CONTRADICTION, exchange_numbers, CONTRADICTION),
    Edit("number_word_swap", CONTRADICTION, swap_number_word, CONTRADICTION),
    Edit("ordinal_swap", CONTRADICTION, swap_ordinal, CONTRADICTION),
    Edit("scale_swap", CONTRADICTION, swap_scale, CONTRADICTION),
    Edit("round_wrongly", CONTRADICTION, round_wrongly),
    Edit("convert_wrongly", CONTRADICTION, convert_wrongly, CONTRADICTION),
    Edit("number_to_word", ENTAILMENT, number_to_word, ENTAILMENT),
    Edit("word_to_number", ENTAILMENT, word_to_number, ENTAILMENT),
    Edit("toggle_separator", ENTAILMENT, toggle_separator, ENTAILMENT),
    Edit("spell_scale", ENTAILMENT, spell_scale, ENTAILMENT),
    Edit("respell_percent", ENTAILMENT, respell_percent, ENTAILMENT),
    Edit("round_number", ENTAILMENT, round_number),
    Edit("convert_unit", ENTAILMENT, convert_unit, ENTAILMENT),
    Edit("respell_unit", ENTAILMENT, respell_unit, ENTAILMENT),
)

"""Find the quantities of a text: each number with its kind, normalised value, unit, modifiers and offsets."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from itertools import chain, islice

from .clock import TIME_FORMS
from .currencies import CURRENCY_AFTER, CURRENCY_BEFORE, currency_of
from .dates import DATE_FORMS, MONTH_FORMS
from .day_sorts import SORTED_TIME, sort_of
from .identifiers import find_identifiers, is_label
from .modifiers import Modifier, modifier_of, when_role
from .number_words import word_numerals
from .numerals import Numeral, digit_numerals
from .patterns import scan
from .quantity import Kind, Quantity, Role
from .ranges import merge_neighbours
from .short_durations import SHORT_DURATION_FORMS
from .single_units import SINGLE_UNIT_FORMS
from .units import UNIT_PATTERN, Unit, unit_of
from .vocabulary import listed
from .years import YEAR_FORMS, year_quantity

__all__ = ["find_quantities"]

_PERCENT = re.compile(r"\s?%|[\s-]?(?:percent|per\scent|pct)(?![\w])(?!\spoint)", re.IGNORECASE)
_POINTS = re.compile(
    r"[\s-]?(?:percentage|percent)[\s-]points?\b|\s?pp\b|\s?(?P<basis>basis\spoints?|bps|bp)\b", re.IGNORECASE
)
_SUFFIX = re.compile(r"(?:st|nd|rd|th)(?![^\W_])", re.IGNORECASE)
_MINUS = re.compile(r"(?:^|(?<=[\s(\[:=$€£]))[-−–](?:[$€£]\s?)?$|(?:^|\s)(?:minus|negative)\s$", re.IGNORECASE)
_AGED = re.compile(r"(?:\baged|\bage\sof|\bages?|\bturned|\bturns|\bturning)\s$", re.IGNORECASE)
_MILLIONS = re.compile(r"[mM](?![\w])")
_MILLIONS_OF = re.compile(
    r"m(?=\s(?:people|men|women|children|square\s|cubic\s|[a-z]+s\b))(?!\s(?:this|across|as|is|was|has)\b)"
)
_BILLIONS = re.compile(r"b(?![\w])")
_THOUSANDS = re.compile(r"[kK](?![\w])")
_TEMPERATURE = re.compile(r"\s?(?:[CF]\b)")
_ORDINALS = listed("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth")
# The second of "a second" and "5 second" is a unit, taken before ordinals are looked for; so is that of "per second".
_ORDINAL_WORD = re.compile(rf"(?<![\w-])(?<!\bper\s)(?:{'|'.join(_ORDINALS)})(?!\w)", re.IGNORECASE)
_YEAR_LEFT = re.compile(
    r"(?:^|[\s(])(?:in|the|since|by|until|till|circa|c\.|ca\.|year|early|late|mid|during|from|of|to)[\s-]$",
    re.IGNORECASE,
)
_PLURAL_RIGHT = re.compile(
    r"[\s-](?!(?:was|is|has|as|its|his|this|series|plus|census|elections?|always|does)\b)[a-z][a-z-]{2,}s\b"
)
_NOT_YEAR_RIGHT = re.compile(
    r"\s(?:people|men|women|children|euros?|dollars?|of\s(?:the|these|those|them)|inhabitants)\b"
)
_LOOK = 12
"""Characters looked at on the left of a number for its sign and currency."""


def _quantity(
    text: str, kind: Kind, numeral: Numeral, end: int, *, unit: str | None = None, dimension: str | None = None
) -> Quantity:
    return Quantity(
        kind=kind,
        text=text[numeral.start : end],
        start=numeral.start,
        end=end,
        low=numeral.value,
        high=numeral.value,
        step=numeral.step,
        unit=unit,
        dimension=dimension,
        counted=not numeral.article or unit not in (None, "day"),
    )


def _percent(text: str, numeral: Numeral) -> Quantity | None:
    """80%, 80 percent, five percentage points, 25 basis points."""
    match = _POINTS.match(text, numeral.end)
    if match is not None:
        points = _quantity(text, Kind.PERCENT, numeral, match.end(), unit="percentage_point")
        return _times(points, Decimal("0.01")) if match["basis"] else points
    match = _PERCENT.match(text, numeral.end)
    if match is None:
        return None
    return _quantity(text, Kind.PERCENT, numeral, match.end(), unit="percent")


def _times(quantity: Quantity, factor: Decimal) -> Quantity:
    return replace(quantity, low=quantity.low * factor, high=quantity.high * factor, step=quantity.step * factor)


def _short_scale(text: str, quantity: Quantity) -> Quantity:
    """The "k", "m" and "b" of an amount of money: $65K, $5m, £1.2b."""
    scales = ((_THOUSANDS, 10**3), (_MILLIONS, 10**6), (_BILLIONS, 10**9))
    for pattern, factor in scales:
        match = pattern.match(text, quantity.end)
        if match is not None:
            grown = replace(quantity, end=match.end(), text=text[quantity.start : match.end()])
            return _times(grown, Decimal(factor))
    return quantity


def _money(text: str, numeral: Numeral) -> Quantity | None:
    """$5, US$5m, 5 euros, EUR 5, 99 cents."""
    left = CURRENCY_BEFORE.search(text[max(0, numeral.start - _LOOK) : numeral.start])
    if left is not None:
        start = numeral.start - len(left.group())
        found = _quantity(text, Kind.MONEY, numeral, numeral.end, unit=currency_of(left.group()))
        found = replace(found, start=start, text=text[start : found.end])
        return found if numeral.scaled else _short_scale(text, found)
    scale = _MILLIONS.match(text, numeral.end) or _BILLIONS.match(text, numeral.end)
    right = CURRENCY_AFTER.match(text, scale.end() if scale else numeral.end)
    if right is None:
        return _cents(text, numeral)
    code = currency_of(right.group(1) or right.group(2))
    found = _quantity(text, Kind.MONEY, numeral, numeral.end, unit=code)
    found = _short_scale(text, found) if scale else found
    return replace(found, end=right.end(), text=text[found.start : right.end()])


_CENTS = re.compile(r"(?:\s?(¢|cents?)|(\s?pence|p))(?![\w])")


def _cents(text: str, numeral: Numeral) -> Quantity | None:
    match = _CENTS.match(text, numeral.end)
    if match is None:
        return None
    found = _quantity(text, Kind.MONEY, numeral, match.end(), unit="$" if match[1] else "GBP")
    return _times(found, Decimal("0.01"))


_COUNTABLE_THINGS = frozenset({"bar", "cup", "stone", "degree", "knot", "pixel", "bit"})
"""After a number in words these are things ("three bars", "two stones"), not units."""


_UNIT_GAPS = frozenset(" \u00a0\u202f\n\t-‐‑")


def _unit_after(text: str, end: int) -> tuple[Unit, int, str | None] | None:
    """The unit that follows a number, where it ends, and its sort: "5 km", "5-km", "5 working days"."""
    sorted_time = SORTED_TIME.match(text, end)
    if sorted_time is not None:
        return unit_of(sorted_time["unit"]), sorted_time.end(), sort_of(sorted_time["sort"])
    start = end + 1 if text[end : end + 1] in _UNIT_GAPS else end
    match = UNIT_PATTERN.match(text, start)
    return None if match is None else (unit_of(match.group()), match.end(), None)


def _measure(text: str, numeral: Numeral) -> Quantity | None:
    """5 km, 12-inch, 20 °C, 35 minutes, 44 years old."""
    million = _MILLIONS_OF.match(text, numeral.end)
    if million is not None and not numeral.scaled:
        return _times(_quantity(text, Kind.CARDINAL, numeral, numeral.end + 1), Decimal(10**6))
    after = _unit_after(text, numeral.end)
    if after is None:
        return None
    unit, end, sort = after
    if numeral.spelled and unit.name in _COUNTABLE_THINGS:
        return None
    kind = Kind.DURATION if unit.dimension == "time" else Kind.MEASURE
    found = replace(_quantity(text, kind, numeral, end, unit=unit.name, dimension=unit.dimension), sort=sort)
    if unit.name == "degree" and (letter := _TEMPERATURE.match(text, end)):
        name = "degree_Celsius" if letter.group().strip() == "C" else "degree_Fahrenheit"
        return replace(
            found, end=letter.end(), text=text[found.start : letter.end()], unit=name, dimension="temperature"
        )
    return found


_HALF_DAY = re.compile(r"\s?(?:([ap])\.?\s?m\b\.?|o['’]clock\b)", re.IGNORECASE)


def _spoken_time(text: str, numeral: Numeral) -> Quantity | None:
    """ "four p.m." and "nine o'clock"; hours in digits are found with the dates."""
    match = _HALF_DAY.match(text, numeral.end) if numeral.spelled and 1 <= numeral.value <= 12 else None
    if match is None:
        return None
    half = (match[1] or "").lower()
    hour = numeral.value % 12 + (12 if half == "p" else 0) if half else numeral.value
    time = replace(numeral, value=hour * 60, step=Decimal(1))
    return _quantity(text, Kind.TIME, time, match.end(), unit="clock24" if half else "clock12")


def _named_year(text: str, numeral: Numeral) -> Quantity | None:
    """The year in a title: "World Cup 2018", "Blade Runner 2049"."""
    return _identifier(text, numeral) if numeral.end - numeral.start == 4 else None


def _year(text: str, numeral: Numeral) -> Quantity | None:
    """Four bare digits that read as a year, unless a counted thing follows."""
    if not numeral.plain or not 1000 <= numeral.value <= 2100 or numeral.end - numeral.start != 4:
        return None
    marked = _YEAR_LEFT.search(text[max(0, numeral.start - _LOOK) : numeral.start]) is not None
    counted = _PLURAL_RIGHT.match(text, numeral.end) or _NOT_YEAR_RIGHT.match(text, numeral.end)
    if not marked and (counted is not None or numeral.value < 1400):
        return None
    return year_quantity(text, numeral.start, numeral.end, int(numeral.value))


def _ordinal(text: str, numeral: Numeral) -> Quantity | None:
    match = _SUFFIX.match(text, numeral.end)
    return None if match is None or numeral.spelled else _quantity(text, Kind.ORDINAL, numeral, match.end())


_SHARE_STEP = Decimal(4)
"""In percent: "two thirds" is said of anything from 65 to 69 percent."""


def _fraction(text: str, numeral: Numeral) -> Quantity | None:
    """ "two thirds of" and "half of" are shares: 66.7 and 50 percent."""
    if not numeral.fraction:
        return None
    hundred = replace(numeral, value=numeral.value * 100, step=_SHARE_STEP)
    return _quantity(text, Kind.PERCENT, hundred, numeral.end, unit="share")


def _age(text: str, numeral: Numeral) -> Quantity | None:
    if numeral.value > 130 or _AGED.search(text[max(0, numeral.start - _LOOK) : numeral.start]) is None:
        return None
    return _quantity(text, Kind.DURATION, numeral, numeral.end, unit="year", dimension="time")


def _identifier(text: str, numeral: Numeral) -> Quantity | None:
    if numeral.scaled or numeral.spelled or not is_label(text, numeral.start, numeral.end):
        return None
    zero = replace(numeral, value=Decimal(0), step=Decimal(1))
    return _quantity(text, Kind.IDENTIFIER, zero, numeral.end)


_READERS = (_spoken_time, _percent, _money, _ordinal, _measure, _age, _named_year, _year, _identifier, _fraction)
"""What a number may be, in the order in which it is tried; a number that is none of them is a CARDINAL."""


def _read(text: str, numeral: Numeral) -> Quantity:
    for reader in _READERS:
        found = reader(text, numeral)
        if found is not None:
            return _modified(text, found)
    return _modified(text, _quantity(text, Kind.CARDINAL, numeral, numeral.end))


_UNSIGNED = frozenset({Kind.YEAR, Kind.IDENTIFIER, Kind.ORDINAL})


def _modified(text: str, quantity: Quantity) -> Quantity:
    """`quantity` with the sign and the modifiers beside it."""
    before = text[max(0, quantity.start - _LOOK) : quantity.start]
    if quantity.kind not in _UNSIGNED and _MINUS.search(before):
        quantity = replace(quantity, low=-quantity.low, high=-quantity.high)
    role = when_role(text, quantity.start) if quantity.kind in (Kind.YEAR, Kind.TIME) else Role.VALUE
    if role is not Role.VALUE:
        return replace(quantity, role=role)
    modifier = modifier_of(text, quantity.start, quantity.end)
    if modifier == Modifier():
        return quantity
    return replace(quantity, role=modifier.role, approximate=quantity.approximate or modifier.approximate)


def _ordinal_words(text: str, taken: bytearray) -> list[Quantity]:
    return [
        _ordinal_word(match, Decimal(_ORDINALS.index(match.group().lower()) + 1))
        for match in _ORDINAL_WORD.finditer(text)
        if not taken[match.start()]
    ]


def _ordinal_word(match: re.Match[str], place: Decimal) -> Quantity:
    return Quantity(kind=Kind.ORDINAL, text=match.group(), start=match.start(), end=match.end(), low=place, high=place)


_DATED = (*DATE_FORMS, *YEAR_FORMS, *TIME_FORMS, *MONTH_FORMS)


NUMBER_LIMIT = 10_000


def find_quantities(text: str, *, limit: int = NUMBER_LIMIT) -> tuple[Quantity, ...]:
    """The quantities of `text` by position; identifiers and ordinals are named as such, never as values.

    Takes any string and runs in time linear in its length; nothing is raised. After `limit` plain numbers no more
    of them are read: the default is more than any prose of 100,000 characters holds.
    """
    taken = bytearray(len(text))
    dates = [replace(date, role=when_role(text, date.start)) for date in scan(_DATED, text, taken)]
    short = [_modified(text, duration) for duration in scan(SHORT_DURATION_FORMS, text, taken)]
    found = [*dates, *short, *find_identifiers(text, taken), *scan(SINGLE_UNIT_FORMS, text, taken)]
    numerals = islice(chain(digit_numerals(text), word_numerals(text)), limit)
    values = [_read(text, numeral) for numeral in numerals if not any(taken[numeral.start : numeral.end])]
    for value in values:
        taken[value.start : value.end] = b"\x01" * (value.end - value.start)
    found += [*values, *_ordinal_words(text, taken)]
    return merge_neighbours(text, sorted(found, key=lambda quantity: (quantity.start, quantity.end)))

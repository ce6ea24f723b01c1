"""Calendar dates, years and times of day in the formats people write them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal

from .quantity import Kind, PartialDate, Quantity

__all__ = ["MONTH", "find_dates", "month_number", "year_quantity"]

_NAMES = "january february march april may june july august september october november december".split()
MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    r"|Nov(?:ember)?|Dec(?:ember)?)\.?"
)
"""A month's name or abbreviation; use it with IGNORECASE."""

# Beside a bare number "may" and "march" are as often verbs, so a month without a year is a capitalised word.
_CAPITAL_MONTH = rf"(?:(?-i:{MONTH})|(?-i:january|february|april|june|july|august|september|october|november|december))"

_DAY = r"(?:0?[1-9]|[12][0-9]|3[01])(?:\s?(?:st|nd|rd|th))?"
_YEAR = r"(?:1[0-9]{3}|20[0-9]{2})(?![0-9.,]?[0-9])"
_EDGE = r"(?<![\w.,/-])"
_TO = r"\s?(?:-|–|—|to|and|until)\s?"


def month_number(name: str) -> int:
    """1 to 12 for a name that `MONTH` matches."""
    prefix = name.lower()[:3]
    return next(number for number, month in enumerate(_NAMES, start=1) if month.startswith(prefix))


def _day_number(text: str) -> int:
    return int(re.sub(r"[^0-9]", "", text))


def _date(match: re.Match[str], start: int, end: int, date: PartialDate) -> Quantity:
    year = Decimal(date.year or 0)
    text = match.string[start:end]
    return Quantity(kind=Kind.DATE, text=text, start=start, end=end, low=year, high=year, date=date)


def _whole(match: re.Match[str], date: PartialDate) -> Iterator[Quantity]:
    yield _date(match, match.start(), match.end(), date)


def _named(match: re.Match[str]) -> Iterator[Quantity]:
    """A date whose month is a word: day, month and year as far as the pattern has them."""
    groups = match.groupdict()
    year, day = groups.get("year"), groups.get("day")
    date = PartialDate(
        year=int(year) if year else None,
        month=month_number(groups["month"]),
        day=_day_number(day) if day else None,
    )
    until = groups.get("until")
    yield _date(match, match.start(), match.end("day") if until else match.end(), date)
    if until:
        last = PartialDate(year=date.year, month=date.month, day=_day_number(until))
        yield _date(match, match.start("until"), match.end(), last)


def _numeric(match: re.Match[str]) -> Iterator[Quantity]:
    """03/05/1999 and 03.05.99: either order of day and month, unless one of them is above 12."""
    first, second = int(match["first"]), int(match["second"])
    if not (1 <= first <= 31 and 1 <= second <= 31) or (first > 12 and second > 12):
        return
    year = int(match["year"])
    year += 0 if year > 99 else 2000 if year < 50 else 1900
    swappable = first <= 12 and second <= 12 and first != second
    day, month = (first, second) if second <= 12 else (second, first)
    yield from _whole(match, PartialDate(year=year, month=month, day=day, swappable=swappable))


def _iso(match: re.Match[str]) -> Iterator[Quantity]:
    month, day = int(match["month"]), int(match["day"])
    if 1 <= month <= 12 and 1 <= day <= 31:
        yield from _whole(match, PartialDate(year=int(match["year"]), month=month, day=day))


def year_quantity(
    text: str, start: int, end: int, low: int, high: int | None = None, *, period: bool = False
) -> Quantity:
    """A YEAR; with `high` a span of years, and with `period` some year inside that span ("the 1990s")."""
    return Quantity(
        kind=Kind.YEAR, text=text[start:end], start=start, end=end, low=Decimal(low),
        high=Decimal(low if high is None else high), date=PartialDate(year=low), approximate=period,
    )  # fmt: skip


def _span(match: re.Match[str]) -> Iterator[Quantity]:
    """1999–2003, 1994-95 and 2019/20."""
    low, tail = int(match["low"]), match["high"]
    high = int(tail) if len(tail) == 4 else low - low % 100 + int(tail)
    if low < high:
        yield year_quantity(match.string, match.start(), match.end(), low, high)


_PARTS_OF_TEN = {"early": (0, 4), "mid": (3, 7), "late": (5, 9)}


def _decade(match: re.Match[str]) -> Iterator[Quantity]:
    low = int(match["decade"])
    width = 99 if low % 100 == 0 and low < 2000 else 9
    part = (match["part"] or "").lower().strip(" -")
    first, last = _PARTS_OF_TEN.get(part, (0, width)) if width == 9 else (0, width)
    yield year_quantity(match.string, match.start("decade"), match.end(), low + first, low + last, period=True)


def _short_decade(match: re.Match[str]) -> Iterator[Quantity]:
    """The "80s" of the last century, or of this one up to the twenties."""
    tens = int(match["decade"])
    low = (2000 if tens <= 20 else 1900) + tens
    yield year_quantity(match.string, match.start("decade"), match.end(), low, low + 9, period=True)


_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first"
).split()


def _century(match: re.Match[str]) -> Iterator[Quantity]:
    written = match["ordinal"].lower()
    number = int(written[:-2]) if written[0].isdigit() else _ORDINALS.index(written) + 1
    if match["era"]:
        yield year_quantity(match.string, match.start(), match.end(), -100 * number, -100 * number + 99, period=True)
    elif number >= 1:
        yield year_quantity(match.string, match.start(), match.end(), 100 * (number - 1), 100 * number, period=True)


def _era_year(match: re.Match[str]) -> Iterator[Quantity]:
    digits = re.sub(r"[^0-9]", "", match["year"] or match["late"])
    sign = -1 if (match["before"] or "").upper().startswith("B") else 1
    yield year_quantity(match.string, match.start(), match.end(), sign * int(digits))


def _clock(match: re.Match[str]) -> Iterator[Quantity]:
    """A time of day in minutes after midnight; "clock12" when it may be morning or evening."""
    hour, minute = int(match["hour"]), int(match["minute"] or 0)
    half = (match["half"] or "").lower()[:1]
    if hour > 24 or minute > 59 or (half and not 1 <= hour <= 12):
        return
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    seconds = Decimal(int(match["second"] or 0)) / 60
    value = Decimal(hour * 60 + minute) + seconds
    unit = "clock24" if half or hour > 12 or hour == 0 or match["hour"][0] == "0" else "clock12"
    yield Quantity(
        kind=Kind.TIME, text=match.group(), start=match.start(), end=match.end(), low=value, high=value, unit=unit
    )


def _hour(match: re.Match[str]) -> Iterator[Quantity]:
    """The bare hour of "opens at 9": it may be morning or evening."""
    value = Decimal(int(match["hour"]) * 60)
    unit = "clock12" if value <= 720 else "clock24"
    start, end = match.span("hour")
    yield Quantity(kind=Kind.TIME, text=match["hour"], start=start, end=end, low=value, high=value, unit=unit)


def _noon(match: re.Match[str]) -> Iterator[Quantity]:
    value = Decimal(720 if match.group().lower() in ("noon", "midday") else 0)
    yield Quantity(
        kind=Kind.TIME, text=match.group(), start=match.start(), end=match.end(), low=value, high=value, unit="clock24"
    )


def _month(match: re.Match[str]) -> Iterator[Quantity]:
    """A month by itself after a preposition: "in May"."""
    yield _date(match, *match.span("month"), PartialDate(month=month_number(match["month"])))


def _mention(match: re.Match[str]) -> Iterator[Quantity]:
    """A month by itself anywhere: it may be a name, so it only ever matches ("a January episode")."""
    yield from (replace(date, counted=False) for date in _month(match))


_Builder = Callable[[re.Match[str]], Iterator[Quantity]]


def _pattern(source: str, builder: _Builder, flags: int = re.IGNORECASE) -> tuple[re.Pattern[str], _Builder]:
    return re.compile(source, flags), builder


# In order: the first pattern to take a stretch of text keeps it. Every repetition is bounded.
_PATTERNS: tuple[tuple[re.Pattern[str], _Builder], ...] = (
    _pattern(
        rf"{_EDGE}(?P<day>{_DAY})(?:{_TO}(?P<until>{_DAY}))?\s(?:of\s)?(?P<month>{MONTH}),?\s?(?:of\s)?(?P<year>{_YEAR})",
        _named,
    ),
    _pattern(rf"\b(?P<month>{MONTH})\s(?P<day>{_DAY})(?:{_TO}(?P<until>{_DAY}))?(?:\s?,\s?|\s)(?P<year>{_YEAR})", _named),
    _pattern(rf"(?<![\w-])(?P<day>{_DAY})-(?P<month>{MONTH})-(?P<year>{_YEAR})", _named),
    _pattern(rf"\b(?P<month>{MONTH})(?:\s?,\s?|\s(?:of\s)?|-)(?P<year>{_YEAR})", _named),
    _pattern(
        rf"{_EDGE}(?P<day>{_DAY})(?:{_TO}(?P<until>{_DAY}))?(?:\s(?:of\s)?|-)(?P<month>{_CAPITAL_MONTH})(?![\w'’])", _named
    ),
    _pattern(
        rf"\b(?P<month>{_CAPITAL_MONTH})\s(?:the\s)?(?P<day>{_DAY})(?:{_TO}(?P<until>{_DAY}))?(?![\w%]|[.,:/][0-9])", _named
    ),
    _pattern(r"(?<![\w.-])(?P<year>[12][0-9]{3})([-/.])(?P<month>[0-9]{1,2})\2(?P<day>[0-9]{1,2})(?![0-9])", _iso),
    _pattern(
        r"(?<![\w./-])(?P<first>[0-9]{1,2})([-/.])(?P<second>[0-9]{1,2})\2(?P<year>[12][0-9]{3}|[0-9]{2})(?![\w/-]|\.[0-9])",
        _numeric,
    ),
    _pattern(r"(?<![\w.,/-])(?P<low>1[0-9]{3}|20[0-9]{2})\s?[-–—/]\s?(?P<high>1[0-9]{3}|20[0-9]{2}|[0-9]{2})(?![\w/-])", _span),
    _pattern(
        r"(?<![\w.,])(?P<low>1[5-9][0-9]{2}|20[0-9]{2})\s(?:to|until|through|and)\s(?P<high>1[5-9][0-9]{2}|20[0-9]{2})"
        r"(?![\w-]|[.,][0-9])",
        _span,
    ),
    _pattern(
        r"(?:(?<![\w])(?P<part>early|mid|late)[\s-])?(?<![\w.,])(?:the\s)?(?P<decade>1[0-9]{2}0|20[0-9]0)['’]?s(?!\w)", _decade
    ),
    _pattern(r"(?:(?<=the\s)|(?<=early\s)|(?<=early-)|(?<=mid-)|(?<=late\s)|(?<=['’‘]))(?P<decade>[1-9]0)['’]?s(?!\w)", _short_decade),
    _pattern(
        rf"(?<![\w])(?P<ordinal>[0-9]{{1,2}}(?:st|nd|rd|th)|{'|'.join(_ORDINALS)})[\s-]century(?P<era>\sb\.?c\.?(?:e\.?)?)?(?!\w)",
        _century,
    ),
    _pattern(
        r"(?<![\w.,])(?:(?P<year>[0-9]{1,3}[, ][0-9]{3}|[0-9]{1,4})\s?(?:(?P<before>b\.?c\.?(?:e\.?)?)|c\.?e\.?|a\.?d\.?)(?!\w)"
        r"|a\.?d\.?\s(?P<late>[0-9]{1,4})(?!\w))",
        _era_year,
    ),
    _pattern(
        r"(?<![\w.,:])(?P<hour>[0-9]{1,2})[:.](?P<minute>[0-5][0-9])(?::(?P<second>[0-5][0-9]))?\s?(?P<half>[ap]\.?\s?m\b\.?)",
        _clock,
    ),
    _pattern(
        r"(?<![\w.,:])(?P<hour>[0-9]{1,2}):(?P<minute>[0-5][0-9])(?::(?P<second>[0-5][0-9]))?(?P<half>)(?![\w:]|\.[0-9])",
        _clock,
    ),
    _pattern(r"(?<![\w.,:])(?P<hour>[0-9]{1,2})(?P<minute>)(?P<second>)\s?(?P<half>[ap]\.?\s?m\b\.?|o['’]clock\b)", _clock),
    _pattern(
        r"\b(?:at|until|till|opens|closes)\s(?P<hour>[1-9]|1[0-9]|2[0-4])(?=\s?(?:[.;,!?)]\s|[.;,!?)]?$|\s(?:and|or|on|in|until|to|every)\b))",
        _hour,
    ),
    _pattern(r"(?<![\w-])(?:noon|midday|midnight)(?![\w-])", _noon),
    _pattern(rf"\b(?:in|since|until|till|by|of|during|last|next|this|from|to|and|through|early|late|mid)[\s-](?P<month>{MONTH})(?![\w'’])", _month, 0),
    _pattern(r"\b(?P<month>January|February|April|June|July|August|September|October|November|December)\b", _mention, 0),
)  # fmt: skip


def find_dates(text: str, taken: bytearray) -> list[Quantity]:
    """The dates, years with a marked form, and times of `text`. Marks in `taken` (a byte a character) what it used."""
    found: list[Quantity] = []
    for pattern, builder in _PATTERNS:
        for match in pattern.finditer(text):
            if any(taken[match.start() : match.end()]):
                continue
            for quantity in builder(match):
                found.append(quantity)
                taken[quantity.start : quantity.end] = b"\x01" * (quantity.end - quantity.start)
    return found

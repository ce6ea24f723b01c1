"""Calendar dates with a month, in the formats people write them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from .patterns import form
from .quantity import Kind, PartialDate, Quantity
from .vocabulary import listed

__all__ = ["DATE_FORMS", "MONTH_FORMS"]

_NAMES = listed("january february march april may june july august september october november december")
_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    r"|Nov(?:ember)?|Dec(?:ember)?)\.?"
)
# Beside a bare number "may" and "march" are as often verbs, so a month without a year is a capitalised word.
_CAPITAL_MONTH = (
    rf"(?:(?-i:{_MONTH})|(?-i:january|february|april|june|july|august|september|october|november|december))"
)
_DAY = r"(?:0?[1-9]|[12][0-9]|3[01])(?:\s?(?:st|nd|rd|th))?"
_YEAR = r"(?:1[0-9]{3}|20[0-9]{2})(?![0-9.,]?[0-9])"
_EDGE = r"(?<![\w.,/-])"
_DAYS = rf"(?P<day>{_DAY})(?:\s?(?:-|–|—|to|and|until)\s?(?P<until>{_DAY}))?"


def _month_number(name: str) -> int:
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
    """A date whose month is a word: day, month and year as far as the pattern has them; two for "3–5 May"."""
    groups = match.groupdict()
    year, day, until = groups.get("year"), groups.get("day"), groups.get("until")
    date = PartialDate(
        year=int(year) if year else None,
        month=_month_number(groups["month"]),
        day=_day_number(day) if day else None,
    )
    yield _date(match, match.start(), match.end("day") if until else match.end(), date)
    if until:
        yield _date(match, match.start("until"), match.end(), replace(date, day=_day_number(until)))


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


def _month(match: re.Match[str]) -> Iterator[Quantity]:
    """A month by itself after a preposition: "in May"."""
    yield _date(match, *match.span("month"), PartialDate(month=_month_number(match["month"])))


def _mention(match: re.Match[str]) -> Iterator[Quantity]:
    """A month by itself anywhere: it may be a name, so it only ever matches ("a January episode")."""
    yield from (replace(date, counted=False) for date in _month(match))


DATE_FORMS = (
    form(rf"{_EDGE}{_DAYS}\s(?:of\s)?(?P<month>{_MONTH}),?\s?(?:of\s)?(?P<year>{_YEAR})", _named),
    form(rf"\b(?P<month>{_MONTH})\s{_DAYS}(?:\s?,\s?|\s)(?P<year>{_YEAR})", _named),
    form(rf"(?<![\w-])(?P<day>{_DAY})-(?P<month>{_MONTH})-(?P<year>{_YEAR})", _named),
    form(rf"\b(?P<month>{_MONTH})(?:\s?,\s?|\s(?:of\s)?|-)(?P<year>{_YEAR})", _named),
    form(rf"{_EDGE}{_DAYS}(?:\s(?:of\s)?|-)(?P<month>{_CAPITAL_MONTH})(?![\w'’])", _named),
    form(rf"\b(?P<month>{_CAPITAL_MONTH})\s(?:the\s)?{_DAYS}(?![\w%]|[.,:/][0-9])", _named),
    form(r"(?<![\w.-])(?P<year>[12][0-9]{3})([-/.])(?P<month>[0-9]{1,2})\2(?P<day>[0-9]{1,2})(?![0-9])", _iso),
    form(
        r"(?<![\w./-])(?P<first>[0-9]{1,2})([-/.])(?P<second>[0-9]{1,2})\2(?P<year>[12][0-9]{3}|[0-9]{2})"
        r"(?![\w/-]|\.[0-9])",
        _numeric,
    ),
)
"""Dates with a month and a day, a year, or both; the more complete forms first."""

MONTH_FORMS = (
    form(
        r"\b(?:in|since|until|till|by|of|during|last|next|this|from|to|and|through|early|late|mid)[\s-]"
        rf"(?P<month>{_MONTH})(?![\w'’])",
        _month,
        0,
    ),
    form(
        r"\b(?P<month>January|February|April|June|July|August|September|October|November|December)\b",
        _mention,
        0,
    ),
)
"""Months by themselves."""

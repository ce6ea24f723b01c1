"""Times of day, in minutes after midnight."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from .patterns import form
from .quantity import Kind, Quantity
from .vocabulary import listed

__all__ = ["TIME_FORMS"]


def _time(match: re.Match[str], group: str | int, minutes: Decimal, *, sure: bool) -> Quantity:
    """A TIME; "clock12" says that it may be morning or evening."""
    start, end = match.span(group)
    unit = "clock24" if sure else "clock12"
    return Quantity(kind=Kind.TIME, text=match[group], start=start, end=end, low=minutes, high=minutes, unit=unit)


def _clock(match: re.Match[str]) -> Iterator[Quantity]:
    """9:30, 21:00, 9 a.m., 9 o'clock."""
    hour, minute = int(match["hour"]), int(match["minute"] or 0)
    half = (match["half"] or "").lower()[:1]
    if hour > 24 or minute > 59 or (half and not 1 <= hour <= 12):
        return
    sure = half in ("a", "p") or hour > 12 or match["hour"][0] == "0"
    if half in ("a", "p"):
        hour = hour % 12 + (12 if half == "p" else 0)
    seconds = Decimal(int(match["second"] or 0)) / 60
    yield _time(match, 0, Decimal(hour * 60 + minute) + seconds, sure=sure)


def _hour(match: re.Match[str]) -> Iterator[Quantity]:
    """The bare hour of "opens at 9"."""
    hour = int(match["hour"])
    yield _time(match, "hour", Decimal(hour * 60), sure=hour > 12)


def _noon(match: re.Match[str]) -> Iterator[Quantity]:
    yield _time(match, 0, Decimal(0 if match[0].lower() == "midnight" else 720), sure=True)


_HOURS = listed("one two three four five six seven eight nine ten eleven twelve")
_PARTS = {"half": 30, "quarter": 15, "five": 5, "ten": 10, "twenty": 20, "twenty-five": 25}


def _spoken(match: re.Match[str]) -> Iterator[Quantity]:
    """Half past seven, a quarter to 8, ten past nine in digits or words."""
    part, written = match["part"].lower().replace(" ", "-"), match["hour"].lower()
    if match["side"].lower() == "to" and part != "quarter" and not match["unit"]:
        return  # "ten to twelve" is a range
    minutes = _PARTS.get(part) or int(part)
    hour = _HOURS.index(written) + 1 if written in _HOURS else int(written)
    half = (match["half"] or "").lower()[:1]
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    after = hour * 60 + (minutes if match["side"].lower() == "past" else -minutes)
    yield _time(match, 0, Decimal(after % 1440), sure=bool(half))


_HALF = r"(?P<half>[ap]\.?\s?m\b\.?)"

_HOUR = rf"(?P<hour>{'|'.join(_HOURS)}|1[0-2]|[1-9])"
_ENDS = r"(?=\s?(?:[.;,!?)]\s|[.;,!?)]?$|\s(?:and|or|on|in|at|until|to|every|each|this|the|for|from|today|tomorrow)\b))"

TIME_FORMS = (
    form(
        r"(?<![\w-])(?:a\s)?(?P<part>half|quarter|twenty[\s-]five|twenty|ten|five|[1-5]?[0-9])(?P<unit>\sminutes?)?"
        rf"\s(?P<side>past|to)\s{_HOUR}(?:\s?{_HALF}|{_ENDS})",
        _spoken,
    ),
    form(
        r"(?<![\w.,:])(?P<hour>[0-9]{1,2})[:.](?P<minute>[0-5][0-9])(?::(?P<second>[0-5][0-9]))?\s?" + _HALF,
        _clock,
    ),
    form(
        r"(?<![\w.,:])(?P<hour>[0-9]{1,2}):(?P<minute>[0-5][0-9])(?::(?P<second>[0-5][0-9]))?(?P<half>)"
        r"(?![\w:]|\.[0-9])",
        _clock,
    ),
    form(rf"(?<![\w.,:])(?P<hour>[0-9]{{1,2}})(?P<minute>)(?P<second>)\s?(?:{_HALF}|o['’]clock\b)", _clock),
    form(
        r"\b(?:at|until|till|opens|closes)\s(?P<hour>[1-9]|1[0-9]|2[0-4])"
        r"(?=\s?(?:[.;,!?)]\s|[.;,!?)]?$|\s(?:and|or|on|in|until|to|every)\b))",
        _hour,
    ),
    form(r"(?<![\w-])(?:noon|midday|midnight)(?![\w-])", _noon),
)
"""The written forms of a time of day, the more complete ones first."""

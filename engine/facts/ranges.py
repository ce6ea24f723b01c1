"""Neighbouring numbers that are one quantity: ranges ("80-90%") and compound units ("5 feet 11 inches")."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal

from .quantity import Kind, Quantity
from .units import convert

__all__ = ["merge_neighbours"]

_DASH = re.compile(r"\s?[-–—−‐‑~]\s?")
_TO = re.compile(r"\s(?:to|through|till?|or)\s")
_AND = re.compile(r"\sand\s")
_COMPOUND = re.compile(r"\s?(?:,\s|\sand\s|\s|)")
_BETWEEN = re.compile(r"\bbetween\s{1,2}(?:about\s|approximately\s)?$", re.IGNORECASE)
_FROM = re.compile(r"\bfrom\s{1,2}(?:about\s|approximately\s)?$", re.IGNORECASE)
_LONGEST_GAP = 9
_HIGHEST_SCORE = 200
_NUMERIC = frozenset({Kind.CARDINAL, Kind.PERCENT, Kind.MONEY, Kind.MEASURE, Kind.DURATION, Kind.TIME})


def _joins(text: str, first: Quantity, second: Quantity) -> bool:
    """Whether the words around two neighbours make them the ends of a range."""
    gap, before = text[first.end : second.start], text[max(0, first.start - 24) : first.start]
    if _DASH.fullmatch(gap):
        return True
    if _BETWEEN.search(before):
        return _AND.fullmatch(gap) is not None or _TO.fullmatch(gap) is not None
    # "rose from 5 to 7" states two values.
    return _TO.fullmatch(gap) is not None and _FROM.search(before) is None


def _with_unit_of(first: Quantity, second: Quantity) -> Quantity:
    """`first` with the unit that only the second number carries: "80-90%", "5 to 7 km"."""
    if first.kind is second.kind or first.kind is not Kind.CARDINAL:
        return first
    factor = Decimal(1)
    if second.unit == "GBP" and second.step < 1 and second.text.endswith(("p", "pence")):
        factor = Decimal("0.01")
    return replace(
        first,
        kind=second.kind,
        unit=second.unit,
        dimension=second.dimension,
        sort=second.sort,
        low=first.low * factor,
        high=first.high * factor,
    )


def _with_scale_of(first: Quantity, second: Quantity) -> Quantity:
    """`first` with the scale that only the second number carries: "5-10 million"."""
    if second.step < 1000 or first.step >= second.step or first.low >= 1000:
        return first
    exponent = second.step.adjusted() - second.step.adjusted() % 3
    factor = Decimal(10) ** exponent
    return replace(first, low=first.low * factor, high=first.high * factor, step=first.step * factor)


def _ends(text: str, first: Quantity, second: Quantity) -> tuple[Quantity, Quantity] | None:
    """Both ends with their common unit and scale, or None where the words between them do not make a range."""
    if (
        first.is_range
        or second.is_range
        or not {first.kind, second.kind} <= _NUMERIC
        or not _joins(text, first, second)
    ):
        return None
    shared = first.kind is Kind.MONEY or (first.kind is Kind.PERCENT and second.low <= 100)
    if second.kind is Kind.CARDINAL and shared:
        second = replace(second, kind=first.kind, unit=first.unit)
    first = _with_scale_of(_with_unit_of(first, second), second)
    return (first, second) if first.kind is second.kind and first.unit == second.unit else None


def _is_score(text: str, first: Quantity, second: Quantity) -> bool:
    """Whether two bare whole numbers with a dash between them are the result of a game: "3-1", "2–2"."""
    bare = first.unit is None and second.unit is None and first.step == second.step == 1
    return bare and _DASH.fullmatch(text[first.end : second.start]) is not None and 0 <= first.low < _HIGHEST_SCORE


def _score(text: str, first: Quantity, second: Quantity) -> Quantity:
    """A result of a game, the higher side in `high`: which side comes first depends on who tells it."""
    return replace(
        first, text=text[first.start : second.end], end=second.end, low=abs(second.low), high=first.low, unit="score"
    )


def _range(text: str, first: Quantity, second: Quantity) -> tuple[Quantity, ...] | None:
    """The range from `first` to `second`; the two with one unit where they descend (a score "3-1", "7 to 3 kg")."""
    ends = _ends(text, first, second)
    if ends is None:
        return None
    low, high = ends[0], abs(ends[1].low)  # the dash of "5 -7" is no minus sign
    if low.low >= high:
        return (_score(text, first, second),) if _is_score(text, first, second) else ends
    whole = replace(
        low, text=text[first.start : second.end], end=second.end, high=high, step=max(low.step, second.step),
        counted=True, approximate=first.approximate or second.approximate,
    )  # fmt: skip
    return (whole,)


def _sum(text: str, first: Quantity, second: Quantity) -> Quantity | None:
    """ "5 feet 11 inches" and "2 hours and 30 minutes" as one length and one duration."""
    if first.dimension is None or first.dimension != second.dimension or first.unit == second.unit:
        return None
    if first.dimension == "temperature" or not _COMPOUND.fullmatch(text[first.end : second.start]):
        return None
    if first.is_range or second.is_range or not first.unit or not second.unit:
        return None
    part = convert(second.low, second.unit, first.unit)
    if not 0 <= part < 1 or first.low != first.low.to_integral_value():
        return None
    value = first.low + part
    step = convert(second.step, second.unit, first.unit)
    return replace(first, text=text[first.start : second.end], end=second.end, low=value, high=value, step=step)


def _joined(text: str, first: Quantity, second: Quantity) -> tuple[Quantity, ...]:
    """What two neighbours are together: one quantity, or two as they were or with a common unit."""
    if second.start - first.end > _LONGEST_GAP:
        return (first, second)
    total = _sum(text, first, second)
    return _range(text, first, second) or ((total,) if total else (first, second))


def merge_neighbours(text: str, found: list[Quantity]) -> tuple[Quantity, ...]:
    """`found`, in order of position, with ranges and compound units joined."""
    merged: list[Quantity] = found[:1]
    for quantity in found[1:]:
        merged[-1:] = _joined(text, merged[-1], quantity)
    return tuple(merged)

"""Quantities without a number of their own: "an hour", "a year and a half", "in his 30s"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from .patterns import form
from .quantity import Kind, Quantity
from .units import unit_of

__all__ = ["SINGLE_UNIT_FORMS"]

_UNITS = "second|minute|hour|day|week|fortnight|month|year|decade|century|millennium|mile|kilometre|kilometer"


def _single(match: re.Match[str]) -> Iterator[Quantity]:
    """Without "and a half" it only ever matches: "a day" is said too loosely to be held against a claim."""
    unit, half = unit_of(match["unit"]), match["half"] is not None
    value = Decimal("1.5") if half else Decimal(1)
    yield Quantity(
        kind=Kind.DURATION if unit.dimension == "time" else Kind.MEASURE,
        text=match[0],
        start=match.start(),
        end=match.end(),
        low=value,
        high=value,
        step=Decimal("0.1") if half else Decimal(1),
        unit=unit.name,
        dimension=unit.dimension,
        counted=half,
    )


def _age(match: re.Match[str]) -> Iterator[Quantity]:
    """Somebody "in his 30s": an age from 30 to 39."""
    low = Decimal(match["age"])
    first, last = {"early": (0, 4), "mid": (3, 7), "late": (5, 9)}.get((match["part"] or "").lower(), (0, 9))
    yield Quantity(
        kind=Kind.DURATION,
        text=match[0],
        start=match.start(),
        end=match.end(),
        low=low + first,
        high=low + last,
        unit="year",
        dimension="time",
        approximate=True,
    )


SINGLE_UNIT_FORMS = (
    form(
        rf"(?<!\w)(?<!\bhalf\s)(?:an?|entire|whole|next|last|past)\s(?P<unit>{_UNITS})(?P<half>\sand\sa\shalf)?(?!\w)",
        _single,
    ),
    form(
        r"\b(?:his|her|their|your|my|our)\s(?:(?P<part>early|mid|late)[\s-])?(?P<age>[2-9]0)['’]?s(?!\w)",
        _age,
    ),
)
"""An article and a unit of time or distance; an age by its decade."""

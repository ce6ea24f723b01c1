"""One unit said with an article: "an hour", "a decade", "a year and a half"."""

from __future__ import annotations

import re
from decimal import Decimal

from .quantity import Kind, Quantity
from .units import unit_of

__all__ = ["find_single_units"]

_UNITS = "second|minute|hour|day|week|fortnight|month|year|decade|century|millennium|mile|kilometre|kilometer"
_PATTERN = re.compile(
    rf"(?<![\w])(?:an?|entire|whole)\s(?P<unit>{_UNITS})(?P<half>\sand\sa\shalf)?(?![\w])", re.IGNORECASE
)


def find_single_units(text: str, taken: bytearray) -> list[Quantity]:
    """The units of `text` with an article. Marks in `taken` (a byte a character) what it used.

    Without "and a half" they only ever match: "a day" is said too loosely to be held against a claim.
    """
    found = []
    for match in _PATTERN.finditer(text):
        unit, half = unit_of(match["unit"]), match["half"] is not None
        value = Decimal("1.5") if half else Decimal(1)
        kind = Kind.DURATION if unit.dimension == "time" else Kind.MEASURE
        taken[match.start() : match.end()] = b"\x01" * len(match.group())
        found.append(
            Quantity(
                kind=kind,
                text=match.group(),
                start=match.start(),
                end=match.end(),
                low=value,
                high=value,
                step=Decimal("0.1") if half else Decimal(1),
                unit=unit.name,
                dimension=unit.dimension,
                counted=half,
            )  # fmt: skip
        )
    return found

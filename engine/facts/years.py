"""Years by themselves where their form shows it: spans, decades, centuries, eras."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from .patterns import form
from .quantity import Kind, PartialDate, Quantity
from .vocabulary import listed

__all__ = ["YEAR_FORMS", "year_quantity"]


def year_quantity(
    text: str, start: int, end: int, low: int, high: int | None = None, *, period: bool = False
) -> Quantity:
    """A YEAR; with `high` a span of years, and with `period` some year inside that span ("the 1990s")."""
    last = Decimal(low if high is None else high)
    return Quantity(
        kind=Kind.YEAR,
        text=text[start:end],
        start=start,
        end=end,
        low=Decimal(low),
        high=last,
        date=PartialDate(year=low),
        approximate=period,
    )


def _span(match: re.Match[str]) -> Iterator[Quantity]:
    """1999–2003, 1994-95 and 2019/20."""
    low, tail = int(match["low"]), match["high"]
    high = int(tail) if len(tail) == 4 else low - low % 100 + int(tail)
    if low < high:
        yield year_quantity(match.string, match.start(), match.end(), low, high)


_PARTS_OF_TEN = {"early": (0, 4), "mid": (3, 7), "late": (5, 9)}


def _decade(match: re.Match[str]) -> Iterator[Quantity]:
    """The 1990s, the late 1990s, and the hundred years of the 1800s."""
    low = int(match["decade"])
    first, last = _PARTS_OF_TEN.get((match["part"] or "").lower(), (0, 9))
    if low % 100 == 0 and low < 2000:
        first, last = 0, 99
    yield year_quantity(match.string, match.start("decade"), match.end(), low + first, low + last, period=True)


def _short_decade(match: re.Match[str]) -> Iterator[Quantity]:
    """The "80s" of the last century, or of this one up to the twenties."""
    tens = int(match["decade"])
    low = (2000 if tens <= 20 else 1900) + tens
    yield year_quantity(match.string, match.start("decade"), match.end(), low, low + 9, period=True)


_ORDINALS = listed(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first"
)


def _century(match: re.Match[str]) -> Iterator[Quantity]:
    written = match["ordinal"].lower()
    number = int(written[:-2]) if written[0].isdigit() else _ORDINALS.index(written.replace(" ", "-")) + 1
    low, high = 100 * (number - 1), 100 * number
    if match["era"]:
        low, high = -high, -low
    if number >= 1:
        yield year_quantity(match.string, match.start(), match.end(), low, high, period=True)


def _era_year(match: re.Match[str]) -> Iterator[Quantity]:
    digits = re.sub(r"[^0-9]", "", match["year"] or match["late"])
    sign = -1 if match["before"] else 1
    yield year_quantity(match.string, match.start(), match.end(), sign * int(digits))


_MODERN = r"(?:1[5-9][0-9]{2}|20[0-9]{2})"
_BEFORE_CHRIST = r"b\.?c\.?(?:e\.?)?"

YEAR_FORMS = (
    form(
        r"(?<![\w.,/-])(?P<low>1[0-9]{3}|20[0-9]{2})\s?[-–—/]\s?(?P<high>1[0-9]{3}|20[0-9]{2}|[0-9]{2})(?![\w/-])",
        _span,
    ),
    form(
        rf"(?<![\w.,])(?P<low>{_MODERN})\s(?:to|until|through|and)\s(?P<high>{_MODERN})(?![\w-]|[.,][0-9])",
        _span,
    ),
    form(
        r"(?:(?<!\w)(?P<part>early|mid|late)[\s-])?(?<![\w.,])(?:the\s)?(?P<decade>1[0-9]{2}0|20[0-9]0)['’]?s(?!\w)",
        _decade,
    ),
    form(
        r"(?:(?<=the\s)|(?<=early\s)|(?<=early-)|(?<=mid-)|(?<=late\s)|(?<=['’‘]))(?P<decade>[1-9]0)['’]?s(?!\w)",
        _short_decade,
    ),
    form(
        rf"(?<!\w)(?P<ordinal>[0-9]{{1,2}}(?:st|nd|rd|th)|{'|'.join(_ORDINALS)}|twenty\sfirst)[\s-]century"
        rf"(?P<era>\s{_BEFORE_CHRIST})?(?!\w)",
        _century,
    ),
    form(
        r"(?<![\w.,])(?:(?P<year>[0-9]{1,2}[, ][0-9]{3}|[0-9]{1,4})\s?"
        rf"(?:(?P<before>{_BEFORE_CHRIST})|c\.?e\.?|a\.?d\.?)(?!\w)|a\.?d\.?\s(?P<late>[0-9]{{1,4}})(?!\w))",
        _era_year,
    ),
)
"""Years whose form marks them; a bare 1999 is told from a number by its neighbours elsewhere."""

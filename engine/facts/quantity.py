"""What a quantity in a text is: its kind, its value or range, its unit, and where it stands."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

__all__ = ["Kind", "PartialDate", "Quantity", "Role"]


class Kind(StrEnum):
    """What a number counts or names. ORDINAL and IDENTIFIER are found so that they are not taken for values."""

    CARDINAL = "cardinal"
    PERCENT = "percent"
    MONEY = "money"
    MEASURE = "measure"
    DURATION = "duration"
    DATE = "date"
    YEAR = "year"
    TIME = "time"
    ORDINAL = "ordinal"
    IDENTIFIER = "identifier"


class Role(StrEnum):
    """What the words beside a number make of it: the value itself, or a bound of it."""

    VALUE = "value"
    AT_LEAST = "at least"
    MORE_THAN = "more than"
    AT_MOST = "at most"
    LESS_THAN = "less than"

    @property
    def direction(self) -> int:
        """+1 for a lower bound, -1 for an upper bound, 0 for the value itself."""
        return {"at least": 1, "more than": 1, "at most": -1, "less than": -1}.get(self.value, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class PartialDate:
    """A calendar date of which some fields may be unknown (None).

    `swappable` marks a numeric date such as 03/05/1999 whose day and month may be the other way round.
    """

    year: int | None = None
    month: int | None = None
    day: int | None = None
    swappable: bool = False

    def readings(self) -> tuple[PartialDate, ...]:
        """The one or two dates that this may be."""
        if not self.swappable:
            return (self,)
        return (
            PartialDate(year=self.year, month=self.month, day=self.day),
            PartialDate(year=self.year, month=self.day, day=self.month),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """One quantity of a text; `text` is `source[start:end]`, offsets in code points.

    low, high    the value (equal), or both ends of a range; years for YEAR and DATE, minutes after midnight
                 for TIME, 0 for an IDENTIFIER
    step         the place value of the last digit written: 1 for 4,998, 0.1 for 5.0, 1,000,000 for "5 million"
    unit         canonical unit (a pint name, an ISO 4217 code, "$" and "kr" for a dollar or krone of no named
                 country, "percent", "percentage_point", "score" for the result of a game) or None
    dimension    "length", "mass", ...: units of one dimension convert into each other
    date         the fields of a DATE or YEAR
    approximate  said with "about", "nearly", ...; for a range: somewhere inside it ("the 1990s")
    role         value or bound
    sort         what sort of days or years is counted ("business", "sick"), None where the text does not say
    counted      False for "one" and "a": they match, but are too often an article to be held against a claim
    """

    kind: Kind
    text: str
    start: int
    end: int
    low: Decimal = Decimal(0)
    high: Decimal = Decimal(0)
    step: Decimal = Decimal(1)
    unit: str | None = None
    dimension: str | None = None
    date: PartialDate | None = None
    approximate: bool = False
    role: Role = Role.VALUE
    sort: str | None = None
    counted: bool = True

    @property
    def is_range(self) -> bool:
        """Whether two ends are given instead of one value."""
        return self.low != self.high

    @property
    def fires(self) -> bool:
        """Whether a text that states it differently is wrong about it."""
        return self.counted and self.kind not in (Kind.ORDINAL, Kind.IDENTIFIER)

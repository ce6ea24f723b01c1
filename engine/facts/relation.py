"""How one quantity of a claim stands to one quantity of its evidence: equal, different, or not comparable."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from enum import Enum

from .currencies import same_currency
from .day_sorts import opposed_sorts
from .quantity import Kind, PartialDate, Quantity, Role
from .units import convert
from .vocabulary import listed

__all__ = ["Relation", "relation"]


class Relation(Enum):
    """What a pair of values says.

    EQUAL      the evidence states the same value
    FITS       its value keeps to the claim's bound or range ("more than 50" of 63), or is the same bare number
    VAGUER     it allows the value without stating it: "in 2001" of "from 1999 to 2003"
    DIFFERS    it states another value of the same kind
    UNRELATED  the two are of different kinds
    """

    EQUAL = "equal"
    FITS = "fits"
    DIFFERS = "differs"
    VAGUER = "vaguer"
    UNRELATED = "unrelated"


_CALENDAR = frozenset({Kind.DATE, Kind.YEAR})
_HALF = Decimal("0.5")
_EXACT = Decimal("1e-12")
_ROUNDING_LIMIT = Decimal("0.05")
"""A number may be a rounding of another only within this share of it: 5 million of 5.2, not 1 million of 1.4."""
_ABOUT_LIMIT = Decimal("0.10")
_CALENDAR_SLACK = Decimal("0.015")
"""52 weeks are a year and 30 days a month, though not to the day."""
_FOUR_WEEKS_SLACK = Decimal("0.09")
"""Four weeks are called a month, though it is two days longer."""


def _close(first: Decimal, second: Decimal, slack: Decimal) -> bool:
    return abs(first - second) <= max(slack, _EXACT * max(abs(first), abs(second)))


def _place(value: Decimal) -> Decimal:
    """The place value of the last non-zero digit: 100 for 1,300."""
    normal = value.normalize()
    exponent = normal.as_tuple().exponent
    return Decimal(1).scaleb(exponent) if isinstance(exponent, int) and normal else Decimal(1)


def _slack(claim: Quantity, value: Decimal, other: Decimal, other_step: Decimal, *, converted: bool) -> Decimal:
    """How far a stated value may lie from the claim's and still be what it says, as precisely as it is written."""
    limit = _ROUNDING_LIMIT * abs(value)
    step = max(claim.step, other_step) if converted else claim.step if claim.step > other_step else Decimal(0)
    slack = min(step * _HALF, limit)
    if claim.approximate and (converted or max(_place(value), claim.step) > _place(other)):
        slack = max(slack, min(max(_place(value), claim.step) * _HALF, _ABOUT_LIMIT * abs(value)))
    return slack


def _calendar_slack(claim: Quantity, stated: Quantity) -> Decimal:
    """How far durations in two units may lie apart because months and years differ in length."""
    if claim.dimension != "time" or claim.unit == stated.unit:
        return Decimal(0)
    share = _FOUR_WEEKS_SLACK if {claim.unit, stated.unit} == {"month", "week"} else _CALENDAR_SLACK
    return share * abs(claim.low)


def _values(claim: Quantity, stated: Quantity) -> tuple[Decimal, Decimal, Decimal]:
    """The ends and step of `stated` in the unit of `claim`."""
    if claim.dimension is None or not claim.unit or not stated.unit or claim.unit == stated.unit:
        return stated.low, stated.high, stated.step
    low, high = (convert(value, stated.unit, claim.unit) for value in (stated.low, stated.high))
    return low, high, abs(convert(stated.step, stated.unit, claim.unit, difference=True))


def _numeric(claim: Quantity, stated: Quantity) -> Relation:
    low, high, step = _values(claim, stated)
    converted = claim.unit != stated.unit and claim.dimension is not None
    least = _calendar_slack(claim, stated)
    near_low = _close(claim.low, low, max(least, _slack(claim, claim.low, low, step, converted=converted)))
    near_high = _close(claim.high, high, max(least, _slack(claim, claim.high, high, step, converted=converted)))
    if claim.role.direction * stated.role.direction < 0 and claim.kind is not Kind.DURATION:
        return Relation.DIFFERS  # but "over 8 months" may be said of the months that it took
    if near_low and near_high:
        return Relation.EQUAL
    if claim.is_range or stated.is_range:
        return _ranges(claim, stated, low, high)
    return _bounds(claim, stated, low, step)


def _ranges(claim: Quantity, stated: Quantity, low: Decimal, high: Decimal) -> Relation:
    """One side, or both, is a range and they are not the same."""
    if claim.is_range and not stated.is_range:
        return Relation.FITS if claim.low <= low <= claim.high else Relation.DIFFERS
    if claim.is_range:
        return Relation.DIFFERS
    if claim.low in (low, high):
        return Relation.EQUAL
    return Relation.VAGUER if low <= claim.low <= high else Relation.DIFFERS


def _bounds(claim: Quantity, stated: Quantity, value: Decimal, step: Decimal) -> Relation:
    """Two single values that are not equal: one may be a bound that the other keeps."""
    claimed, said = claim.role.direction, stated.role.direction
    if claimed and not said:
        return Relation.FITS if (value - claim.low) * claimed > 0 else Relation.DIFFERS
    if claimed and claimed == said:
        return _weaker_bound(claim, value)
    rounded = step > claim.step and _close(claim.low, value, min(step * _HALF, _ROUNDING_LIMIT * abs(value)))
    return Relation.VAGUER if rounded and not said else Relation.DIFFERS


def _weaker_bound(claim: Quantity, value: Decimal) -> Relation:
    """FITS when the claim only rounds the bound off the safe way: "over 1,300" of "over 1,350"."""
    margin = (value - claim.low) * claim.role.direction
    coarser = _place(claim.low) > _place(value)
    return Relation.FITS if coarser and 0 < margin < min(_place(claim.low), _ABOUT_LIMIT * value) else Relation.DIFFERS


def _time(claim: Quantity, stated: Quantity) -> Relation:
    day = Decimal(720) if "clock12" in (claim.unit, stated.unit) else Decimal(1440)
    if claim.is_range or (stated.is_range and not claim.role.direction):
        return _numeric(claim, stated)
    if claim.low % day == stated.low % day and not stated.is_range:
        return Relation.EQUAL
    return _kept(claim, stated, stated.low - claim.low)


def _kept(claim: Quantity, stated: Quantity, difference: Decimal) -> Relation:
    """FITS when the claim only says before or after and the evidence says when: "after 9" of 9:40."""
    bound = claim.role.direction if stated.role is Role.VALUE else 0
    return Relation.FITS if bound * difference > 0 else Relation.DIFFERS


def _fields(date: PartialDate) -> dict[str, int]:
    named = {"year": date.year, "month": date.month, "day": date.day}
    return {name: value for name, value in named.items() if value is not None}


def _dates(claim: PartialDate, stated: PartialDate) -> Relation:
    """A date less exact than the evidence is equal to it; one more exact is not stated by it."""
    claimed, said = _fields(claim), _fields(stated)
    shared = claimed.keys() & said.keys()
    if any(claimed[name] != said[name] for name in shared):
        return Relation.DIFFERS
    if claimed.keys() <= said.keys():
        return Relation.EQUAL
    return Relation.VAGUER if shared else Relation.UNRELATED


_ORDER = (Relation.EQUAL, Relation.FITS, Relation.VAGUER, Relation.DIFFERS, Relation.UNRELATED)


_DIFFERS = Relation.DIFFERS


def _day_number(date: PartialDate) -> Decimal:
    """A number that grows with the date, for two dates with the same fields known."""
    return Decimal((date.year or 0) * 372 + (date.month or 0) * 31 + (date.day or 0))


def _calendar(claim: Quantity, stated: Quantity) -> Relation:
    if not claim.is_range and not stated.is_range and claim.date and stated.date:
        pairs = [(first, second) for first in claim.date.readings() for second in stated.date.readings()]
        best = min((_dates(*pair) for pair in pairs), key=_ORDER.index)
        return _kept(claim, stated, _day_number(stated.date) - _day_number(claim.date)) if best is _DIFFERS else best
    if (claim.date and claim.date.year is None) or (stated.date and stated.date.year is None):
        return Relation.UNRELATED
    return _years(claim, stated)


def _years(claim: Quantity, stated: Quantity) -> Relation:
    """Spans of years: "the 1990s" holds any of its years; "1999–2003" states its two ends."""
    if claim.low == stated.low and claim.high == stated.high:
        return Relation.EQUAL
    overlap = claim.low <= stated.high and stated.low <= claim.high
    if not overlap:
        return Relation.DIFFERS
    if claim.is_range:
        inside = claim.low <= stated.low and stated.high <= claim.high
        if claim.approximate:
            return Relation.FITS if inside or not stated.approximate else Relation.VAGUER
        return Relation.VAGUER if not stated.is_range else Relation.DIFFERS
    at_end = claim.low in (stated.low, stated.high) and not stated.approximate
    return Relation.EQUAL if at_end and claim.kind is Kind.YEAR else Relation.VAGUER


def _same_number(claim: Quantity, stated: Quantity) -> bool:
    return claim.low == stated.low and claim.high == stated.high


def _pounds(claim: Quantity, stated: Quantity) -> bool:
    """Whether one side says "pounds" of money and the other read it as weight."""
    return {claim.unit, stated.unit} == {"GBP", "pound"} and claim.kind is not stated.kind


_LETTER_SCALES = {"meter": 10**6, "kelvin": 10**3}


def _letter_scale(claim: Quantity, stated: Quantity) -> bool:
    """Whether "5m" was read as metres on one side and means millions, or the other way round; so with "65K"."""
    for unit, number in ((claim, stated), (stated, claim)):
        scale = _LETTER_SCALES.get(unit.unit or "")
        if scale and number.kind is Kind.CARDINAL and unit.low * scale == number.low:
            return _ends_in_letter(unit.text) or _ends_in_letter(number.text)
    return False


def _ends_in_letter(text: str) -> bool:
    return text[-1:].isalpha() and text[-2:-1].isdigit()


def _clock_number(clock: Quantity, number: Quantity) -> bool:
    """Whether a bare "9" or "9.57" may be the time 9:00 or 9:57."""
    hour = int(number.low)
    minutes = hour * 60 + (number.low - hour) * 100
    return number.kind is Kind.CARDINAL and clock.low % 720 == minutes % 720


def _mixed(claim: Quantity, stated: Quantity) -> Relation:
    """Two kinds: the same bare number may be the same thing ("25" and "$25"), another is not comparable."""
    if stated.kind is Kind.IDENTIFIER:
        return Relation.FITS if claim.text.strip("$€£% ") in stated.text else Relation.UNRELATED
    if Kind.TIME in (claim.kind, stated.kind):
        clock, other = (claim, stated) if claim.kind is Kind.TIME else (stated, claim)
        return Relation.FITS if _clock_number(clock, other) else Relation.UNRELATED
    bare = Kind.CARDINAL in (claim.kind, stated.kind) or _pounds(claim, stated)
    same = (bare and _same_number(claim, stated)) or _letter_scale(claim, stated)
    return Relation.FITS if same else Relation.UNRELATED


_POINTED = frozenset(listed("EUR CHF SEK NOK DKK kr PLN CZK HUF TRY RUB BRL ARS CLP COP IDR VND"))
"""Currencies of countries that also write 5.000 for five thousand."""


def _readings(money: Quantity) -> tuple[Quantity, ...]:
    """What an amount may be: "€5.000" is five thousand to a German reader, and five to an English one."""
    if money.unit not in _POINTED or money.step != Decimal("0.001") or not 1 <= money.low < 1000:
        return (money,)
    return money, replace(money, low=money.low * 1000, high=money.high * 1000, step=Decimal(1))


def _amount(claim: Quantity, stated: Quantity) -> Relation:
    claimed, said = _readings(claim), _readings(stated)
    as_written, *others = (_numeric(one, other) for one in claimed for other in said)
    if len(claimed) == len(said):
        return as_written
    fitting = {Relation.EQUAL, Relation.FITS} & {as_written, *others}
    return Relation.FITS if fitting else as_written


def _money(claim: Quantity, stated: Quantity) -> Relation:
    if same_currency(claim.unit or "", stated.unit or ""):
        return _amount(claim, stated)
    return Relation.DIFFERS if _same_number(claim, stated) else Relation.UNRELATED


def _percent(claim: Quantity, stated: Quantity) -> Relation:
    points = "percentage_point"
    if (claim.unit == points) is (stated.unit == points):
        return _numeric(claim, stated)
    return Relation.DIFFERS if _same_number(claim, stated) else Relation.UNRELATED


_SCALES_OF_HEAT = ("degree_Celsius", "degree_Fahrenheit")


def _degrees(claim: Quantity, stated: Quantity) -> Relation:
    """An angle and a temperature: bare "20 degrees" may be either, and a temperature of either scale."""
    bare, heat = (claim, stated) if claim.unit == "degree" else (stated, claim)
    if bare.unit != "degree" or heat.unit not in _SCALES_OF_HEAT:
        return Relation.UNRELATED
    scales = (replace(bare, unit=unit, dimension=heat.dimension) for unit in (heat.unit, *_SCALES_OF_HEAT))
    found = [_numeric(*((each, heat) if bare is claim else (heat, each))) for each in scales]
    if bare is claim and found[0] is Relation.EQUAL:
        return Relation.EQUAL
    return Relation.FITS if Relation.EQUAL in found else Relation.UNRELATED


def _score(claim: Quantity, stated: Quantity) -> Relation:
    """Results of games; "1-3" may have been read as a range, but one number alone is no result."""
    if _same_number(claim, stated):
        return Relation.EQUAL
    pair = all(quantity.unit == "score" or quantity.is_range for quantity in (claim, stated))
    return Relation.DIFFERS if pair else Relation.UNRELATED


def relation(claim: Quantity, stated: Quantity) -> Relation:
    """How `claim`, a quantity of a claim, stands to `stated`, one of its evidence."""
    if {claim.kind, stated.kind} <= _CALENDAR:
        return _calendar(claim, stated)
    if claim.kind is not stated.kind:
        return _mixed(claim, stated)
    if claim.kind is Kind.TIME:
        return _time(claim, stated)
    if claim.kind is Kind.MONEY:
        return _money(claim, stated)
    if claim.kind is Kind.PERCENT:
        return _percent(claim, stated)
    if "score" in (claim.unit, stated.unit):
        return _score(claim, stated)
    if opposed_sorts(claim.sort, stated.sort) and claim.unit == stated.unit and _same_number(claim, stated):
        return Relation.DIFFERS  # ten sick days are not ten vacation days
    return _numeric(claim, stated) if claim.dimension == stated.dimension else _degrees(claim, stated)

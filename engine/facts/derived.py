"""Values that a reader may work out of the evidence: sums, differences, counts. They are no contradictions."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from itertools import combinations

from .quantity import Kind, Quantity
from .units import convert

__all__ = ["is_derivable", "is_total"]

_MOST = 12
"""More values than this are a table: almost any number would be some difference of two of them."""


def _in_unit_of(claim: Quantity, stated: Quantity) -> Decimal:
    if claim.dimension is None or not claim.unit or not stated.unit:
        return stated.low
    return convert(stated.low, stated.unit, claim.unit)


def is_total(claim: Quantity, stated: Sequence[Quantity]) -> bool:
    """Whether `claim` is the sum of all of `stated`, at least two counts of the same thing."""
    return len(stated) >= 2 and claim.kind is Kind.CARDINAL and claim.low == sum(quantity.low for quantity in stated)


def is_derivable(claim: Quantity, stated: Sequence[Quantity]) -> bool:
    """Whether `claim` is the sum of `stated`, values of its own kind, or the sum or difference of two of them."""
    if claim.kind in (Kind.YEAR, Kind.DATE, Kind.TIME) or claim.is_range or not 2 <= len(stated) <= _MOST:
        return False
    values = [_in_unit_of(claim, quantity) for quantity in stated]
    if claim.low == sum(values) or (claim.kind is Kind.CARDINAL and claim.low == len(values)):
        return True
    return any(claim.low in (first + second, abs(first - second)) for first, second in combinations(values, 2))

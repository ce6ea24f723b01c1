"""What sort of days or years a duration counts: business days, sick days, fiscal years."""

from __future__ import annotations

import re

from .vocabulary import listed

__all__ = ["SORTED_TIME", "opposed_sorts", "sort_of"]

_SORTS = listed(
    """business working calendar consecutive straight full whole more additional extra paid unpaid vacation holiday
    sick solid academic fiscal school"""
)
_SAME = {"working": "business", "straight": "consecutive", "whole": "full", "additional": "more", "extra": "more"}
_OPPOSED = tuple(
    frozenset(pair.split("/"))
    for pair in listed("business/calendar paid/unpaid sick/vacation sick/holiday fiscal/calendar academic/calendar")
)

SORTED_TIME = re.compile(
    rf"[\s-](?P<sort>{'|'.join(_SORTS)})[\s-](?P<unit>minutes?|hours?|days?|weeks?|months?|years?)(?!\w)", re.IGNORECASE
)
"""A sort and a unit of time; match it where the number ends."""


def sort_of(word: str) -> str:
    """The sort that `word` names; words for one sort give one name."""
    lowered = word.lower()
    return _SAME.get(lowered, lowered)


def opposed_sorts(first: str | None, second: str | None) -> bool:
    """Whether what is of the one sort is not of the other: paid days may be sick days, business days no calendar days.

    A duration that names no sort may be of any.
    """
    return {first, second} in _OPPOSED

"""Whether two quantities in one place of two texts are one value, down to its sort, bound and order."""

from __future__ import annotations

from .quantity import Kind, Quantity
from .relation import Relation, relation

__all__ = ["in_order", "same_value"]


def same_value(one: Quantity, other: Quantity) -> bool:
    """Whether `one` may stand for `other` anywhere: "12 km" for "twelve kilometres", not "5 days" for "5 sick days".

    Stricter than `relation`, which also asks what may be meant.
    """
    if Kind.ORDINAL in (one.kind, other.kind):
        return one.kind is other.kind and one.low == other.low
    if Kind.IDENTIFIER in (one.kind, other.kind):
        return one.kind is other.kind and one.text.casefold() == other.text.casefold()
    exact = one.role is other.role and one.sort == other.sort and in_order(one, other)
    return exact and relation(one, other) is Relation.EQUAL


def in_order(one: Quantity, other: Quantity) -> bool:
    """Whether two results of games, if they are any, name the same side first: 3-1 and 1-3 do not."""
    return one.low == one.high or (one.unit == "score") is (other.unit == "score")

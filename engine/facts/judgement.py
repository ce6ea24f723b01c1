"""One quantity of a claim against all quantities of its evidence: equal, different, missing, or not comparable.

The values alone do not decide. "3 wins and 5 losses" has a 5, and is still no evidence for "5 wins"; so the words
around two quantities say whether they are about the same thing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .context import Context
from .derived import is_derivable, is_total
from .findings import Finding, FindingStatus
from .quantity import Kind, Quantity
from .relation import Relation, relation
from .vocabulary import listed
from .words import stem

__all__ = ["Stated", "judge", "unknown"]


@dataclass(frozen=True, slots=True)
class Stated:
    """A quantity of the evidence and where it stands."""

    quantity: Quantity
    index: int
    context: Context


@dataclass(frozen=True, slots=True)
class _Pair:
    """A quantity of the evidence beside the claim's, and how alike the words around the two are.

    `shared` and `overlap` are the number and the share of the claim's words near the quantity that stand near this
    one too; `sides` counts the neighbouring words that are the same, left and right; `inside` holds when neither
    quantity begins or ends its sentence.
    """

    stated: Stated
    relation: Relation
    overlap: float
    shared: int
    same_noun: bool
    same_polarity: bool
    sides: int
    inside: bool

    @property
    def likeness(self) -> float:
        """How alike the surroundings are: 0 to 1.5."""
        return self.overlap + self.sides / 4

    @property
    def closeness(self) -> tuple[bool, float]:
        return self.same_noun, self.likeness

    @property
    def in_place(self) -> bool:
        """Whether it stands where the claim's stands in much the same sentence."""
        return self.sides == 2 and self.overlap >= _SAME_SENTENCE and self.shared >= 2


_ANYONE = frozenset(map(stem, listed("people persons individuals adults kids children animals things items")))
"""What a count of men and women, or of dogs and cats, may be given as."""
_FIELDS = ("year", "month", "day")
_SMALL_COUNT = 12
_SAME_SENTENCE = 0.5
_MARGIN = 0.3
"""How much closer than the equal value a different one must stand to take its place."""
_SAME_THING = {Kind.CARDINAL: 0.5, Kind.YEAR: 0.34, Kind.DATE: 0.34}
"""Overlap from which two quantities of a kind are about one thing; 0.25 for the others."""


def _pair(claim: Quantity, context: Context, stated: Stated) -> _Pair:
    other = stated.context
    return _Pair(
        stated=stated,
        relation=relation(claim, stated.quantity),
        overlap=context.overlap(other),
        shared=len(context.near & other.near),
        same_noun=bool(context.noun) and context.noun == other.noun,
        same_polarity=context.negated is other.negated,
        sides=context.shared_sides(other),
        inside=bool(context.before and context.after),
    )


def _same_thing(claim: Quantity, context: Context, pair: _Pair) -> bool:
    if claim.kind is not Kind.CARDINAL:
        return not context.near or pair.overlap >= _SAME_THING.get(claim.kind, 0.25)
    if _countable(claim) and context.noun in _ANYONE and not pair.same_noun:
        return False
    return pair.same_noun or pair.overlap >= _SAME_THING[Kind.CARDINAL]


def _closest(pairs: Sequence[_Pair]) -> _Pair:
    return max(pairs, key=lambda pair: pair.closeness)


def _finding(status: FindingStatus, claim: Quantity, pair: _Pair | None = None) -> Finding:
    if pair is None:
        return Finding(status=status, claim=claim)
    return Finding(
        status=status, claim=claim, stated=pair.stated.quantity, evidence_index=pair.stated.index, overlap=pair.overlap
    )


def _assembled(claim: Quantity, pairs: Sequence[_Pair]) -> bool:
    """Whether the fields of a date stand in several dates of the evidence that all agree with it."""
    if claim.kind is not Kind.DATE:
        return _both_ends(claim, pairs)
    dates = [pair for pair in pairs if pair.stated.quantity.date is not None and not pair.stated.quantity.is_range]
    agreeing = [pair.stated.quantity.date for pair in dates if pair.relation is Relation.VAGUER]
    years = {pair.stated.quantity.date.year for pair in dates if pair.stated.quantity.date}
    known = {name for date in agreeing if date for name in _FIELDS if getattr(date, name) is not None}
    if known and claim.date and claim.date.year in years:
        known.add("year")
    return {name for name in _FIELDS if getattr(claim.date, name) is not None} <= known


def _both_ends(claim: Quantity, pairs: Sequence[_Pair]) -> bool:
    """Whether the evidence states both ends of the claim's range by themselves."""
    ends = {value for pair in pairs for value in (pair.stated.quantity.low, pair.stated.quantity.high)}
    return claim.is_range and {claim.low, claim.high} <= ends


def _countable(claim: Quantity) -> bool:
    """Whether a reader may have counted: "three colours" of "red, green and blue"."""
    small = 0 <= claim.low <= _SMALL_COUNT and claim.low == claim.low.to_integral_value()
    return claim.kind is Kind.CARDINAL and small and not claim.is_range


def _displaced(equal: _Pair, differing: Sequence[_Pair]) -> _Pair | None:
    """The different value that stands in the claim's place, when the equal one stands elsewhere in the evidence."""
    rivals = [pair for pair in differing if pair.in_place and pair.inside and pair.stated.quantity.counted]
    best = _closest(rivals) if rivals else None
    if best is None or equal.in_place or best.likeness < equal.likeness + _MARGIN:
        return None
    return best


def _of(pairs: Sequence[_Pair], wanted: Relation) -> list[_Pair]:
    return [pair for pair in pairs if pair.relation is wanted]


def _agreeing(claim: Quantity, pairs: Sequence[_Pair], about: Sequence[_Pair]) -> Finding | None:
    """MATCHED by an equal value or a kept bound; DIFFERENT where another value stands in its place."""
    equal, fitting = _of(pairs, Relation.EQUAL), _of(pairs, Relation.FITS)
    if not equal and fitting and about and _closest(about).closeness > _closest(fitting).closeness:
        return None
    best = _closest(equal or fitting) if equal or fitting else None
    if best is None:
        return _finding(FindingStatus.MATCHED, claim) if _assembled(claim, pairs) else None
    rival = _displaced(best, _of(pairs, Relation.DIFFERS))
    return _finding(FindingStatus.DIFFERENT, claim, rival) if rival else _finding(FindingStatus.MATCHED, claim, best)


def _disagreeing(claim: Quantity, pairs: Sequence[_Pair], about: Sequence[_Pair]) -> Finding:
    """No equal value stands in the evidence: another one does, or none."""
    vaguer = _of(pairs, Relation.VAGUER)
    differing = _of(pairs, Relation.DIFFERS)
    if is_total(claim, [pair.stated.quantity for pair in differing if pair.same_noun]):
        return _finding(FindingStatus.INCOMPARABLE, claim)
    derivable = is_derivable(claim, [pair.stated.quantity for pair in differing])
    best = _closest(about) if about else None
    if best is not None and vaguer and claim.kind is not Kind.DATE and _closest(vaguer).closeness > best.closeness:
        best = None
    if best is not None and ((best.in_place and best.inside) or not derivable):
        return _finding(FindingStatus.DIFFERENT, claim, best)
    if vaguer:
        return _finding(FindingStatus.INCOMPARABLE, claim, _closest(vaguer))
    loose = derivable or _countable(claim) or claim.unit == "share"
    return _finding(FindingStatus.INCOMPARABLE if loose else FindingStatus.MISSING, claim)


def judge(claim: Quantity, context: Context, evidence: Sequence[Stated]) -> Finding:
    """What the `evidence` says of `claim`, a quantity whose surroundings in the claim are `context`."""
    pairs = [_pair(claim, context, stated) for stated in evidence]
    counted = [pair for pair in _of(pairs, Relation.DIFFERS) if pair.stated.quantity.counted]
    about = [pair for pair in counted if _same_thing(claim, context, pair)]
    agreed = _agreeing(claim, pairs, about)
    if agreed is None and about and not any(pair.same_polarity for pair in about):
        return _finding(FindingStatus.INCOMPARABLE, claim, _closest(about))  # "not 3 years" of "4 years"
    return agreed or _disagreeing(claim, pairs, [pair for pair in about if pair.same_polarity])


def unknown(claim: Quantity) -> Finding:
    """The finding for a quantity that was not compared."""
    return _finding(FindingStatus.INCOMPARABLE, claim)

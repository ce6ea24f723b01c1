"""Two table rows compared cell by cell: a classifier hardly sees that two cells trade places."""

from __future__ import annotations

from enum import Enum, auto

from .facts.compare import FactVerdict, compare_facts
from .facts.words import words_of

__all__ = ["RowRelation", "compare_rows"]

Row = tuple[tuple[str, str], ...]


class RowRelation(Enum):
    """How a row of an answer stands to a row of a source.

    SAME     every cell stands under the same heading of the source's row
    OTHER    the row is about something else, or has another value under the same heading
    UNKNOWN  the rows do not share the headings that would tell
    """

    SAME = auto()
    OTHER = auto()
    UNKNOWN = auto()


def compare_rows(claim: str, source: str) -> RowRelation:
    """Compare two rows as models read them ("Plan: Pro; Price: $25"); the first cell says what a row is about."""
    ours, theirs = _cells(claim), dict(_cells(source))
    if len(ours) < 2 or len(theirs) < 2 or ours[0][0] not in theirs:
        return RowRelation.UNKNOWN
    shared = [(value, theirs[name]) for name, value in ours if name in theirs]
    if any(_differs(value, stated) for value, stated in shared):
        return RowRelation.OTHER
    same = len(shared) == len(ours) and all(_equal(value, stated) for value, stated in shared)
    return RowRelation.SAME if same else RowRelation.UNKNOWN


def _cells(row: str) -> Row:
    named = (cell.partition(": ") for cell in row.split("; "))
    return tuple((_plain(name), value) for name, found, value in named if found)


def _equal(value: str, stated: str) -> bool:
    if _plain(value) == _plain(stated):
        return True
    return compare_facts(value, [stated]).verdict is FactVerdict.CONSISTENT and _words(value) == _words(stated)


def _differs(value: str, stated: str) -> bool:
    """Whether the cells cannot both hold; "$25" and "$25 a month" can."""
    if _plain(value) == _plain(stated):
        return False
    if compare_facts(value, [stated]).verdict in (FactVerdict.DIFFERS, FactVerdict.MISSING):
        return True
    ours, theirs = set(_words(value)), set(_words(stated))
    return not (ours <= theirs or theirs <= ours)


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.stem for word in words_of(text, digits=False))


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold().strip(" .:*")

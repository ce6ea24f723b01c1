"""What a quantity is about: the content words around it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field

from .quantity import Quantity
from .words import STOPWORDS, Word, words_of

__all__ = ["Context", "ContextReader"]

_REACH = 8
"""Content words looked at on each side."""
_REACH_CHARS = 160
"""Characters looked at on each side, which bounds the work for a text of numbers alone."""
_BREAK = re.compile(r"[.!?\n](?=\s|$)")
_NEGATIONS = frozenset({"not", "never", "cannot", "neither"})


@dataclass(frozen=True, slots=True)
class Context:
    """The stems near a quantity, and the ones right before and right after it ("" at an edge).

    `negated` says that a "not" or "never" stands before it in its sentence.
    """

    near: frozenset[str]
    before: str
    after: str
    negated: bool = False

    @property
    def noun(self) -> str:
        """The word that a number before it may count, "" when it is no content word."""
        return "" if self.after in STOPWORDS else self.after

    def overlap(self, other: Context) -> float:
        """The share of this context's words that the other has: 0 to 1."""
        return len(self.near & other.near) / len(self.near) if self.near else 0.0

    def shared_sides(self, other: Context) -> int:
        """On how many sides the neighbouring word is the same, a common edge included: 0 to 2."""
        return int(self.before == other.before) + int(self.after == other.after)


@dataclass(slots=True)
class ContextReader:
    """Reads contexts out of one text; the text is split into words once."""

    text: str
    words: list[Word] = field(init=False)
    _starts: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.words = words_of(self.text, digits=False)
        self._starts = [word.start for word in self.words]

    def around(self, quantity: Quantity) -> Context:
        """The context of `quantity`, which was found in this text: within its sentence."""
        left = self.words[max(0, self._index(quantity.start) - 3 * _REACH) : self._index(quantity.start)]
        right_index = bisect_left(self._starts, quantity.end)
        right = self.words[right_index : right_index + 3 * _REACH]
        left = [word for word in left if self._connected(word.end, quantity.start)]
        right = [word for word in right if self._connected(quantity.end, word.start)]
        near = [*_content(left)[-_REACH:], *_content(right)[:_REACH]]
        return Context(
            near=frozenset(near),
            before=left[-1].stem if left else "",
            after=right[0].stem if right else "",
            negated=any(word.stem in _NEGATIONS or word.stem.endswith("n't") for word in left),
        )

    def _index(self, offset: int) -> int:
        return bisect_right(self._starts, offset - 1)

    def _connected(self, start: int, end: int) -> bool:
        return 0 <= end - start <= _REACH_CHARS and _BREAK.search(self.text, start, end) is None


def _content(words: list[Word]) -> list[str]:
    return [word.stem for word in words if word.stem not in STOPWORDS]

"""A string assembled from pieces of another one, with a way back to the offsets it came from.

A block quote or a list item holds its text in lines that each begin with a marker or with indentation, and
markup stands between the words of a sentence. The assembled text leaves those out; `origin` translates back.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from .spans import Span

__all__ = ["FlatText", "flatten"]


@dataclass(frozen=True, slots=True)
class FlatText:
    """`text` is the `pieces` of an original with a separator between; piece i begins at `starts[i]` in it."""

    text: str
    pieces: tuple[Span, ...]
    starts: tuple[int, ...]

    def origin(self, start: int, end: int) -> Span:
        """The range of the original that `text[start:end]`, which must not be empty, came from."""
        return Span(self._origin_index(start), self._origin_index(end - 1) + 1)

    def _origin_index(self, index: int) -> int:
        piece = bisect_right(self.starts, index) - 1
        return self.pieces[piece].start + index - self.starts[piece]


def flatten(original: str, pieces: Sequence[Span], separator: str) -> FlatText:
    """Join the `pieces` of `original`, which must be in order, not empty and not overlapping."""
    text = separator.join(original[start:end] for start, end in pieces)
    widths = (end - start + len(separator) for start, end in pieces[:-1])
    return FlatText(text, tuple(pieces), tuple(accumulate(widths, initial=0)))

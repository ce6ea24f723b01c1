"""Half-open ranges of a text, counted in code points (Python string indices)."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Span", "trim"]


class Span(NamedTuple):
    """`text[start:end]`; `start` is inclusive, `end` exclusive, both in code points."""

    start: int
    end: int


def trim(text: str, start: int, end: int) -> Span:
    """Narrow `[start, end)` past white space on both sides; an all-blank range becomes empty at `end`."""
    body = text[start:end]
    left = len(body) - len(body.lstrip())
    if left == len(body):
        return Span(end, end)
    return Span(start + left, start + len(body.rstrip()))

"""Letters that a mark makes another name or grade: "C++" and "C", "A+" and "A"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .template import template_of

__all__ = ["mark_mismatch"]

_MARKED = re.compile(r"(?<![^\W_])[A-Za-z](?:\+{1,2}|#)")
_MARKS = "+#"


def mark_mismatch(claim: str, sentence: str) -> tuple[str, str] | None:
    """The letter with its mark in `claim` and what stands for it in `sentence`, when all other words are the same."""
    if _MARKED.search(claim) is None and _MARKED.search(sentence) is None:
        return None
    claimed, stated = list(_words(claim)), list(_words(sentence))
    if len(claimed) != len(stated):
        return None
    differing = [(one, other) for one, other in zip(claimed, stated, strict=True) if one != other]
    if not differing or any(_letter(one) != _letter(other) for one, other in differing):
        return None
    return differing[0] if len(_letter(differing[0][0])) == 1 else None


def _words(text: str) -> Iterator[str]:
    """The words of `text` with a mark for each quantity."""
    first, *rest = template_of(text).gaps
    yield from first
    for gap in rest:
        yield "|"
        yield from gap


def _letter(word: str) -> str:
    return word.rstrip(_MARKS)

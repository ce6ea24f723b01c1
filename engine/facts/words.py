"""Words of a text in a light normal form, for comparing two texts word by word."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from .vocabulary import listed

__all__ = ["STOPWORDS", "Word", "stem", "words_of"]

STOPWORDS = frozenset(
    listed("""a an the and or but of in on at to for from by with as into about over under after before between during
    than that this these those it its he she they them his her their we our you your i is are was were be been
    being am has have had having do does did done will would can could shall should may might must which who whom
    whose what when where while there here so such also just only very too more most some any each all both other
    another then if up out off one's not no s""")
)
"""Words that say little about what a sentence is about."""

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_LETTERS = re.compile(r"(?<![^\W_])[^\W\d_]+(?:['’][^\W\d_]+)*(?![^\W_])")
_SUFFIXES = (
    ("ies", "y"),
    ("sses", "ss"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("xes", "x"),
    ("ing", ""),
    ("ed", ""),
    ("s", ""),
)


@dataclass(frozen=True, slots=True)
class Word:
    """One word: its stem, and its offsets in code points."""

    stem: str
    start: int
    end: int


def stem(word: str) -> str:
    """`word` in lower case without a possessive, plural, "-ed" or "-ing": crude, but alike on both sides."""
    return _remembered_stem(word) if len(word) <= _REMEMBERED_LENGTH else _stem(word)


def _stem(word: str) -> str:
    lowered = word.lower().replace("’", "'").removesuffix("'s").removesuffix("'")
    for suffix, replacement in _SUFFIXES:
        if lowered.endswith(suffix) and len(lowered) - len(suffix) >= 3 and not lowered.endswith("ss"):
            lowered = lowered[: len(lowered) - len(suffix)] + replacement
            break
    if len(lowered) > 3 and lowered[-1] == lowered[-2] and lowered[-1] not in "aeiouls":
        lowered = lowered[:-1]
    return lowered[:-1] if len(lowered) > 3 and lowered.endswith("e") else lowered


# The same words come back in every sentence; a longer one is no word, and would only fill the memory.
_REMEMBERED_LENGTH = 32
_remembered_stem = lru_cache(maxsize=32_768)(_stem)


def words_of(text: str, *, digits: bool = True) -> list[Word]:
    """Every word of `text`, stop words included, in order; without `digits`, only words of letters alone."""
    pattern = _WORD if digits else _LETTERS
    return [Word(stem(match.group()), *match.span()) for match in pattern.finditer(text)]

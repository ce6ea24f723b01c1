"""Which line ends of a paragraph were meant: a hard-wrapped sentence goes on, a new line of a list does not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from heapq import merge
from itertools import pairwise

__all__ = ["line_breaks"]

_SHORT_LINES = 40
"""Nobody wraps prose at fewer columns; shorter lines were broken on purpose."""

_CONTINUES = re.compile(r"[\W_]*[a-z(,;]")
_GOES_ON = re.compile(
    r"(?:[,(–—-]|\b(?:the|a|an|of|to|in|on|at|by|for|with|from|and|or|but|nor|as|than|that|which|who|is|are|was|were"
    r"|be|been|has|have|had|will|would|can|could|may|might|must|shall|should|not|its|their|his|her|our|your|this"
    r"|these|those|into|over|under|per|about|between|Mr|Mrs|Ms|Dr|St)\.?)\s*$",
    re.IGNORECASE,
)
_ENDS_SENTENCE = re.compile(r"[.!?:;…。！？][\"'”’)\]*_]*(?:\s*\[[^\]]{1,20}\])*\s*$")
_ITEM = re.compile(
    r"\s*(?:[(\[]?(?:\d{1,2}|[a-zA-Z]|[ivx]{2,4})[.)\]]\)?\s|[①-⑳❶-❿✅❌✔✓☑✗✘✖☐👉🔹🔸⭐📌•▪◦]|[-*+]\s|\|)"
)
_BOLD_LINE = re.compile(r"\s*(?:\*\*[^*]+\*\*|__[^_]+__):?\s*$")


def line_breaks(text: str, extra: Sequence[int]) -> Iterator[int]:
    """Positions in `text` where a new run begins: meant line ends, merged with the `extra` ones."""
    last = 0
    for at in merge(_meant(text), extra):
        if last < at < len(text):
            yield at
            last = at


def _meant(text: str) -> Iterator[int]:
    lines = text.splitlines(keepends=True)
    width = max((len(line.rstrip()) for line in lines), default=0)
    at = 0
    for line, following in pairwise(lines):
        at += len(line)
        if _is_meant(line.rstrip(), following, width):
            yield at


def _is_meant(line: str, following: str, width: int) -> bool:
    if _ITEM.match(following) or _BOLD_LINE.match(line):
        return True
    if _CONTINUES.match(following) or _GOES_ON.search(line):
        return False
    if _ENDS_SENTENCE.search(line) or width < _SHORT_LINES:
        return True
    first_word = following.split(maxsplit=1)[0] if following.strip() else ""
    return len(line) + 1 + len(first_word) <= width

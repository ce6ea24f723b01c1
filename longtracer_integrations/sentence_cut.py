"""Where the first sentence of a growing paragraph ends, once nothing that may follow can move that end."""

from __future__ import annotations

import re
from itertools import pairwise

from longtracer.engine.text.sentences import sentence_spans

from .line_kinds import ends_with_colon

__all__ = ["sentence_cut"]

_MAYBE_END = re.compile(r"[.!?…。！？．｡][^\w\s]*(?:\s|$)|[。！？．｡]")
_WIDE_END = re.compile(r"[。！？．｡][」』”’）)\]]*$")
_WHOLE_WORD = re.compile(r"\S+\s")
_CITATION = re.compile(r"(?:\[\^?\d[\d,;\s–-]*\]\s*)+")
_CLOSERS = "」』”’）)]"
_PAIRS = (("(", ")"), ("[", "]"), ("“", "”"), ("«", "»"), ("「", "」"), ("『", "』"), ("（", "）"))
_TWINS = ("**", "`", '"')
_LONGEST_PAIR = 600
_LONGEST_CITATION = 200


def sentence_cut(paragraph: str, *, closed: bool) -> int | None:
    """The offset behind the first sentence and the white space after it, or None while that is not certain.

    closed: the paragraph ends where the text ends, so that its last word is a whole word.

    A sentence end is certain when the next word is whole and no bracket, quotation or emphasis is open. What is still
    open after some sentences is a stray mark (a size in inches, say), which must not hold the rest of the paragraph.
    """
    if not _MAYBE_END.search(paragraph):
        return None
    spans = sentence_spans(paragraph)
    for left, right in pairwise(spans):
        cut = _behind_citations(paragraph, right.start)
        if cut is None:
            return None
        if not _is_certain(paragraph, left.end, cut, closed=closed):
            continue
        if cut > _LONGEST_PAIR or _is_balanced(paragraph[:cut]):
            return cut
    return None


def _behind_citations(paragraph: str, cut: int) -> int | None:
    """A citation such as [1] belongs to the sentence before it; None while it may still be growing."""
    if not paragraph.startswith("[", cut):
        return cut
    nearby = paragraph[cut : cut + _LONGEST_CITATION]
    may_grow = len(nearby) < _LONGEST_CITATION
    citation = _CITATION.match(nearby)
    if citation is not None:
        return None if may_grow and citation.end() == len(nearby) else cut + citation.end()
    return None if may_grow and "]" not in nearby else cut


def _is_certain(paragraph: str, sentence_end: int, cut: int, *, closed: bool) -> bool:
    rest = paragraph[cut:]
    if not rest or ends_with_colon(paragraph[:cut]):
        return False
    if paragraph[cut - 1].isspace():
        return closed or _WHOLE_WORD.match(rest) is not None
    return _WIDE_END.search(paragraph[:sentence_end]) is not None and rest[0] not in _CLOSERS


def _is_balanced(sentence: str) -> bool:
    if any(sentence.count(mark) % 2 for mark in _TWINS):
        return False
    return all(sentence.count(left) <= sentence.count(right) for left, right in _PAIRS)

"""Sentence boundaries: the `sentencex` library, plus repairs for what it is known to get wrong."""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterable, Iterator

import sentencex

from .spans import Span, trim

__all__ = ["sentence_spans"]

# The library counts in bytes and converts every boundary, which is quadratic in a long non-ASCII text.
_WINDOW = 1_000
_WIDEST_WINDOW = 8_000
"""Without a boundary in so many characters, the search goes on behind them: a quotation that never closes hides all."""
_SURROGATES = re.compile("[\ud800-\udfff]")
_TAIL = 24
_LONGEST_ABBREVIATION = 8

# A part that ends like this is not a whole sentence: the next part belongs to it.
_OPEN_END = re.compile(
    r"(?:^|[\s(\[\"'“‘])"
    r"(?:et al|[Aa]pprox|[Cc]a|[Cc]f|vs|viz|resp|incl|excl|[Aa]vg|e\.g|i\.e|Dr|Prof|Mr|Mrs|Ms|Mx|St|Rev|Gen|Col|Sgt"
    r"|Capt|Lt|Gov|Sen|Rep|Hon|Mt|Ft|Abs|Nr|bzw|z\.\s?B|d\.\s?h|Sr|Sra|Mme|Mlle|Figs?|Eqs?|Secs?|Vol|Nos|pp"
    r"|Refs?)\.\s*$"
)
_STOP = re.compile(r"[.!?\n\r\x0b\x0c\x1c-\x1e]|[^\x00-\x7f\w]")
"""A sentence can end only here; a text without it before its last character is one sentence."""
_ENUMERATOR = re.compile(r"\s*[(\[]?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{2,5})[.)\]]\)?\s*$")
_NO_STOP = re.compile(r"[^\s.!?…。！？]\s*$")
_LOWER_NEXT = re.compile(r"\s*[a-z]")
_CLOCK = re.compile(r"\d\s?[ap]\.m\.\s*$", re.IGNORECASE)
_AFTER_CLOCK = re.compile(
    r"\s*(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b|[A-Z]{1,3}T\b|UTC|GMT|Eastern|Pacific|Central)"
)
_REPLY = re.compile(r"\s*(?:No|Yes)\.\s+(?=[A-Z“\"$€£])")
_CHOICES = (
    "option|plan|type|class|grade|group|vitamin|team|series|version|level|category|tier|gate|hall|phase|model|choice"
    "|answer|size|zone|schedule|hepatitis|language|appendix|annex|exhibit|platform|terminal|block|variant|drive"
)
_AFTER_LETTER = re.compile(
    r"(?:(?<=\d)|(?<=\d[ \xa0]))[gmlshtk]\.\s+(?=[A-Z“\"(])"
    rf"|\b(?i:{_CHOICES})\s[A-Z]\.\s+(?=[A-Z“\"(])"
    rf"|(?<=[a-z]\s)[A-Z]\.\s+(?=(?i:{_CHOICES})\s[A-Z]\b)"
    r"|\b(?i:use|uses|using|used|choose|chose|pick|picked|select|selected|prefer|learn)\s[A-Z]\.\s+"
    r"(?=[A-Z][\w+#-]*\s(?:is|are|was|were|has|have|had|can|cannot|could|will|would|does|did|should|may|might)\b)"
)
"""A single letter that ends a sentence: a unit ("4 g."), an option ("option A."); not an initial."""
_OVERLOOKED = re.compile(r"…[\"'”’)]?\s+(?=[A-Z0-9“\"(])|[.!?]\s+(?=\(?\d{1,2}[.)](?:\s+[A-Z]|\s*$))")
_ABBREVIATION = re.compile(
    r"(?:\b(?:Figs?|Nos?|Eq|Sec|Ch|[Vv]ol|pp?|Art|[Cc]a|vs|Ref|Tab|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|[A-Z])"
    r"|[Aa]pprox)\Z"
)
"""Before a full stop and a number: the number belongs to it. As a lookbehind it would be tried at every letter."""
_CLOSED_PARENTHESIS = re.compile(r"[.!?][\"'”’]?\)\s+(?=[A-Z0-9“\"])")


def sentence_spans(text: str) -> tuple[Span, ...]:
    """The trimmed spans of the sentences of plain `text`, in order. Linear in the length of the text."""
    if not _STOP.search(text, 0, len(text.rstrip()) - 1):
        return tuple(span for span in [trim(text, 0, len(text))] if span.start < span.end)
    finer = (part for whole in _library_parts(text) for part in _split_overlooked(text, whole))
    parts = (part for sentence in _joined(text, finer) for part in _split_after_parenthesis(text, sentence))
    trimmed = (trim(text, start, end) for start, end in parts)
    return tuple(span for span in trimmed if span.start < span.end)


def _library_parts(text: str) -> Iterator[Span]:
    """What the library says, windowed; a sentence cut by the end of a window starts the next window."""
    readable = _SURROGATES.sub("\ufffd", text)
    left = start = 0
    size = _WINDOW
    while start < len(text):
        window = readable[start : start + size]
        bounds = [start + boundary["end_index"] for boundary in sentencex.get_sentence_boundaries("en", window)]
        last_window = start + size >= len(text)
        kept = bounds if last_window else bounds[:-1]
        if last_window and (not kept or kept[-1] < len(text)):
            kept = [*kept, len(text)]
        for bound in kept:
            if bound > left:
                yield Span(left, bound)
                left = bound
        if kept:
            start, size = left, _WINDOW
        elif size < _WIDEST_WINDOW:
            size *= 2
        else:
            start += size


def _joined(text: str, parts: Iterable[Span]) -> Iterator[Span]:
    current: Span | None = None
    for part in parts:
        if current is None:
            current = part
        elif _belongs_together(text, current, part):
            current = Span(current.start, part.end)
        else:
            yield current
            current = part
    if current is not None:
        yield current


def _belongs_together(text: str, current: Span, following: Span) -> bool:
    tail = text[max(current.start, current.end - _TAIL) : current.end]
    head = text[following.start : following.start + _TAIL]
    if _OPEN_END.search(tail):
        return True
    if current.end - current.start <= _TAIL and _ENUMERATOR.match(tail):
        return True
    if _CLOCK.search(tail) and _AFTER_CLOCK.match(head):
        return True
    return bool(_LOWER_NEXT.match(head) and _NO_STOP.search(tail))


def _split_overlooked(text: str, part: Span) -> Iterator[Span]:
    """Boundaries the library misses: `It is long… And then?`, `No. It is blue.`, `It is 38 mm. 2. It is new.`,
    `It is 4 g. It is new.`
    """
    start = part.start
    if reply := _REPLY.match(text, *part):
        yield Span(start, reply.end())
        start = reply.end()
    found = heapq.merge(
        _OVERLOOKED.finditer(text, start, part.end),
        _AFTER_LETTER.finditer(text, start, part.end),
        key=lambda match: match.end(),
    )
    for match in found:
        if match.end() == start or _ABBREVIATION.search(
            text, max(start, match.start() - _LONGEST_ABBREVIATION), match.start()
        ):
            continue
        yield Span(start, match.end())
        start = match.end()
    yield Span(start, part.end)


def _split_after_parenthesis(text: str, sentence: Span) -> Iterator[Span]:
    """`(It is red.) It is blue.` is two sentences; the library keeps them together."""
    start = sentence.start
    while text.startswith("(", trim(text, start, sentence.end).start):
        match = _CLOSED_PARENTHESIS.search(text, start, sentence.end)
        if match is None:
            break
        yield Span(start, match.end())
        start = match.end()
    yield Span(start, sentence.end)

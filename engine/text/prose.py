"""The sentences of one block, with their offsets, the text models read, and their citations."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from .blocks import Block
from .checkmarks import spoken_marks
from .citations import Citation
from .flat import FlatText, flatten
from .inline import Edit, Inline, scan_inline
from .line_breaks import line_breaks
from .sentences import sentence_spans
from .spans import Span

__all__ = ["Prose", "Unit", "plain_text", "tidy"]

_YEAR_IN_BRACKETS = re.compile(r"\[(\d{4}[a-z]?)\]")
_LINE_ENDS = re.compile("[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_BROKEN_WORD = re.compile(r"(?<![\w-])([^\W\d_]+)-\n\s*(?=[a-z])")
"""A word that a page layout has broken: `develop-` at the end of a line, `ment` on the next."""
_BROKEN_COMPOUND = re.compile(r"(?<=[^\W\d_])-\n\s*(?=[a-z])")
_SPACE_BEFORE_STOP = re.compile(r"\s+([.,;:!?](?:\s|$))")
_INVISIBLE = re.compile("[\u200b\u2060\ufeff\u00ad\u0000]")
_SURROGATES = re.compile("[\ud800-\udfff]")


_UNREADABLE = re.compile(f"{_INVISIBLE.pattern}|{_SURROGATES.pattern}")
_MARKUP = re.compile(
    r"[\\`<\[\]&*_~【]|://|www\.|\{\d|\((?:\w{1,12}[\s:#_-]{1,3}\^?\d"
    r"|(?:see|sources?|from|refs?|references?|citations?|cf)\b|[^()\n]{1,85}\.[a-z]{2,4}\b)",
    re.IGNORECASE,
)
_NO_MARKUP = Inline((), (), (), ())


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence or a line: `document[start:end] == text`; `span` is its place in the flat text of its block."""

    text: str
    start: int
    end: int
    span: Span
    model_text: str
    citations: tuple[Citation, ...]


class Prose:
    """The text of `block` of `document`, ready to be cut into units."""

    def __init__(self, document: str, block: Block) -> None:
        self.document = document
        self.flat: FlatText = flatten(document, block.pieces, "\n")
        self.inline: Inline = scan_inline(self.flat.text) if _MARKUP.search(self.flat.text) else _NO_MARKUP
        self._masked = _mask(self.flat.text, self.inline)
        self._edit_starts = [edit.start for edit in self.inline.edits]
        self._citation_starts = [citation.start for citation in self.inline.citations]

    def units(self) -> tuple[Unit, ...]:
        """The sentences of the block; what lies between them is white space, markup or citations."""
        return tuple(self.unit(*span) for run in self._runs() for span in self._sentences(run))

    def unit(self, start: int, end: int) -> Unit:
        """The unit made of `flat.text[start:end]`, which must not be empty."""
        origin = self.flat.origin(start, end)
        return Unit(
            self.document[origin.start : origin.end],
            *origin,
            Span(start, end),
            self.read(start, end),
            tuple(self._citations(start, end)),
        )

    def read(self, start: int, end: int) -> str:
        """What models read of `flat.text[start:end]`."""
        pieces, at = [], start
        for edit in self._edits(start, end):
            pieces += [self.flat.text[at : edit.start], edit.text]
            at = edit.end
        pieces.append(self.flat.text[at:end])
        return spoken_marks(tidy(_BROKEN_COMPOUND.sub("-", _BROKEN_WORD.sub(r"\1", "".join(pieces)))))

    def _edits(self, start: int, end: int) -> tuple[Edit, ...]:
        first, last = bisect_left(self._edit_starts, start), bisect_left(self._edit_starts, end)
        return self.inline.edits[first:last]

    def _citations(self, start: int, end: int) -> Iterator[Citation]:
        first, last = bisect_left(self._citation_starts, start), bisect_left(self._citation_starts, end)
        for citation in self.inline.citations[first:last]:
            origin = self.flat.origin(citation.start, citation.end)
            yield Citation(self.document[origin.start : origin.end], *origin, citation.numbers)

    def _runs(self) -> Iterator[Span]:
        """Stretches between the line breaks that were meant as such."""
        text, start = self.flat.text, 0
        if not self.inline.breaks and not _LINE_ENDS.search(text):
            yield Span(0, len(text))
            return
        for at in line_breaks(text, self.inline.breaks):
            if not self._inside_edit(at):
                yield Span(start, at)
                start = at
        yield Span(start, len(text))

    def _inside_edit(self, at: int) -> bool:
        before = bisect_left(self._edit_starts, at) - 1
        return before >= 0 and at < self.inline.edits[before].end

    def _sentences(self, run: Span) -> Iterator[Span]:
        if not self.inline.edits and not self.inline.opaque:
            yield from (
                Span(run.start + start, run.start + end) for start, end in sentence_spans(self._masked[slice(*run)])
            )
            return
        kept = tuple(self._kept(run))
        if not kept:
            return
        plain = flatten(self._masked, kept, "")
        spans = [plain.origin(*span) for span in sentence_spans(plain.text)]
        cites_first = bool(spans) and any(True for _ in self._citations(run.start, spans[0].start))
        end = run.start
        for span, following in zip_longest(spans, spans[1:]):
            left = self._start_with_markup(span.start, end, take_citations=cites_first)
            limit = following.start if following else run.end
            end = self._end_with_markup(span.end, limit, take_citations=not cites_first or not following)
            yield Span(left, end)

    def _kept(self, run: Span) -> Iterator[Span]:
        """The parts of a run that are not deleted."""
        at = run.start
        for edit in self._edits(*run):
            if edit.text:
                continue
            if edit.start > at:
                yield Span(at, edit.start)
            at = edit.end
        if at < run.end:
            yield Span(at, run.end)

    def _end_with_markup(self, end: int, limit: int, *, take_citations: bool) -> int:
        """Move `end` over markup that touches it, and over citation markers that follow."""
        text = self.flat.text
        while end < limit:
            marker = bisect_left(self._citation_starts, end)
            if not text[end].isspace():
                # A marker may have a space in it: "$25(Source 1)".
                touches = marker < len(self._citation_starts) and self._citation_starts[marker] == end
                end = min(limit, self.inline.citations[marker].end) if touches else end + 1
                continue
            if not take_citations or marker == len(self._citation_starts):
                break
            citation = self.inline.citations[marker]
            if citation.end > limit or text[end : citation.start].strip():
                break
            end = citation.end
        return end

    def _start_with_markup(self, start: int, limit: int, *, take_citations: bool) -> int:
        """Move `start` back over markup that touches it, and to the citation markers before it."""
        if take_citations:
            first = bisect_left(self._citation_starts, limit)
            if first < len(self._citation_starts) and self._citation_starts[first] < start:
                start = self._citation_starts[first]
        while start > limit and not self.flat.text[start - 1].isspace():
            marker = bisect_left(self._citation_starts, start) - 1
            touches = marker >= 0 and self.inline.citations[marker].end == start
            start = max(limit, self._citation_starts[marker]) if touches else start - 1
        return start


def _mask(text: str, inline: Inline) -> str:
    """`text`, equally long, without line feeds and without stops inside URLs and code."""
    pieces: list[str] = []
    at = 0
    for start, end in inline.opaque:
        pieces += [text[at:start], "x" * (end - start)]
        at = end
    pieces.append(text[at:])
    return _YEAR_IN_BRACKETS.sub(r"(\1)", _LINE_ENDS.sub(" ", "".join(pieces)))


def tidy(text: str) -> str:
    """Join white space, and drop what no tokenizer can read: lone surrogates, NUL, zero-width characters."""
    if _UNREADABLE.search(text):
        text = _SURROGATES.sub("\ufffd", _INVISIBLE.sub("", text))
    return _SPACE_BEFORE_STOP.sub(r"\1", " ".join(text.split()))


def plain_text(text: str) -> str:
    """A short piece of text, such as a table cell, as models read it."""
    inline = scan_inline(text)
    pieces, at = [], 0
    for edit in inline.edits:
        pieces += [text[at : edit.start], edit.text]
        at = edit.end
    return spoken_marks(tidy("".join([*pieces, text[at:]])))

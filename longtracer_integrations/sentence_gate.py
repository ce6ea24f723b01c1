"""Cuts a growing answer into segments that later text cannot change, so that each can be checked before it leaves.

A segment is a sentence of prose, a list item, a table row, a heading or a code block, with the white space behind
it; all segments together are the text, to the character.
"""

from __future__ import annotations

from dataclasses import dataclass

from .line_kinds import LineKind, ends_with_colon, indentation, line_kind
from .sentence_cut import sentence_cut

__all__ = ["Segment", "SentenceGate"]


@dataclass(frozen=True, slots=True)
class Segment:
    """`whole[start:start + len(text)] == text`.

    `context` is earlier text that this segment needs to be understood: the line that leads a list in, or the head
    of a table. `context + text` is what to check.
    """

    text: str
    start: int
    context: str = ""

    @property
    def end(self) -> int:
        """Where the segment ends in the whole text."""
        return self.start + len(self.text)


_PIECE = 256
_SHORT = 512
_GROWTH = 16


class SentenceGate:
    """Holds text back until it is complete: `feed` chunks, `flush` at the end. One answer, one gate.

    The work grows with the length of the text: a segment of usual length is looked for with every chunk, one that is
    long already (a code block, lines without an end) each time it has grown by a sixteenth.
    """

    def __init__(self) -> None:
        self._pending = ""
        self._start = 0
        self._next_look = 0
        self._context = _Context()

    def feed(self, chunk: str) -> list[Segment]:
        """Take the next piece of text; return the segments that are complete now, possibly none."""
        found: list[Segment] = []
        for at in range(0, len(chunk), _PIECE):
            self._pending += chunk[at : at + _PIECE]
            if len(self._pending) >= self._next_look:
                found += self._complete()
        return found

    def flush(self) -> list[Segment]:
        """What is left at the end of the text: mostly one segment, none when nothing is."""
        found = self._complete()
        return [*found, self._take(len(self._pending))] if self._pending else found

    def _complete(self) -> list[Segment]:
        found: list[Segment] = []
        while (cut := _next_cut(self._pending, in_table=self._context.in_table)) is not None:
            found.append(self._take(cut))
        length = len(self._pending)
        self._next_look = length + length // _GROWTH if length > _SHORT else 0
        return found

    def _take(self, cut: int) -> Segment:
        text, self._pending = self._pending[:cut], self._pending[cut:]
        segment = Segment(text, self._start, self._context.before(text))
        self._start += cut
        return segment


class _Context:
    """The lead-ins and the table head that are in force where a segment starts."""

    def __init__(self) -> None:
        self._lead_ins: list[tuple[int, str]] = []
        self._table_head = ""

    @property
    def in_table(self) -> bool:
        return bool(self._table_head)

    def before(self, text: str) -> str:
        """The context of the segment `text`; remembers what `text` means for those that follow."""
        lines = text.splitlines(keepends=True)
        kinds = [line_kind(line) for line in lines]
        if LineKind.TABLE_ROW in kinds[:1]:
            return self._before_row(lines, kinds)
        if kinds[:1] != [LineKind.BLANK] or len(set(kinds)) > 1:
            self._table_head = ""
        items = [index for index, kind in enumerate(kinds) if kind is LineKind.LIST_ITEM]
        if not items:
            if text.strip():
                self._lead_ins = []
            return ""
        return self._before_item(lines, items)

    def _before_row(self, lines: list[str], kinds: list[LineKind]) -> str:
        context, self._lead_ins = self._table_head, []
        if not context and LineKind.TABLE_RULE in kinds:
            self._table_head = "".join(lines[: kinds.index(LineKind.TABLE_RULE) + 1])
        return context

    def _before_item(self, lines: list[str], items: list[int]) -> str:
        first, last = items[0], items[-1]
        if first > 0:
            self._lead_ins = []
        indent = indentation(lines[first])
        self._lead_ins = [entry for entry in self._lead_ins if entry[0] <= indent]
        context = "".join(text for _, text in self._lead_ins)
        if last > 0:
            self._lead_ins.append((indentation(lines[last]), "".join(lines[:last])))
        return context


def _next_cut(text: str, *, in_table: bool) -> int | None:
    """The first place in `text` where a segment ends for good, or None."""
    lines = text.splitlines(keepends=True)
    kinds = [line_kind(line) for line in lines]
    first = next((index for index, kind in enumerate(kinds) if kind is not LineKind.BLANK), None)
    if first is None or kinds[first] is LineKind.UNKNOWN:
        return None
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    if kinds[first] is LineKind.FENCE:
        return _after_fence(lines, kinds, first, starts)
    if kinds[first] is LineKind.TABLE_ROW and (rows := _rows(kinds, first, in_table=in_table)) != 0:
        return starts[first + rows] if rows and _is_complete(lines[first + rows - 1]) else None
    block_end = _block_end(lines, kinds, first, starts)
    if kinds[first] is LineKind.PROSE:
        region = starts[_prose_end(kinds, first)] if block_end is None else block_end
        cut = sentence_cut(text[:region], closed=region < len(text))
        if cut is not None and cut < len(text):
            return cut
    return block_end


def _is_complete(line: str) -> bool:
    return line.endswith(("\n", "\r"))


def _after_fence(lines: list[str], kinds: list[LineKind], first: int, starts: list[int]) -> int | None:
    for index in range(first + 1, len(lines)):
        if kinds[index] is LineKind.FENCE and _is_complete(lines[index]):
            return starts[index + 1]
    return None


def _rows(kinds: list[LineKind], first: int, *, in_table: bool) -> int | None:
    """How many lines the next segment of a table has; None: not known yet; 0: this is no table."""
    if in_table:
        return 1
    following = kinds[first + 1 : first + 3]
    if not following or following[0] is LineKind.UNKNOWN:
        return None
    if following[0] is not LineKind.TABLE_RULE:
        return 0
    if len(following) < 2 or following[1] is LineKind.UNKNOWN:
        return None
    return 3 if following[1] is LineKind.TABLE_ROW else 2


def _block_end(lines: list[str], kinds: list[LineKind], first: int, starts: list[int]) -> int | None:
    """Where the paragraph, item or heading that starts in line `first` ends, when that can be seen."""
    for index in range(first + 1, len(lines)):
        kind, before = kinds[index], kinds[index - 1]
        if kind in (LineKind.UNKNOWN, LineKind.BLANK) and not (kind is LineKind.BLANK and _is_complete(lines[index])):
            return None
        leads_in = ends_with_colon("".join(lines[first:index]))
        if kind is LineKind.BLANK:
            if not leads_in:
                return starts[index + 1]
        elif leads_in and kind is LineKind.LIST_ITEM:
            continue
        elif kind in _STARTS_A_BLOCK or before in (LineKind.HEADING, LineKind.BLANK):
            return starts[index]
    return None


_STARTS_A_BLOCK = (LineKind.LIST_ITEM, LineKind.HEADING, LineKind.FENCE, LineKind.TABLE_ROW)


def _prose_end(kinds: list[LineKind], first: int) -> int:
    """The index behind the last line of the prose that starts in line `first`."""
    for index in range(first, len(kinds)):
        if kinds[index] is LineKind.LIST_ITEM:
            return index
    return len(kinds)

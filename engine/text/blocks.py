"""The block structure of a Markdown or plain text: paragraphs, list items, table rows, headings, code.

markdown-it-py finds the blocks. Rules of Markdown that would make prose of a language model vanish are off: four
leading spaces are no code, a line of HTML is a paragraph, `---` under a sentence makes it no heading, a line such
as `[a]: b` is text, and a fence marked `markdown` holds prose. Whatever the parser leaves out (it stops at a
nesting depth of 20) becomes plain paragraphs, so that every line with a word in it is in some block.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from .spans import Span
from .verbs import has_verb

__all__ = ["Block", "BlockKind", "parse_blocks"]


class BlockKind(Enum):
    """What a block is to a reader."""

    PARAGRAPH = auto()
    HEADING = auto()
    CODE = auto()
    TABLE_HEADER = auto()
    TABLE_ROW = auto()
    RULE = auto()


@dataclass(frozen=True, slots=True)
class Block:
    """One block; `pieces` are the spans of its text, one a line, without markers and indentation.

    depth   how many list items it stands in
    item    number of the innermost list item, or None outside of lists; unique within the text
    marked  whether a heading begins with `#`
    quoted  whether it stands in a block quote
    header  cells of the header row, for a table row
    cells   cells of a table row, unescaped
    """

    kind: BlockKind
    pieces: tuple[Span, ...]
    depth: int = 0
    item: int | None = None
    quoted: bool = False
    marked: bool = False
    header: tuple[str, ...] = ()
    cells: tuple[str, ...] = ()


_LINE_END = re.compile(r"\r\n?|\n")
_BULLET_LOOKALIKE = re.compile(r"^([ \t]*)[•▪◦‣●○·–—■□➤►✓✔✗✘](?=[ \t])", re.MULTILINE)
_MARKERS = re.compile(r"[\s>]*(?:(?:[-*+]|\d{1,3}[.)])(?:\s+|$)[\s>]*)*")
_WORD = re.compile(r"\w")
_TELLING_MARKER = re.compile(r"(?:\d{4,9}[.)]|[✓✔✗✘])[ \t]+$")
"""A marker that says something: a year at the start of a line, a check mark."""
_MANY_LINES, _TINY_LINE = 4_000, 6
_PIPE = re.compile(r"(?<!\\)\|")
_UNSUPPORTED_RULES = ["code", "html_block", "reference"]
_PROSE_FENCES = frozenset({"markdown", "md"})
_TITLE_END = re.compile(r"[^.!?:;,]\W{0,2}$")


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": 20}).enable("table").disable(_UNSUPPORTED_RULES)
    # Inline markup is scanned by `inline.py`, which keeps offsets.
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


def parse_blocks(text: str) -> tuple[Block, ...]:
    """The blocks of `text` in order. Every line with a word in it is in exactly one of them."""
    return _BlockReader(text, 0).blocks()


_DEEPEST_FENCE = 3
"""Fences of prose inside each other that are read; what is deeper is code."""


class _BlockReader:
    def __init__(self, text: str, depth: int) -> None:
        self.text = text
        self.depth = depth
        self.lines = _line_spans(text)
        # As long as the text, so that offsets in one are offsets in the other.
        self.parsed = _BULLET_LOOKALIKE.sub(r"\1-", text).replace("\0", "\ufffd")
        self.tokens = [] if self._is_confetti() else _parser().parse(self.parsed)
        self.items: list[int] = []
        self.next_item = 0
        self.quotes = 0
        self.header: tuple[str, ...] = ()
        self.in_head = False

    def blocks(self) -> tuple[Block, ...]:
        found: list[tuple[int, int, Block]] = []
        for index, token in enumerate(self.tokens):
            self._track(token)
            block = self._block(index, token)
            if block is not None and token.map:
                found.append((token.map[0], token.map[1], block))
            elif token.type == "fence" and token.map:
                found += [(token.map[0], token.map[1], inner) for inner in self._fenced_prose(token)]
        return tuple(self._with_left_out_lines(found))

    def _is_confetti(self) -> bool:
        """Thousands of lines of two or three characters: no document, and slow to parse as one."""
        return len(self.lines) > _MANY_LINES and len(self.text) < _TINY_LINE * len(self.lines)

    def _track(self, token: Token) -> None:
        if token.type == "list_item_open":
            self.items.append(self.next_item)
            self.next_item += 1
        elif token.type == "list_item_close":
            self.items.pop()
        elif token.type == "blockquote_open":
            self.quotes += 1
        elif token.type == "blockquote_close":
            self.quotes -= 1
        elif token.type in ("thead_open", "thead_close"):
            self.in_head = token.type == "thead_open"

    def _block(self, index: int, token: Token) -> Block | None:
        match token.type:
            case "paragraph_open":
                return self._make(BlockKind.PARAGRAPH, self._pieces(token, self.tokens[index + 1].content))
            case "heading_open":
                content = self.tokens[index + 1].content
                kind = BlockKind.HEADING if _is_title(token, content) else BlockKind.PARAGRAPH
                return self._make(kind, self._pieces(token, content), marked=token.markup.startswith("#"))
            case "fence" if not self._is_prose_fence(token):
                return self._make(BlockKind.CODE, self._line_pieces(token))
            case "hr":
                return self._make(BlockKind.RULE, self._line_pieces(token))
            case "tr_open":
                return self._row(index, token)
        return None

    def _is_prose_fence(self, token: Token) -> bool:
        named = token.info.strip().lower() in _PROSE_FENCES
        return named and token.level == 0 and self.depth < _DEEPEST_FENCE

    def _fenced_prose(self, token: Token) -> Iterator[Block]:
        """The blocks between the fences of "```markdown"."""
        first, last = token.map or (0, 0)
        start = self.lines[first].end + 1
        closed = self.text[slice(*self.lines[last - 1])].strip().startswith(token.markup)
        end = self.lines[last - 1].start if closed else self.lines[last - 1].end
        for block in _BlockReader(self.text[start:end], self.depth + 1).blocks():
            yield replace(block, pieces=tuple(Span(left + start, right + start) for left, right in block.pieces))

    def _make(
        self, kind: BlockKind, pieces: tuple[Span, ...], cells: tuple[str, ...] = (), *, marked: bool = False
    ) -> Block | None:
        if not pieces:
            return None
        header = self.header if kind is BlockKind.TABLE_ROW else ()
        item = self.items[-1] if self.items else None
        return Block(kind, pieces, len(self.items), item, self.quotes > 0, marked, header, cells)

    def _row(self, index: int, token: Token) -> Block | None:
        pieces = self._line_pieces(token)
        cells = tuple(self._cells(index))
        if self.in_head:
            self.header = cells
            return self._make(BlockKind.TABLE_HEADER, pieces, cells)
        if not _PIPE.search(self.text[pieces[0].start : pieces[0].end]):
            # GFM takes any line right below a table as a row of it; a reader does not.
            return self._make(BlockKind.PARAGRAPH, pieces)
        return self._make(BlockKind.TABLE_ROW, pieces, cells)

    def _cells(self, index: int) -> Iterator[str]:
        while self.tokens[index].type != "tr_close":
            if self.tokens[index].type == "inline":
                yield self.tokens[index].content
            index += 1

    def _pieces(self, token: Token, content: str) -> tuple[Span, ...]:
        """Where the lines of `content`, which the parser gives without markers, stand in the text."""
        first, last = token.map or (0, 0)
        wanted = content.split("\n")
        while last - first > len(wanted) and not self.text[slice(*self._bare_line(first))]:
            # The parser strips lines that are blank to Python but not to Markdown, such as a no-break space.
            first += 1
        spans = (self._find_line(number, line) for number, line in zip(range(first, last), wanted, strict=False))
        return tuple(span for span in spans if _WORD.search(self.text, *span))

    def _find_line(self, number: int, content: str) -> Span:
        start, end = self.lines[number]
        stripped = content.strip()
        at = self.parsed.rfind(stripped, start, end)
        if at < 0:
            return self._bare_line(number)
        told = _TELLING_MARKER.search(self.text[start:at]) if self.items else None
        return Span(start + told.start() if told else at, at + len(stripped))

    def _line_pieces(self, token: Token) -> tuple[Span, ...]:
        first, last = token.map or (0, 0)
        spans = (self._bare_line(number) for number in range(first, min(last, len(self.lines))))
        return tuple(span for span in spans if span.start < span.end)

    def _bare_line(self, number: int) -> Span:
        """A line without quote marks, list markers and outer white space."""
        start, end = self.lines[number]
        line = self.text[start:end]
        markers = _MARKERS.match(line)
        left = markers.end() if markers and (self.items or self.quotes) else len(line) - len(line.lstrip())
        return Span(start + left, start + max(left, len(line.rstrip())))

    def _with_left_out_lines(self, found: list[tuple[int, int, Block]]) -> Iterator[Block]:
        at = 0
        for first, last, block in sorted(found, key=lambda entry: entry[0]):
            yield from self._plain(at, first)
            yield block
            at = max(at, last)
        yield from self._plain(at, len(self.lines))

    def _plain(self, first: int, last: int) -> Iterator[Block]:
        """Paragraphs for lines outside every block, split at lines without words."""
        pieces: list[Span] = []
        for number in range(first, last):
            span = self._plain_line(number)
            if span is not None:
                pieces.append(span)
            elif pieces:
                yield Block(BlockKind.PARAGRAPH, tuple(pieces))
                pieces = []
        if pieces:
            yield Block(BlockKind.PARAGRAPH, tuple(pieces))

    def _plain_line(self, number: int) -> Span | None:
        start, end = self.lines[number]
        line = self.text[start:end]
        if not _WORD.search(line) or _TABLE_RULE.match(line):
            return None
        markers = _MARKERS.match(line)
        left = markers.end() if markers and _WORD.search(line, markers.end()) else 0
        left += len(line[left:]) - len(line[left:].lstrip())
        return Span(start + left, start + len(line.rstrip()))


_TABLE_RULE = re.compile(r"[\s>|:-]*$")


def _is_title(token: Token, content: str) -> bool:
    """Whether a heading is one: a line above `---` may as well be a sentence above a rule."""
    if token.markup != "-":
        return True
    short = "\n" not in content and len(content.split()) <= 8
    return short and not has_verb(content) and not re.search(r"\d", content) and bool(_TITLE_END.search(content))


def _line_spans(text: str) -> list[Span]:
    """Lines as markdown-it counts them, without their line ends."""
    spans, start = [], 0
    for match in _LINE_END.finditer(text):
        spans.append(Span(start, match.start()))
        start = match.end()
    spans.append(Span(start, len(text)))
    return spans

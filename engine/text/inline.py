"""Inline markup of a block: what a reader does not read, and which citation markers stand in it.

Markdown libraries give no offsets inside a block, so this is a small scanner of our own: code spans, links
and images, emphasis, HTML tags by name, entities, escapes, bare URLs and citation markers. Every rule is one
pass over the text. What does not pair up is text.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field

from .citations import CITATION, Citation, citation_numbers
from .emphasis import EmphasisRuns
from .html_tags import BREAKING_TAGS, CELL_TAGS, KNOWN_TAGS
from .spans import Span

__all__ = ["Edit", "Inline", "scan_inline"]


@dataclass(frozen=True, slots=True)
class Edit:
    """Models read `text` in place of `[start, end)` of the scanned text."""

    start: int
    end: int
    text: str = ""


@dataclass(frozen=True, slots=True)
class Inline:
    """What a scan found; all offsets are those of the scanned text.

    edits      replacements, in order and not overlapping
    citations  markers, in order
    opaque     URLs and code, in which no sentence can end
    breaks     where an HTML tag such as `<br>` or `</li>` ends a line
    """

    edits: tuple[Edit, ...]
    citations: tuple[Citation, ...]
    opaque: tuple[Span, ...]
    breaks: tuple[int, ...]


_SPECIAL = re.compile(
    r"(?P<escape>\\[!-/:-@\[-`{-~])"
    r"|(?P<code>`+)"
    r"|(?P<comment><!--)"
    rf"|(?P<citation>{CITATION})"
    r"|(?P<tag></?(?P<name>[A-Za-z][A-Za-z0-9]{0,20})(?:\s[^<>]{0,500})?/?>)"
    r"|(?P<autolink><https?://[^\s<>]{1,2000}>)"
    r"|(?P<url>(?:https?://|www\.)[^\s<>\"”’。，、）]+)"
    r"|(?P<entity>&(?:\#\d{1,7}|\#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)"
    r"|(?P<open>!?\[)"
    r"|(?P<link>\]\((?:<[^<>]{0,500}>|(?:[^\s()]|\([^\s()]{0,500}\)){0,2000})(?:\s{1,5}\"[^\"]{0,500}\")?\))"
    r"|(?P<close>\])"
    r"|(?P<run>\*+|_+|~~+)",
    re.IGNORECASE,
)
_URL_TAIL = ".,;:!?)]}*_'|"


def scan_inline(text: str) -> Inline:
    """Scan the text of one block; linear in its length."""
    return _Scan(text).result()


@dataclass
class _Scan:
    text: str
    edits: list[Edit] = field(default_factory=list)
    citations: list[Citation] = field(default_factory=list)
    opaque: list[Span] = field(default_factory=list)
    breaks: list[int] = field(default_factory=list)
    brackets: list[Span] = field(default_factory=list)

    def result(self) -> Inline:
        emphasis = EmphasisRuns(self.text)
        self.ticks = _tick_runs(self.text)
        self.last_comment_end = self.text.rfind("-->")
        at = 0
        while match := _SPECIAL.search(self.text, at):
            kind = match.lastgroup if match.lastgroup != "name" else "tag"
            if kind == "run":
                emphasis.add(match.start(), match.end())
                at = match.end()
            else:
                at = _RULES[kind or ""](self, match)
        self.edits += [Edit(start, end) for start, end in emphasis.dropped()]
        return Inline(
            tuple(_without_overlaps(self.edits)), tuple(self.citations), tuple(self.opaque), tuple(self.breaks)
        )

    def _escape(self, match: re.Match[str]) -> int:
        self.edits.append(Edit(match.start(), match.start() + 1))
        return match.end()

    def _code(self, match: re.Match[str]) -> int:
        length = match.end() - match.start()
        runs = self.ticks[length]
        following = bisect_left(runs, match.end())
        if following == len(runs):
            return match.end()
        close = runs[following]
        self.edits += [Edit(*match.span()), Edit(close, close + length)]
        self.opaque.append(Span(match.end(), close))
        return close + length

    def _comment(self, match: re.Match[str]) -> int:
        if match.start() > self.last_comment_end:
            return match.end()
        end = self.text.find("-->", match.end())
        if end < 0:
            return match.end()
        self.edits.append(Edit(match.start(), end + 3))
        return end + 3

    def _tag(self, match: re.Match[str]) -> int:
        name = match["name"].lower()
        if name in KNOWN_TAGS:
            self.edits.append(Edit(*match.span(), " " if name in CELL_TAGS else ""))
            if name in BREAKING_TAGS:
                self.breaks += match.span()
        return match.end()

    def _autolink(self, match: re.Match[str]) -> int:
        start, end = match.span()
        self.edits += [Edit(start, start + 1), Edit(end - 1, end)]
        self.opaque.append(Span(start + 1, end - 1))
        return end

    def _url(self, match: re.Match[str]) -> int:
        end = match.start() + len(match.group().rstrip(_URL_TAIL))
        self.opaque.append(Span(match.start(), end))
        return max(end, match.start() + 1)

    def _entity(self, match: re.Match[str]) -> int:
        character = html.unescape(match.group())
        if character != match.group():
            self.edits.append(Edit(*match.span(), character))
        return match.end()

    def _citation(self, match: re.Match[str]) -> int:
        numbers = citation_numbers(self.text, match)
        if numbers is None:
            return match.start() + 1
        self.citations.append(Citation(match.group(), *match.span(), numbers))
        self.edits.append(Edit(*match.span()))
        return match.end()

    def _open(self, match: re.Match[str]) -> int:
        self.brackets.append(Span(*match.span()))
        return match.end()

    def _link(self, match: re.Match[str]) -> int:
        if self.brackets:
            opener = self.brackets.pop()
            self.edits += [Edit(*opener), Edit(*match.span())]
            return match.end()
        return match.start() + 1

    def _close(self, match: re.Match[str]) -> int:
        if self.brackets:
            self.brackets.pop()
        return match.end()


_RULES: dict[str, Callable[[_Scan, re.Match[str]], int]] = {
    "escape": _Scan._escape,
    "code": _Scan._code,
    "comment": _Scan._comment,
    "tag": _Scan._tag,
    "autolink": _Scan._autolink,
    "url": _Scan._url,
    "entity": _Scan._entity,
    "citation": _Scan._citation,
    "open": _Scan._open,
    "link": _Scan._link,
    "close": _Scan._close,
}
"""What to do with a match of a group of `_SPECIAL`; each returns where to go on."""


def _tick_runs(text: str) -> dict[int, list[int]]:
    """Where runs of backticks start, by their length."""
    runs: dict[int, list[int]] = defaultdict(list)
    for match in re.finditer("`+", text):
        runs[match.end() - match.start()].append(match.start())
    return runs


def _without_overlaps(edits: list[Edit]) -> list[Edit]:
    kept: list[Edit] = []
    for edit in sorted(edits, key=lambda edit: (edit.start, -edit.end)):
        if edit.end > edit.start and (not kept or edit.start >= kept[-1].end):
            kept.append(edit)
    return kept

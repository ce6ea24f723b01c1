"""What the start of a line says about the block it is in, for text of which the end is not there yet."""

from __future__ import annotations

import re
from enum import Enum, auto

__all__ = ["LineKind", "ends_with_colon", "indentation", "line_kind"]


class LineKind(Enum):
    """UNKNOWN: an unfinished line that could still become something else than prose."""

    BLANK = auto()
    PROSE = auto()
    LIST_ITEM = auto()
    HEADING = auto()
    FENCE = auto()
    TABLE_ROW = auto()
    TABLE_RULE = auto()
    UNKNOWN = auto()


_LIST_ITEM = re.compile(r"[\s>]*(?:[-*+•▪◦‣●–]|\d{1,3}[.)]|[a-zA-Z][.)])[ \t]+\S")
_MAYBE_MARKER = re.compile(r"[\s>]*(?:[-*+•▪◦‣●–_=]+|\d{1,3}[.)]?|[a-zA-Z][.)]?|#{1,6}|`{1,2}|~{1,2})?[ \t]*$")
_MAYBE_RULE = re.compile(r"[\s:|-]*$")
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+\S")
_FENCE = re.compile(r"\s*(?:`{3}|~{3})")
_TABLE_RULE = re.compile(r"\s*\|?[\s:|-]*-[\s:|-]*$")
_COLON = re.compile(r"[:：][*_\s]*$")


def line_kind(line: str) -> LineKind:
    """The kind of `line`, which ends with its line break unless its end is not known yet."""
    complete = line.endswith(("\n", "\r"))
    body = line.rstrip("\r\n")
    if not body.strip():
        return LineKind.BLANK
    if _FENCE.match(body):
        return LineKind.FENCE
    if not complete and (_MAYBE_MARKER.match(body) or _MAYBE_RULE.match(body)):
        return LineKind.UNKNOWN
    if body.lstrip().startswith("|"):
        return LineKind.TABLE_RULE if _TABLE_RULE.match(body) else LineKind.TABLE_ROW
    if _HEADING.match(body):
        return LineKind.HEADING
    return LineKind.LIST_ITEM if _LIST_ITEM.match(body) else LineKind.PROSE


def ends_with_colon(text: str) -> bool:
    """Whether `text` announces something: its last character, markup aside, is a colon."""
    return _COLON.search(text[-200:]) is not None


def indentation(line: str) -> int:
    """How many columns a line is indented, a tab counting as four."""
    head = line[: len(line) - len(line.lstrip())]
    return len(head.expandtabs(4))

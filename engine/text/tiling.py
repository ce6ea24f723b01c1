"""Fills the gaps between claims and skipped spans, so that together they tile a text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from .citations import CITATION
from .model import Claim, Segmentation, SkippedSpan, SkipReason

__all__ = ["tile"]

_PARTS = re.compile(
    rf"(?P<space>\s+)|(?P<citation>{CITATION})|(?P<marker>(?:[-+*•▪◦‣●○·–—■□➤►✓✔✗✘]|\d{{1,9}}[.)])(?=\s|$))"
    r"|(?P<rule>\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?(?=\s|$))"
    r"|(?P<markup>[>#*_~`|=<\[\]()!\\]+)|(?P<other>[^\s>#*_~`|=<\[\]()!\\]+)",
    re.IGNORECASE,
)
_REASONS = {
    "space": SkipReason.WHITESPACE,
    "citation": SkipReason.CITATION,
    "marker": SkipReason.LIST_MARKER,
    "rule": SkipReason.TABLE_RULE,
    "markup": SkipReason.MARKUP,
    "other": SkipReason.PUNCTUATION,
}
_EMOJI = re.compile("[\u2190-\u2bff\u3030\u303d\ufe0f\U0001f000-\U0001faff]")


def tile(text: str, entries: Iterable[Claim | SkippedSpan]) -> Segmentation:
    """Add skipped spans for what no entry covers; `entries` are in order and do not overlap."""
    claims: list[Claim] = []
    skipped: list[SkippedSpan] = []
    at = 0
    for entry in entries:
        skipped += _gap(text, at, entry.start)
        (claims if isinstance(entry, Claim) else skipped).append(entry)  # type: ignore[arg-type]
        at = entry.end
    skipped += _gap(text, at, len(text))
    return Segmentation(tuple(claims), tuple(_merged(skipped)))


def _gap(text: str, start: int, end: int) -> Iterator[SkippedSpan]:
    while start < end:
        match = _PARTS.match(text, start, end)
        stop = match.end() if match else end
        reason = _REASONS[match.lastgroup or "other"] if match else SkipReason.PUNCTUATION
        if reason is SkipReason.PUNCTUATION and any(character.isalnum() for character in text[start:stop]):
            # Every word that a reader sees is in a block; what is left are tags and link targets.
            reason = SkipReason.MARKUP
        elif reason is SkipReason.PUNCTUATION and _EMOJI.search(text, start, stop):
            reason = SkipReason.TOO_SHORT
        yield SkippedSpan(start, stop, reason)
        start = stop


def _merged(spans: Iterable[SkippedSpan]) -> Iterator[SkippedSpan]:
    """Adjacent spans with one reason become one span."""
    current: SkippedSpan | None = None
    for span in spans:
        if current and current.end == span.start and current.reason is span.reason:
            current = SkippedSpan(current.start, span.end, span.reason)
            continue
        if current:
            yield current
        current = span
    if current:
        yield current

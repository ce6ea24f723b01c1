"""What a reasoning model thinks before it answers, between `<think>` and `</think>`: no part of what it says."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from .model import Segmentation, SkippedSpan, SkipReason
from .spans import Span

__all__ = ["mark_thinking", "thinking_spans", "without_thinking"]

_TAG = re.compile(r"<(?P<close>/)?(?P<name>think|thinking|reasoning)>", re.IGNORECASE)


def thinking_spans(text: str) -> tuple[Span, ...]:
    """Where the text thinks, tags included. A tag that is never closed hides nothing."""
    return tuple(_blocks(text)) if "</" in text else ()


def _blocks(text: str) -> Iterator[Span]:
    opened: re.Match[str] | None = None
    for tag in _TAG.finditer(text):
        if not tag["close"]:
            opened = opened or tag
        elif opened and opened["name"].lower() == tag["name"].lower():
            yield Span(opened.start(), tag.end())
            opened = None


def without_thinking(text: str, spans: Sequence[Span]) -> str:
    """`text`, equally long, with white space for the `spans`: what stands before and behind are blocks apart."""
    pieces, at = [], 0
    for start, end in spans:
        pieces += [text[at:start], "\n\n", " " * (end - start - 4), "\n\n"]
        at = end
    return "".join([*pieces, text[at:]])


def mark_thinking(segmentation: Segmentation, spans: Sequence[Span]) -> Segmentation:
    """`segmentation`, made without the text of `spans`, with their reason."""
    if not spans:
        return segmentation
    return Segmentation(segmentation.claims, tuple(_joined(_parts(segmentation.skipped, spans))))


def _parts(skipped: Iterable[SkippedSpan], spans: Sequence[Span]) -> Iterator[SkippedSpan]:
    starts = [span.start for span in spans]
    for whole in skipped:
        at = whole.start
        index = max(0, bisect_right(starts, at) - 1)
        while at < whole.end:
            while index < len(spans) and spans[index].end <= at:
                index += 1
            start, end = spans[index] if index < len(spans) else (whole.end, whole.end)
            inside = start <= at
            stop = min(whole.end, end if inside else start)
            yield SkippedSpan(at, stop, SkipReason.THINKING if inside and index < len(spans) else whole.reason)
            at = stop


def _joined(parts: Iterable[SkippedSpan]) -> Iterator[SkippedSpan]:
    """One block of thinking is one span, whatever lay over it."""
    current: SkippedSpan | None = None
    for part in parts:
        if current and current.end == part.start and current.reason is part.reason is SkipReason.THINKING:
            current = SkippedSpan(current.start, part.end, SkipReason.THINKING)
            continue
        if current:
            yield current
        current = part
    if current:
        yield current

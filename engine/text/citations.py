"""Citation markers: `[1]`, `[1, 2]`, `[1-3]`, `[^3]`, `[^note]`, `【4†source】`, `[source 2]`, `(Document 2)`."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["CITATION", "Citation", "citation_numbers"]

_NUMBERS = r"\^?\d{1,3}(?:[ \xa0]{0,2}[,;&–—-][ \xa0]{0,2}\^?\d{1,3}){0,60}"
_WORDS = r"(?:sources?|docs?|documents?|refs?|references?|passages?|chunks?|context|citations?)"
CITATION = (
    rf"\[ ?(?:{_WORDS}[ \xa0:#]{{0,3}})?{_NUMBERS} ?\](?:\(https?://[^\s()]{{1,2000}}\))?"
    rf"|\((?:(?:see|sources?|from|ref)[: ]{{1,2}})?{_WORDS}[ \xa0:#]{{1,3}}{_NUMBERS}\)"
    r"|\[\^[\w-]{1,40}\]"
    r"|【\d{1,3}(?::\d{1,3})?(?:†[^【】\n]{0,80})?】"
)
"""Regular expression of a marker, for case-insensitive use. Four digits are a year, not a marker."""

_NOT_A_CITATION_AFTER = re.compile(
    r"(?:interval|range|array|list|vector|set|values?|between|from|in|index|box)\s{1,3}$", re.IGNORECASE
)
_VARIABLE = re.compile(r"(?:^|[\s(=+*/-])[a-z]$")
"""`b[1]` is an element of b."""
_MAX_RANGE = 50


@dataclass(frozen=True, slots=True)
class Citation:
    """A citation marker: `text` is the text at `[start, end)`; `numbers` are the sources it names, in order.

    A named footnote such as `[^note]` has no numbers.
    """

    text: str
    start: int
    end: int
    numbers: tuple[int, ...]


def citation_numbers(text: str, match: re.Match[str]) -> tuple[int, ...] | None:
    """The numbers of a marker found in `text`, or None when it is not a citation (an interval, an index)."""
    marker = match.group().partition("](")[0]
    if marker.startswith("【"):
        return (int(re.split(r"\D", marker[1:])[0]),)
    numbers = _expand(marker)
    several = len(numbers) > 1
    if _VARIABLE.search(text[max(0, match.start() - 2) : match.start()]) and marker.startswith("["):
        return None
    # A lone [0] names no source, but is meant to: "[0, 1]" is an interval.
    if (several and 0 in numbers) or (
        several and _NOT_A_CITATION_AFTER.search(text[max(0, match.start() - 12) : match.start()])
    ):
        return None
    return numbers


def _expand(marker: str) -> tuple[int, ...]:
    if re.match(r"\[\^[^\d]", marker):
        return ()
    numbers: list[int] = []
    for first, last in re.findall(r"(\d+)(?:\s*[–—-]\s*\^?(\d+))?", marker):
        low, high = int(first), int(last or first)
        numbers += range(low, high + 1) if low <= high <= low + _MAX_RANGE else [low, high]
    return tuple(dict.fromkeys(numbers))

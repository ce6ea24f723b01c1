"""Citation markers: by number (`[1]`, `[1, 2]`, `[^3]`, `【4†source】`, `{1}`, `<sup>1</sup>`), by number and word
(`[source 2]`, `(Document 1, page 3)`), and by name (`[^note]`, `[plans.pdf]`, `(Source: plans.pdf)`, `[source_0]`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from .verbs import has_verb

__all__ = ["CITATION", "FILE", "Citation", "citation_numbers"]

_WORDS = r"(?:sources?|docs?|documents?|refs?|references?|passages?|chunks?|context|citations?)"
_PAGE = r"(?:pp?\.|pages?|sections?|sec\.|§|lines?|chapters?|ch\.|para(?:graph)?s?\.?)"
_PLACE = rf"(?:,?[ \xa0]{_PAGE}[ \xa0]?\d{{1,4}}(?:[–-]\d{{1,4}})?)"
_LINES = r"(?:†[^\[\]【】\n]{0,80})"
_AND = r"(?:[ \xa0]{0,2}[,;&–—-][ \xa0]{0,2}|[ \xa0]and[ \xa0])"
_ONE = rf"\^?\d{{1,3}}{_PLACE}?"
_NUMBERS = rf"{_ONE}(?:{_AND}(?:{_WORDS}[ \xa0:#]{{1,3}})?{_ONE}){{0,60}}"
FILE = r"[\w][\w.&'’+-]{0,80}\.(?:pdf|docx?|txt|md|html?|csv|tsv|xlsx?|pptx?|json|xml|rtf|odt|epub|eml|yaml|yml)(?!\w)"
"""Regular expression of a file name without spaces, for case-insensitive use."""
_BEFORE_PAREN = r"(?:(?:see(?: also)?|sources?|from|refs?|cf\.?)[: ]{1,2})?"
CITATION = (
    rf"\[ ?(?:{_WORDS}[ \xa0:#]{{0,3}})?{_NUMBERS}{_LINES}? ?\](?:\(https?://[^\s()]{{1,2000}}\))?"
    rf"|\({_BEFORE_PAREN}{_WORDS}[ \xa0:#]{{1,3}}{_NUMBERS}\)"
    rf"|[\[(]{_BEFORE_PAREN}{FILE}{_PLACE}?[\])](?:\(https?://[^\s()]{{1,2000}}\))?"
    rf"|[\[(]{_BEFORE_PAREN}{_WORDS}[_-]\d{{1,4}}[\])]"
    r"|[\[(](?:sources?|refs?|references?|citations?)[ \xa0]?: [^\[\]()\n]{1,120}[\])]"
    rf"|\((?:see|sources?|refs?|references?|citations?):?[ \xa0](?:\[{_NUMBERS}\][,; ]{{0,2}}){{1,20}}\)"
    r"|\[\^[\w-]{1,40}\]"
    rf"|【(?:\d{{1,3}}(?::\d{{1,3}})?(?:†[^【】\n]{{0,80}})?|{FILE}{_PLACE}?)】"
    r"|(?:(?<=[.!?,;:)\]”\"’\s])|(?<=[^\W\d_]{4}))<sup>\[?\d{1,3}(?:, ?\d{1,3}){0,20}\]?</sup>"
    r"|(?<=[\s.!?,;)\]”\"’])\{\d{1,3}\}(?=[\s.,;:!?{)]|$)"
)
"""Regular expression of a marker, for case-insensitive use. Four digits are a year, not a marker."""

_NOT_A_CITATION_AFTER = re.compile(
    r"(?:interval|range|array|list|vector|set|values?|between|from|in|index|box)\s{1,3}$", re.IGNORECASE
)
_NAMED = re.compile(rf".{{0,20}}\b{FILE}|.{_WORDS}[_-]\d|.[^\d:]{{1,12}}: [^\[]", re.IGNORECASE)
"""A marker that names its source by something else than its number."""
_NUMBERED = re.compile(rf"【\d|[\[(]{_BEFORE_PAREN}{_WORDS}[ \xa0:#]{{0,3}}\d", re.IGNORECASE)
_WITH_PLACES = re.compile(_PLACE, re.IGNORECASE)
_PART_OF_SENTENCE = re.compile(
    r"(?:^|\b(?:see|in|from|file|files|document|the|to|at|of|and|or|by|per|with|open|read|named|called|is|are|a|an))\s{0,3}$",
    re.IGNORECASE,
)
"""Before a file name in square brackets that is a word of its sentence: "The prices are in [plans.pdf]."."""
_VARIABLE = re.compile(r"(?:^|[\s(=+*/-])[a-z]$")
"""`b[1]` is an element of b."""
_MAX_RANGE = 50


@dataclass(frozen=True, slots=True)
class Citation:
    """A citation marker: `text` is the text at `[start, end)`; `numbers` are the sources it names, in order.

    One that names its source otherwise has no numbers: `[^note]`, `[plans.pdf]`, and `[source_0]`, which may count from
    zero or from one.
    """

    text: str
    start: int
    end: int
    numbers: tuple[int, ...]


def citation_numbers(text: str, match: re.Match[str]) -> tuple[int, ...] | None:
    """The numbers of a marker found in `text`, or None when it is not a citation (an interval, an index)."""
    marker = match.group().partition("](")[0]
    if _NAMED.match(marker) and not _NUMBERED.match(marker):
        return None if _is_text(text, match) else ()
    if marker.startswith("【"):
        return (int(re.split(r"\D", marker[1:])[0]),)
    if marker.startswith("{") and _NOT_A_CITATION_AFTER.search(text[max(0, match.start() - 12) : match.start()]):
        return None
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


def _is_text(text: str, match: re.Match[str]) -> bool:
    """Whether a marker without a number is a part of what its sentence says."""
    marker = match.group()
    if re.search(FILE, marker, re.IGNORECASE):
        before = text[max(0, match.start() - 12) : match.start()]
        return marker.startswith("[") and bool(_PART_OF_SENTENCE.search(before))
    return has_verb(marker.partition(":")[2])


def _expand(marker: str) -> tuple[int, ...]:
    if re.match(r"\[\^[^\d]", marker):
        return ()
    marker = _WITH_PLACES.sub("", marker.partition("†")[0])
    numbers: list[int] = []
    for first, last in re.findall(r"(\d+)(?:\s*[–—-]\s*\^?(\d+))?", marker):
        low, high = int(first), int(last or first)
        numbers += range(low, high + 1) if low <= high <= low + _MAX_RANGE else [low, high]
    return tuple(dict.fromkeys(numbers))

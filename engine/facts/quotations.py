"""Quotations in a claim, and whether a source has them word for word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .vocabulary import listed

__all__ = ["Quotation", "find_quotations", "quotation_in"]


@dataclass(frozen=True, slots=True)
class Quotation:
    """The words between quotation marks: `text` is `claim[start:end]`, offsets in code points."""

    text: str
    start: int
    end: int


_PAIRS = {"“": "”", "„": "“”", "«": "»", "「": "」", "『": "』", "‹": "›", '"': '"', "”": "”"}
_SINGLES = {"‘": "’", "'": "'"}
_CLOSERS = _PAIRS | _SINGLES
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_INTRODUCED = re.compile(
    r"\b(?:say|says|said|saying|write|writes|wrote|written|writing|state|states|stated|stating|read|reads|note|notes"
    r"|noted|quote|quotes|quoted|quoting|according|report|reports|reported|declare|declares|declared|announce"
    r"|announces|announced|promise|promises|promised|warn|warns|warned|add|adds|added|claim|claims|claimed|explain"
    r"|explains|explained|describe|describes|described|conclude|concludes|concluded|exclaimed|replied|asked|told|tells"
    r"|remarked|argues|argued|insists|insisted|words|text|quotation|wording)\b[^.!?\n]{0,40}$",
    re.IGNORECASE,
)
_REACH = 64
_FEWEST_WORDS = 3
"""Fewer words than this are a term or a scare quote, unless somebody is said to have said them."""
_LONGEST = 2000
_SMALL = frozenset(listed("a an the of in on at to for and or but from with by as is vs de la"))
_GAP = re.compile(r"\.{3,}|…|\.\s\.\s\.|\[[^\]\n]{0,80}\]")
_LETTER = re.compile(r"\[(\w)\](?=\w)")


def _opens(text: str, at: int) -> bool:
    before, after = text[at - 1 : at] if at else "", text[at + 1 : at + 2]
    return (not before or not before.isalnum()) and bool(after) and not after.isspace()


def _closes(text: str, at: int) -> bool:
    after = text[at + 1 : at + 2]
    return not text[at - 1].isspace() and not after.isalnum()


def _spans(text: str) -> Iterator[tuple[int, int, bool]]:
    """Start and end of each quoted stretch without its marks, and whether the marks were single.

    Single marks inside double ones are left alone, be they quotes in a quote or apostrophes.
    """
    opened: tuple[str, int] | None = None
    for at, mark in enumerate(text):
        if opened and mark in _CLOSERS[opened[0]] and _closes(text, at) and at > opened[1] + 1:
            yield opened[1] + 1, at, opened[0] in _SINGLES
            opened = None
        elif mark in _CLOSERS and (opened is None or (opened[0] in _SINGLES and mark in _PAIRS)) and _opens(text, at):
            opened = mark, at


def _is_title(words: list[str]) -> bool:
    """Whether every word that a title capitalises is capitalised: "The Joy of Painting"."""
    return all(word[0].isupper() or word[0].isdigit() or word.lower() in _SMALL for word in words)


def _is_quotation(text: str, start: int, end: int, *, single: bool) -> bool:
    words = _WORD.findall(text[start:end])
    if not words or end - start > _LONGEST:
        return False
    if _INTRODUCED.search(text[max(0, start - 1 - _REACH) : start - 1]):
        return True
    return not single and len(words) >= _FEWEST_WORDS and not _is_title(words)


def find_quotations(claim_text: str) -> tuple[Quotation, ...]:
    """What `claim_text` quotes word for word, in order; scare quotes and titles of works are left out.

    One or two words count only after a verb of saying ("the memo says ...").
    """
    return tuple(
        Quotation(claim_text[start:end], start, end)
        for start, end, single in _spans(claim_text)
        if _is_quotation(claim_text, start, end, single=single)
    )


def _normal(text: str) -> str:
    """The words of `text`, case, punctuation and quote style left out, between single spaces."""
    words = (match.group().casefold().replace("’", "").replace("'", "") for match in _WORD.finditer(text))
    return f" {' '.join(words)} "


def _contains(source: str, parts: Sequence[str]) -> bool:
    """Whether the parts stand in `source` one after the other."""
    position = 0
    for part in parts:
        found = source.find(part, position)
        if found < 0:
            return False
        position = found + len(part) - 1  # the closing space may open the next part
    return True


def quotation_in(text: str, source_texts: Sequence[str]) -> int | None:
    """The index of the first source that has the quotation `text`, or None.

    Case, white space, punctuation and the style of quotes are ignored; "..." and a bracketed insertion match any
    text in between.
    """
    whole = _LETTER.sub(r"\1", text)
    parts = [part for piece in _GAP.split(whole) if (part := _normal(piece)).strip()]
    if not parts:
        return None
    return next((i for i, source in enumerate(source_texts) if _contains(_normal(source), parts)), None)

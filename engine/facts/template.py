"""A text as a template: the words in order, with a slot for each quantity."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from .modifiers import modifier_of
from .quantities import find_quantities
from .quantity import Kind, Quantity
from .words import stem

__all__ = ["FREQUENCIES", "Template", "same_words", "template_of"]

# Neither a letter, a digit nor punctuation: "C++" is not "C", and "A+" is neither "A" nor "A-".
_SYMBOL = r"[^\w\s.,:;!?'\"’‘“”„«»()\[\]{}…*`|–—-]"
_WORD = re.compile(
    rf"(?P<before>{_SYMBOL}{{0,3}})(?P<word>[^\W_]+(?:['’][^\W_]+)*)(?P<after>{_SYMBOL}+|[-−–](?=[\s.,;:!?)]|$))?"
)
_FREQUENCY = re.compile(r"(?<![\w'’-])(?:once|twice|thrice)(?!\w)", re.IGNORECASE)
FREQUENCIES = {"once": 1, "twice": 2, "thrice": 3}
_TIMES_STEM = stem("times")


@dataclass(frozen=True, slots=True)
class Template:
    """The quantities of a text by position, and the words before, between and after them: one gap more than slots."""

    slots: tuple[Quantity, ...]
    gaps: tuple[tuple[str, ...], ...]


def same_words(claim: str, sentence: str) -> tuple[Template, Template] | None:
    """Both texts as templates, when they have a quantity and agree in all words around their quantities."""
    ours = template_of(claim) if len(claim) > _REMEMBERED_LENGTH else _remembered_template(claim)
    if not ours.slots or sentence.rstrip().endswith(("?", "？")) or not _may_agree(ours, sentence):
        return None
    theirs = template_of(sentence)
    return (ours, theirs) if ours.gaps == theirs.gaps else None


def _may_agree(template: Template, sentence: str) -> bool:
    """Whether the words of `template` stand in `sentence`: much cheaper than finding its quantities."""
    said = {stem(match["word"]) for match in _WORD.finditer(sentence)}
    words = (word for gap in template.gaps for word in gap if len(word) > 2 and word.isalpha())
    return all(word in said or word == _TIMES_STEM for word in words)


def template_of(text: str) -> Template:
    """`text` as a template. "Twice" is read as "two times"."""
    found = find_quantities(text)
    slots = sorted((*found, *map(_times, _FREQUENCY.finditer(text))), key=lambda quantity: quantity.start)
    gaps: list[tuple[str, ...]] = []
    at = 0
    carried: tuple[str, ...] = ()
    for slot in slots:
        gaps.append((*carried, *_words(text, at, slot.start)))
        at, carried = slot.end, (_TIMES_STEM,) if slot.text.lower() in FREQUENCIES else ()
    return Template(tuple(slots), (*gaps, (*carried, *_words(text, at, len(text)))))


# A claim is compared with many sentences in a row.
_REMEMBERED_LENGTH = 1_000
_remembered_template = lru_cache(maxsize=8)(template_of)


def _times(match: re.Match[str]) -> Quantity:
    value = Decimal(FREQUENCIES[match[0].lower()])
    modifier = modifier_of(match.string, match.start(), match.end())
    return Quantity(
        kind=Kind.CARDINAL, text=match[0], start=match.start(), end=match.end(), low=value, high=value,
        role=modifier.role, approximate=modifier.approximate,
    )  # fmt: skip


def _words(text: str, start: int, end: int) -> tuple[str, ...]:
    """The words of text[start:end] in normal form, with the symbols attached to them."""
    matches = _WORD.finditer(text[start:end])
    return tuple(match["before"] + stem(match["word"]) + (match["after"] or "") for match in matches)

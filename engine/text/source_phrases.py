"""Noun phrases that mean the documents a speaker was given: "the provided context", "any of the files you shared"."""

from __future__ import annotations

from collections.abc import Sequence, Set

from .refusal_words import CORE_SOURCES, DETERMINERS, QUALIFIERS, SEARCHES, SOURCES
from .word_sets import word_set

__all__ = ["introduction_end", "names_sources", "phrase_end", "skip"]

_INTRODUCTIONS = SEARCHES | word_set(
    "based according from in within given per after judging relying using among across having"
)
_TAIL_VERBS = word_set("have provided shared given gave supplied uploaded received attached me us with to were was")
_TAIL_WORDS = word_set("here me to us was were")


def skip(words: Sequence[str], at: int, any_of: Set[str]) -> int:
    """The first position from `at` on whose word is none of `any_of`."""
    while at < len(words) and words[at] in any_of:
        at += 1
    return at


def names_sources(words: Sequence[str]) -> bool:
    """Whether a preposition with the documents as its object stands in `words`."""
    places = (i for i, word in enumerate(words) if word in {"in", "from", "by", "within", "on", "with"})
    return any(phrase_end(words, i + 1, SOURCES) is not None for i in places)


def introduction_end(words: Sequence[str], at: int) -> int | None:
    """The end of an introduction such as "based on the documents you provided," or "after searching the files,"."""
    if at >= len(words) or words[at] not in _INTRODUCTIONS:
        return None
    comma = next((i for i in range(at, min(len(words), at + 20)) if words[i] == ","), None)
    if comma is not None and any(word in SOURCES for word in words[at:comma]):
        return comma
    at = skip(words, at, _INTRODUCTIONS | {"on", "to", "through", "only", "solely", "from"})
    return phrase_end(words, at, CORE_SOURCES)


def phrase_end(words: Sequence[str], at: int, nouns: Set[str]) -> int | None:
    """The end of a noun phrase that means the documents, or None when none begins at `at`."""
    start = at
    at = skip(words, at, DETERMINERS)
    qualified = at
    at = skip(words, at, QUALIFIERS | nouns)
    heads = [word for word in words[start:at] if word in nouns]
    if not heads and at < len(words) and words[at] in SOURCES and (at > qualified or _is_qualified(words, at)):
        heads, at = [words[at]], skip(words, at, SOURCES)
    if not heads:
        return None
    return _after_source_tail(words, at)


def _is_qualified(words: Sequence[str], at: int) -> bool:
    """ "information provided", "files you uploaded" """
    following = words[at + 1 : at + 2]
    return bool(following) and (following[0] in QUALIFIERS | {"you", "i", "we"})


def _after_source_tail(words: Sequence[str], at: int) -> int:
    """Skip "you provided", "that I have", "in the context", "available to me" after the noun."""
    if words[at + 1 : at + 2] and words[at + 1] in {"you", "i", "we", "was", "were"}:
        at = skip(words, at, {"that", "which"})
    if at < len(words) and words[at] in {"you", "i", "we"} and at + 1 < len(words):
        at = skip(words, at + 1, _TAIL_VERBS)
    if words[at : at + 1] != ["to"]:
        at = skip(words, at, QUALIFIERS | _TAIL_WORDS)
    if words[at : at + 1] and words[at] in {"in", "from", "of"}:
        return phrase_end(words, at + 1, SOURCES) or at
    return at

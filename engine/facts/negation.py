"""A claim that says the opposite of a sentence in the same words: "can be returned", "cannot be returned"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from .vocabulary import listed
from .words import STOPWORDS, stem

__all__ = ["negation_mismatch"]

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_CLAUSE = re.compile(r"\s*[,;:()\u2014]\s+|\s+(?:but|and|so)\s+")
_CONDITION = re.compile(
    r"\b(?:if|unless|except|whether|until|when|without|only|otherwise|though|although)\b", re.IGNORECASE
)
_CONTRACTED = {"can't": "can not", "cannot": "can not", "won't": "will not", "shan't": "shall not", "ain't": "is not"}
_NEGATIONS = frozenset({"not", "never", "no", "none", "nobody", "nothing", "neither", "nor", "without", "nowhere"})
_TRIED = frozenset({"unable", "fail", "fails", "failed", "failing"})
# These take their "no" back or make it a bound: "not only", "no fewer than", "no doubt".
_AFTER_NEUTRAL = frozenset(
    listed(
        "only just merely less fewer more later earlier sooner doubt matter wonder necessarily always all every "
        "everyone everything"
    )
)
_GUESS = frozenset({"might", "could", "perhaps", "maybe", "possibly", "probably", "seem", "seems"})
# A negation right after these denies a part of the sentence only: "or not", "but never".
_JOINERS = frozenset({"or", "but", "and"})
_PEOPLE = frozenset({"i", "you", "he", "she", "we", "they"})
# Quantifiers change what a negation denies, so they count as content here.
_WEIGHTY = frozenset(listed("all some both each most more only very too after before under over during between"))
_EMPTY = (STOPWORDS - _WEIGHTY - _PEOPLE) | frozenset({"any", "able", "cause"})
_FEWEST = 2
"""Fewer content words than this are too little to say that two texts speak of one thing."""


@dataclass(frozen=True, slots=True)
class _Clause:
    """The stems of a clause without its negations, and how many it had (None: not to be judged)."""

    content: tuple[str, ...]
    negations: int | None


def _tokens(text: str) -> list[str]:
    words: list[str] = []
    for match in _WORD.finditer(text):
        word = match.group().lower().replace("’", "'")
        if word in _CONTRACTED:
            words += _CONTRACTED[word].split()
        elif word.endswith("n't"):
            words += [word[:-3], "not"]
        else:
            words.append(word)
    return words


def _clause(text: str) -> _Clause:
    words = _tokens(text)
    permission = not words or words[0] == "you"
    unsure = any(word in _GUESS or (word == "may" and not permission) for word in words)
    negations, content, before, since = 0, [], "", 1
    for word, following in zip_longest(words, words[1:], fillvalue=""):
        if word in _NEGATIONS or (word in _TRIED and (following == "to" or word == "unable")):
            unsure = unsure or following in _AFTER_NEUTRAL or before in _JOINERS
            negations, since = negations + 1, 0
        elif word not in _EMPTY and not (word == "longer" and negations):
            content.append(stem(word))
            since += 1
        before = word
    return _Clause(tuple(content), None if unsure or since == 0 else negations)


def _clauses(text: str) -> Iterator[_Clause]:
    """The sentence, and each of its clauses when no condition ties them together."""
    yield _clause(text)
    if _CONDITION.search(text) is None:
        yield from (_clause(part) for part in _CLAUSE.split(text) if part)


def negation_mismatch(claim: str, sentence: str) -> bool:
    """Whether `claim` denies what `sentence` says, or says what it denies, in the same words otherwise.

    Conservative: the content words must agree in number and order, so a paraphrase never counts. Antonyms
    ("open", "closed") are left to the model. `sentence` is one sentence of the evidence, not a document.
    """
    claimed = _clause(claim)
    if claimed.negations is None or len(claimed.content) < _FEWEST:
        return False
    alike = [said for said in _clauses(sentence) if said.content == claimed.content and said.negations is not None]
    polarities = {said.negations for said in alike}
    return bool(polarities) and claimed.negations not in polarities and {claimed.negations, *polarities} == {0, 1}

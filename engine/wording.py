"""How much of what a claim says is in no word of the documents it is judged on.

A small classifier forgives an invented name when the rest of a sentence agrees; the words themselves do not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from .corpus import Corpus
from .facts.antonyms import antonym_mismatch
from .facts.entities import entity_mismatch
from .facts.marks import mark_mismatch
from .facts.misplaced import misplaced
from .facts.negation import negation_mismatch
from .facts.same_value import same_value
from .facts.template import same_words
from .facts.words import STOPWORDS, stem, words_of

__all__ = ["DocumentWords", "content_words", "denies", "name_words", "restates", "unstated_share"]

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_OPENING = re.compile(r"(?:^|[.!?:;]|[\"“”‘'(\[])\s*$")
_PREFIX = 5
"""Letters that two words must share to be forms of one: "popular", "popularity"."""
_TITLE_WORDS = 6
_LOWER_SHARE = 0.2
"""With fewer words in lower case than this share, a text of some length is in title case."""


class DocumentWords:
    """The words of each source of a corpus, read when they are first asked for."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._known: dict[int, frozenset[str]] = {}

    def of(self, numbers: Iterable[int]) -> frozenset[str]:
        """The words of every source that has one of the texts `numbers`, in normal form."""
        sources = {place.source.index for number in numbers for place in self._corpus.occurrences[number]}
        return frozenset().union(*(self._of_source(index) for index in sources))

    def _of_source(self, index: int) -> frozenset[str]:
        if index not in self._known:
            texts = (self._corpus.texts[number] for number in dict.fromkeys(self._corpus.by_source[index]))
            self._known[index] = frozenset(word.stem[:_PREFIX] for text in texts for word in words_of(text))
        return self._known[index]


def content_words(text: str) -> tuple[str, ...]:
    """The words of `text` that say what it is about, in normal form; numbers are left to the fact check."""
    return tuple(
        word.stem[:_PREFIX]
        for word in words_of(text)
        if word.stem not in STOPWORDS and not any(character.isdigit() for character in word.stem)
    )


def name_words(text: str) -> tuple[str, ...]:
    """The words of names in `text`, in normal form: capitalised inside a sentence, or before another such word.

    A text in title case has none, since every word of it looks like a name.
    """
    matches = list(_WORD.finditer(text))
    content = [match.group() for match in matches if stem(match.group()) not in STOPWORDS]
    if len(content) >= _TITLE_WORDS and sum(word[0].islower() for word in content) < len(content) * _LOWER_SHARE:
        return ()
    following = [*(match.group() for match in matches[1:]), ""]
    return tuple(
        stem(match.group())[:_PREFIX]
        for match, after in zip(matches, following, strict=False)
        if _is_name(text, match, after)
    )


def _is_name(text: str, match: re.Match[str], after: str) -> bool:
    word = match.group()
    if not word[0].isupper() or stem(word) in STOPWORDS or any(character.isdigit() for character in word):
        return False
    return after[:1].isupper() or not _OPENING.search(text[: match.start()])


def unstated_share(words: tuple[str, ...], stated: frozenset[str]) -> float:
    """The share of `words` that are not in `stated`: 0 to 1, and 0 without words."""
    return sum(word not in stated for word in words) / len(words) if words else 0.0


def denies(claim: str, sentence: str) -> bool:
    """Whether `sentence` is `claim` but for a negation, a name, the mark of a letter, or the place of a value."""
    return (
        negation_mismatch(claim, sentence)
        or antonym_mismatch(claim, sentence) is not None
        or entity_mismatch(claim, sentence) is not None
        or mark_mismatch(claim, sentence) is not None
        or misplaced(claim, sentence) is not None
    )


def restates(claim: str, sentence: str) -> bool:
    """Whether `claim` is `sentence` word for word, with quantities that are written differently but equal.

    "It opened on 3 May 1999, 12 km away." restates "It opened on May 3, 1999, twelve kilometres away."
    """
    templates = same_words(claim, sentence)
    return templates is not None and all(map(same_value, templates[0].slots, templates[1].slots))

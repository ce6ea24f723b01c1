"""Which sentences of the sources a claim is compared with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from .corpus import Corpus
from .facts.words import STOPWORDS, words_of
from .protocols import FloatArray
from .rule import DecisionRule

__all__ = ["Premise", "VerbatimIndex", "conflict_premises", "select_premises"]

_PREFIX = 5
_MOST_READINGS = 3
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True, slots=True)
class Premise:
    """A text that may prove or refute a claim.

    `texts` are numbers in the corpus: one for a sentence, more for a joined window. `lead` is the number the
    similarity belongs to.
    """

    lead: int
    texts: tuple[int, ...]
    text: str
    similarity: float

    @property
    def joined(self) -> bool:
        """Whether several sentences were put together."""
        return len(self.texts) > 1


def select_premises(similarities: FloatArray, corpus: Corpus, rule: DecisionRule, claim: str) -> tuple[Premise, ...]:
    """The best sentences for `claim`, best first, then joined windows of them.

    `similarities` has shape (len(corpus.texts),). Only sentences at or above `rule.similarity_gate` count. A further
    sentence is worth a pair when it is about as similar as the best one, or has a word of the claim that no better
    one has; a window, when it has more of the claim's words than any sentence alone. The order depends on similarity
    and text alone, so neither the order of the sources nor what else is among them changes what is selected.
    """
    best = [
        number
        for number in _ranked(similarities, corpus)[: rule.evidence_sentences]
        if similarities[number] >= rule.similarity_gate
    ]
    if not best:
        return ()
    said = _words(claim)
    found = [
        _premise(corpus, similarities, number, texts) for number in best for texts in _readings(corpus, number, rule)
    ]
    singles = _worth_a_pair(found, said, rule)
    most = max(len(said & _words(premise.text)) for premise in singles)
    windows = [_premise(corpus, similarities, best[0], window) for window in _windows(best, corpus, rule)]
    fuller = [premise for premise in windows if len(said & _words(premise.text)) > most]
    return tuple({premise.text: premise for premise in (*singles, *fuller)}.values())


def _worth_a_pair(singles: list[Premise], said: frozenset[str], rule: DecisionRule) -> list[Premise]:
    floor = singles[0].similarity - rule.premise_margin
    kept: list[Premise] = []
    covered: set[str] = set()
    for premise in singles:
        words = said & _words(premise.text)
        if not kept or premise.similarity >= floor or not words <= covered:
            kept.append(premise)
            covered |= words
    return kept


def _words(text: str) -> frozenset[str]:
    """Content words, each by the letters that its forms share, and numbers as they are written."""
    words = (word.stem[:_PREFIX] for word in words_of(text) if word.stem not in STOPWORDS)
    return frozenset(words) | frozenset(_NUMBER.findall(text))


def conflict_premises(similarities: FloatArray, corpus: Corpus, rule: DecisionRule) -> tuple[Premise, ...]:
    """The best sentence of each distinct source, at or above the gate, for up to `rule.conflict_sources`.

    A sentence that stands in several sources speaks for all of them and is taken once.
    """
    taken: list[Premise] = []
    covered: set[int] = set()
    for number in _ranked(similarities, corpus):
        if similarities[number] < rule.similarity_gate or len(taken) == rule.conflict_sources:
            break
        sources = {occurrence.source.index for occurrence in corpus.occurrences[number]}
        if not sources <= covered:
            taken.append(_premise(corpus, similarities, number, _readings(corpus, number, rule)[0]))
            covered |= sources
    return tuple(taken)


class VerbatimIndex:
    """Finds the sentences of a corpus that say a claim word for word; case, spacing and a closing stop aside.

    Punctuation inside counts, since "3.5" is not "35", and so does a closing question mark: a question says nothing.
    """

    def __init__(self, corpus: Corpus) -> None:
        self._numbers: dict[str, list[int]] = {}
        for number, text in enumerate(corpus.texts):
            self._numbers.setdefault(_plain(text), []).append(number)

    def find(self, claim: str) -> tuple[int, ...]:
        """Numbers in the corpus, in order."""
        plain = _plain(claim)
        return tuple(self._numbers.get(plain, ())) if plain else ()


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold().rstrip(".!:;, ")


def _ranked(similarities: FloatArray, corpus: Corpus) -> list[int]:
    # Rounding makes the tie-break by text stable against the last bits of a float.
    order = np.argsort(-similarities, kind="stable")
    return sorted(order[:64].tolist(), key=lambda n: (-round(float(similarities[n]), 5), corpus.texts[n]))


def _premise(corpus: Corpus, similarities: FloatArray, lead: int, numbers: tuple[int, ...]) -> Premise:
    text = " ".join(corpus.texts[number] for number in numbers)
    return Premise(lead, numbers, text, float(similarities[lead]))


def _readings(corpus: Corpus, number: int, rule: DecisionRule) -> list[tuple[int, ...]]:
    """A sentence as a premise. One that opens with a pronoun is read with the sentence before it.

    Where it stands in several places it may speak of somebody else in each, so that each is a reading of its own.
    """
    places = corpus.occurrences[number]
    if not (rule.antecedents and places[0].passage.opens_with_pronoun):
        return [(number,)]
    before = {corpus.neighbour(place, -1) for place in places} - {number}
    known = sorted((each for each in before if each is not None), key=lambda each: corpus.texts[each])
    return [(each, number) for each in known[:_MOST_READINGS]] or [(number,)]


def _windows(best: list[int], corpus: Corpus, rule: DecisionRule) -> Iterator[tuple[int, ...]]:
    """Joined premises: the best sentence with its neighbours, and the best sentences together."""
    if rule.neighbour_window:
        first = corpus.place(best[0])
        yield _distinct((corpus.neighbour(first, -1), best[0], corpus.neighbour(first, 1)))
    if rule.joined_window and len(best) > 1:
        yield _distinct(_in_reading_order(best, corpus))


def _in_reading_order(numbers: list[int], corpus: Corpus) -> list[int]:
    """By position inside one source; sources themselves in the order of their best sentence."""
    places = {number: corpus.place(number) for number in numbers}
    rank: dict[int, int] = {}
    for number in numbers:
        rank.setdefault(places[number].source.index, len(rank))
    return sorted(numbers, key=lambda n: (rank[places[n].source.index], places[n].position))


def _distinct(numbers: tuple[int | None, ...] | list[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(number for number in numbers if number is not None))

"""Whom a claim that opens with a pronoun is about, and whether a sentence that says the same is about another.

"The Basic plan is for individuals. It costs $25." is not what "The Pro plan is for teams. It costs $25." says.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .corpus import Corpus, Occurrence
from .facts.words import STOPWORDS, words_of
from .text.claims import Claim
from .text.sources import opens_with_pronoun

__all__ = ["about_another", "antecedent_of"]

_MOST_BACK = 3
_LONGEST_GAP = 40


def antecedent_of(claims: Sequence[Claim], at: int) -> str | None:
    """The text of the claim that the pronoun of claim `at` points to; None without a pronoun, or with nothing before.

    That is the nearest claim before it that opens with no pronoun itself, in the same stretch of text.
    """
    if not opens_with_pronoun(claims[at].model_text):
        return None
    for place in range(at - 1, max(-1, at - 1 - _MOST_BACK), -1):
        if claims[place + 1].start - claims[place].end > _LONGEST_GAP:
            return None
        if not opens_with_pronoun(claims[place].model_text):
            return claims[place].model_text
    return None


def about_another(antecedent: str, number: int, corpus: Corpus) -> bool:
    """Whether the sentence `number` opens with a pronoun too, and means something else of the same kind everywhere.

    Of the same kind: one word of the two labels is the same, as in "Basic plan" and "Pro plan", "Model 3" and
    "Model Y". Where the labels share no word nothing is known, and the sentence may be about the same thing.
    """
    return all(_differs(antecedent, place, corpus) for place in corpus.occurrences[number])


def _differs(antecedent: str, place: Occurrence, corpus: Corpus) -> bool:
    if not place.passage.opens_with_pronoun:
        return False
    for back in range(1, _MOST_BACK + 1):
        before = corpus.neighbour(place, -back)
        if before is None:
            return False
        text = corpus.texts[before]
        if not opens_with_pronoun(text):
            return _other_label(antecedent, text, place.source.text)
    return False


def _other_label(one: str, other: str, source: str) -> bool:
    """Whether the opening labels share one word of two, and neither text has the other's label."""
    ours, theirs = _label(one, source), _label(other, source)
    if ours is None or theirs is None:
        return False
    shared = [left == right for left, right in zip(ours, theirs, strict=True)]
    if sum(shared) != 1:
        return False
    at = shared.index(False)
    return ours[at] not in _stems(other) and theirs[at] not in _stems(one)


_LABEL = re.compile(r"\W*(?P<article>(?:[Tt]he|[Oo]ur|[Aa]n?)\s+)?(?P<first>[A-Z][\w-]*)\s+(?P<second>[\w-]+)")


def _label(text: str, source: str) -> tuple[str, str] | None:
    """The two words that a sentence opens with, the first of them a name: "Basic plan", "Model 3"."""
    match = _LABEL.match(text)
    if match is None or not (match["article"] or _is_name(match["first"], source)):
        return None
    stems = [word.stem for word in words_of(f"{match['first']} {match['second']}")]
    if len(stems) != 2 or stems[0] in STOPWORDS or stems[1] in STOPWORDS:
        return None
    return stems[0], stems[1]


def _is_name(word: str, source: str) -> bool:
    """Whether `word`, capitalised at the start of a sentence, is so inside a sentence of the source as well."""
    return re.search(rf"[a-z0-9,;] {re.escape(word)}\b", source) is not None


def _stems(text: str) -> frozenset[str]:
    return frozenset(word.stem for word in words_of(text))

"""What the claims of an answer are about beyond their own words: what a pronoun stands for, and the heading above."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from .antecedents import about_another, antecedent_of
from .corpus import Corpus, Occurrence
from .text.claims import Claim, Segmentation, SkipReason
from .text.fragments import is_fragment
from .text.sources import PassageKind

__all__ = ["Topics"]


class Topics:
    """Finds the sentences of a corpus that say what a claim says, but of something else.

    "- Price: $25" below "Basic plan" is not what the same line below "Pro plan" says, where the sources have a heading
    "Basic plan" too. Under headings that the sources do not have nothing is known.
    """

    def __init__(self, response: str, segmentation: Segmentation, corpus: Corpus) -> None:
        self._corpus = corpus
        self._headings = [
            (span.start, _plain(response[span.start : span.end]))
            for span in segmentation.skipped
            if span.reason is SkipReason.HEADING
        ]

    def about(self, claims: Sequence[Claim], at: int, numbers: Sequence[int]) -> tuple[int, ...]:
        """Those of the sentences `numbers` that may be about what claim `at` of `claims` is about."""
        antecedent, heading = antecedent_of(claims, at), self._heading_of(claims[at])
        return tuple(
            number
            for number in numbers
            if not (antecedent is not None and about_another(antecedent, number, self._corpus))
            and not (heading is not None and self._below_another(heading, number))
        )

    def _heading_of(self, claim: Claim) -> str | None:
        """The nearest heading above a claim without a verb of its own, if the sources have that heading as well."""
        above = [text for start, text in self._headings if start < claim.start]
        if not above or above[-1] not in self._known or not is_fragment(claim.model_text):
            return None
        return above[-1]

    @cached_property
    def _known(self) -> frozenset[str]:
        places = (place for places in self._corpus.occurrences for place in places)
        return frozenset(_plain(place.passage.text) for place in places if place.passage.kind is PassageKind.HEADING)

    def _below_another(self, heading: str, number: int) -> bool:
        """Whether the text stands below some other heading wherever it stands."""
        found = [self._heading_above(place) for place in self._corpus.occurrences[number]]
        return all(above is not None and above != heading for above in found)

    def _heading_above(self, place: Occurrence) -> str | None:
        passages = self._corpus.by_source[place.source.index]
        for position in range(place.position - 1, -1, -1):
            for other in self._corpus.occurrences[passages[position]]:
                here = other.source.index == place.source.index and other.position == position
                if here and other.passage.kind is PassageKind.HEADING:
                    return _plain(other.passage.text)
        return None


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold().strip("#*_=-:. ")

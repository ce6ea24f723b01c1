"""All sentences of all sources, each distinct text once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from .limits import Limits
from .sources import Source
from .text.sources import Passage, split_source

__all__ = ["Corpus", "Occurrence", "read_corpus"]


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A place where a text stands: the source, and the passage in it by position."""

    source: Source
    position: int
    passage: Passage


@dataclass(frozen=True, slots=True)
class Corpus:
    """`texts[i]` is the i-th distinct sentence as models read it, `occurrences[i]` every place it stands in.

    Occurrences are in source order. `by_source` maps a source index to the text numbers of its passages, in
    order of position. `cut` says in words what a limit left out.
    """

    texts: tuple[str, ...]
    occurrences: tuple[tuple[Occurrence, ...], ...]
    by_source: dict[int, tuple[int, ...]]
    cut: tuple[str, ...] = ()

    def place(self, number: int) -> Occurrence:
        """The occurrence whose neighbours are read with a text: one choice, whatever the order of the sources."""
        places = self.occurrences[number]
        if len(places) == 1:
            return places[0]
        return min(places, key=lambda at: (self._text_beside(at, -1), self._text_beside(at, 1)))

    def _text_beside(self, occurrence: Occurrence, step: int) -> str:
        number = self.neighbour(occurrence, step)
        return "" if number is None else self.texts[number]

    def neighbour(self, occurrence: Occurrence, step: int) -> int | None:
        """The text number `step` passages after (or before, when negative) `occurrence` in its source."""
        passages = self.by_source[occurrence.source.index]
        position = occurrence.position + step
        return passages[position] if 0 <= position < len(passages) else None


@dataclass(slots=True)
class _Builder:
    limits: Limits
    numbers: dict[str, int] = field(default_factory=dict)
    occurrences: list[list[Occurrence]] = field(default_factory=list)
    by_source: dict[int, tuple[int, ...]] = field(default_factory=dict)
    cut: list[str] = field(default_factory=list)
    unread: Counter[str] = field(default_factory=Counter)
    characters: int = 0
    sentences: int = 0

    def add(self, source: Source) -> None:
        passages = self._within_limits(source, split_source(self._text(source)))
        self.by_source[source.index] = tuple(
            self._number(Occurrence(source, position, passage)) for position, passage in enumerate(passages)
        )

    def _text(self, source: Source) -> str:
        allowed = self.limits.max_source_chars
        left = len(source.text) if allowed is None else max(0, allowed - self.characters)
        self.characters += len(source.text)
        if left < len(source.text):
            self._cut(source, left, "character", f"max_source_chars={allowed}")
        return source.text[:left]

    def _within_limits(self, source: Source, passages: Sequence[Passage]) -> Sequence[Passage]:
        allowed = self.limits.max_sentences
        left = len(passages) if allowed is None else max(0, allowed - self.sentences)
        self.sentences += len(passages)
        if left < len(passages):
            self._cut(source, left, "sentence", f"max_sentences={allowed}")
        return passages[:left]

    def _cut(self, source: Source, left: int, unit: str, limit: str) -> None:
        # A limit cuts one source; those behind it may be thousands, and are counted.
        if left:
            self.cut.append(f"source {source.id!r} was read up to {unit} {left} ({limit})")
        else:
            self.unread[limit] += 1

    def told(self) -> tuple[str, ...]:
        """In words, what the limits left out."""
        more = (
            f"{count} {'source was' if count == 1 else 'sources were'} not read ({limit})"
            for limit, count in self.unread.items()
        )
        return (*self.cut, *more)

    def _number(self, occurrence: Occurrence) -> int:
        text = occurrence.passage.model_text
        number = self.numbers.setdefault(text, len(self.occurrences))
        if number == len(self.occurrences):
            self.occurrences.append([])
        self.occurrences[number].append(occurrence)
        return number


def read_corpus(sources: Sequence[Source], limits: Limits) -> Corpus:
    """Split `sources` into sentences; equal texts are kept once and remember every place."""
    builder = _Builder(limits)
    for source in sources:
        builder.add(source)
    return Corpus(
        texts=tuple(builder.numbers),
        occurrences=tuple(tuple(places) for places in builder.occurrences),
        by_source=builder.by_source,
        cut=builder.told(),
    )

"""Everything measured about one claim, before any rule is applied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .corpus import Corpus, Occurrence
from .evidence import Premise
from .text.claims import Claim

__all__ = ["ClaimSignals", "ScoredPremise", "calibrated_signals", "places"]


@dataclass(frozen=True, slots=True)
class ScoredPremise:
    """A premise with the probabilities of `NLI_LABELS` for (premise, claim), each in 0..1.

    answer     p(entailment) of a short answer alone, without its question; None for other claims
    unstated   share of the claim's content words that the documents of the premise do not have, 0..1
    unstated_names   how many words of names in the claim they do not have
    """

    premise: Premise
    contradiction: float
    entailment: float
    neutral: float
    windowed: bool = False
    answer: float | None = None
    unstated: float = 0.0
    unstated_names: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimSignals:
    """What the models and the text say about a claim.

    similarity         cosine to the best sentence of any source; 0.0 without sources
    best               number in the corpus of that sentence; None without sources
    scored             premises with NLI scores, most similar sentence first; empty below the gate
    conflict_scored    one premise per distinct source, when conflict detection is on
    cited              (source index, scored premises of that source) per cited source, when citations are checked
    verbatim           numbers in the corpus of sentences that say the claim word for word
    restating          numbers of premise sentences that do so but for the way their quantities are written
    denying            numbers of premise sentences that are the claim with a negation more or less, or another name
    """

    claim: Claim
    similarity: float = 0.0
    best: int | None = None
    scored: tuple[ScoredPremise, ...] = ()
    conflict_scored: tuple[ScoredPremise, ...] = ()
    cited: tuple[tuple[int, tuple[ScoredPremise, ...]], ...] = ()
    verbatim: tuple[int, ...] = ()
    restating: tuple[int, ...] = ()
    denying: tuple[int, ...] = ()

    @property
    def nli_ran(self) -> bool:
        """Whether any premise was scored."""
        return bool(self.scored)

    @property
    def first(self) -> ScoredPremise | None:
        """The single best sentence with its scores, or None below the gate."""
        return self.scored[0] if self.scored else None


def places(corpus: Corpus, numbers: Sequence[int]) -> list[Occurrence]:
    """Every occurrence of the texts `numbers`, in source order, then by position."""
    found = [place for number in numbers for place in corpus.occurrences[number]]
    return sorted(found, key=lambda place: (place.source.index, place.position))


def calibrated_signals(signals: ClaimSignals, temperature: float) -> ClaimSignals:
    """`signals` with temperature-scaled probabilities: p ** (1 / T), renormalised (Guo et al., 2017)."""
    if temperature == 1.0:
        return signals
    return replace(
        signals,
        scored=tuple(_calibrated(each, temperature) for each in signals.scored),
        conflict_scored=tuple(_calibrated(each, temperature) for each in signals.conflict_scored),
        cited=tuple(
            (source, tuple(_calibrated(each, temperature) for each in scored)) for source, scored in signals.cited
        ),
    )


def _calibrated(scored: ScoredPremise, temperature: float) -> ScoredPremise:
    powered = [max(p, 1e-12) ** (1.0 / temperature) for p in (scored.contradiction, scored.entailment, scored.neutral)]
    contradiction, entailment, neutral = (p / sum(powered) for p in powered)
    answer = None if scored.answer is None else _tempered(scored.answer, temperature)
    return replace(scored, contradiction=contradiction, entailment=entailment, neutral=neutral, answer=answer)


def _tempered(probability: float, temperature: float) -> float:
    yes: float = max(probability, 1e-12) ** (1.0 / temperature)
    no: float = max(1.0 - probability, 1e-12) ** (1.0 / temperature)
    return yes / (yes + no)

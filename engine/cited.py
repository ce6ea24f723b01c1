"""Citations and quotations: is each claim backed by the source it names, and is what it quotes really there?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from longtracer.contracts import CitationResult, ClaimAssessment, ReasonCode

from .corpus import Corpus
from .decide import Decision, FactChecker, decide
from .evidence import Premise, select_premises
from .facts.quotations import find_quotations, quotation_in
from .protocols import FloatArray
from .request import EvaluationRequest
from .rule import DecisionRule
from .signals import ClaimSignals
from .sources import Source
from .text.claims import Citation, Claim

__all__ = ["CitationCheck", "check_citations", "cited_premises"]


@dataclass(frozen=True, slots=True)
class CitationCheck:
    """The citations of a claim with their verdicts, and the decision they leave of the one made without them."""

    citations: tuple[CitationResult, ...]
    decision: Decision


def cited_premises(
    claim: Claim, similarities: FloatArray, corpus: Corpus, rule: DecisionRule
) -> tuple[tuple[int, tuple[Premise, ...]], ...]:
    """The best premises of each source that `claim` cites, by source index; `[1]` is the first source."""
    cited = dict.fromkeys(number - 1 for mark in claim.citations for number in mark.numbers)
    found = []
    for index in cited:
        own = corpus.by_source.get(index)
        if own:
            masked = np.full_like(similarities, -1.0)
            masked[list(own)] = similarities[list(own)]
            found.append((index, select_premises(masked, _only(corpus, index), rule, claim.model_text)))
    return tuple(found)


def _only(corpus: Corpus, index: int) -> Corpus:
    """`corpus` as if source `index` were the only one: a sentence has no neighbours in other sources."""
    own = (tuple(at for at in occurrences if at.source.index == index) for occurrences in corpus.occurrences)
    return replace(corpus, occurrences=tuple(own))


def check_citations(
    decision: Decision,
    signals: ClaimSignals,
    corpus: Corpus,
    request: EvaluationRequest,
    sources: Sequence[Source],
    rule: DecisionRule,
    facts: FactChecker | None,
) -> CitationCheck:
    """Judge each marker against the sources it names, and look every quotation up.

    A supported claim stays supported only when no marker is out of range, some cited source supports it, and its
    quotations stand in a source.
    """
    verdicts = {index: _verdict(index, signals, corpus, rule, facts) for index, _ in signals.cited}
    names = {source.index: source.id for source in sources}
    citations = tuple(_citation(mark, verdicts, names, len(request.sources)) for mark in signals.claim.citations)
    reason = _objection(citations) or _missing_quotation(signals.claim, sources)
    if reason is None or decision.assessment is not ClaimAssessment.SUPPORTED:
        return CitationCheck(citations, decision)
    objected = replace(decision, assessment=ClaimAssessment.INSUFFICIENT_EVIDENCE, reason=reason)
    return CitationCheck(citations, objected)


def _verdict(index: int, signals: ClaimSignals, corpus: Corpus, rule: DecisionRule, facts: FactChecker | None) -> str:
    """What one cited source says, judged as if it were the only one."""
    scored = dict(signals.cited)[index]
    own = set(corpus.by_source[index])
    alone = replace(signals, scored=scored, conflict_scored=(), verbatim=tuple(n for n in signals.verbatim if n in own))
    assessment = decide(alone, rule, facts).assessment
    if assessment is ClaimAssessment.SUPPORTED:
        return "supports"
    return "contradicts" if assessment is ClaimAssessment.CONTRADICTED else "does_not_support"


def _citation(mark: Citation, verdicts: dict[int, str], names: dict[int, str], count: int) -> CitationResult:
    indices = [number - 1 for number in mark.numbers]
    known = tuple(names.get(index, f"source_{index}") for index in indices if 0 <= index < count)
    plain = CitationResult(text=mark.text, char_start=mark.start, char_end=mark.end, source_ids=known)
    if not indices:
        return plain
    if any(not 0 <= index < count for index in indices):
        return plain.model_copy(update={"verdict": "out_of_range"})
    said = {verdicts.get(index, "does_not_support") for index in indices}
    best = next(verdict for verdict in ("supports", "contradicts", "does_not_support") if verdict in said)
    return plain.model_copy(update={"verdict": best})


def _objection(citations: Sequence[CitationResult]) -> ReasonCode | None:
    verdicts = {citation.verdict for citation in citations}
    if "out_of_range" in verdicts:
        return ReasonCode.CITATION_OUT_OF_RANGE
    judged = verdicts - {"unchecked"}
    return ReasonCode.CITED_SOURCE_DOES_NOT_SUPPORT if judged and "supports" not in judged else None


def _missing_quotation(claim: Claim, sources: Sequence[Source]) -> ReasonCode | None:
    texts = [source.text for source in sources]
    missing = any(quotation_in(quotation.text, texts) is None for quotation in find_quotations(claim.text))
    return ReasonCode.QUOTE_NOT_FOUND if missing else None

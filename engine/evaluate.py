"""The one path from a response to signals, for every entry point and both kinds of result."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from .cited import cited_premises
from .corpus import Corpus, read_corpus
from .embedding_cache import EmbeddingCache
from .evidence import Premise, VerbatimIndex, conflict_premises, select_premises
from .languages import ForeignText, UnreadClaim, read_languages
from .limits import Limits
from .protocols import FloatArray, ModelPair
from .request import EvaluationRequest
from .rows import RowRelation, compare_rows
from .rule import DecisionRule
from .rules import rule_for
from .scoring import NliScores, embed, entail
from .signals import ClaimSignals, ScoredPremise
from .sources import Source, read_sources
from .statements import is_polar, plain_statements
from .text.claims import Claim, ClaimKind, Segmentation, split_claims
from .text.sources import PassageKind
from .topics import Topics
from .wording import DocumentWords, content_words, denies, name_words, restates, unstated_share

__all__ = ["Checkpoint", "Evaluation", "evaluate"]

Checkpoint = Callable[[], None]
"""Called between stages; raises to abandon an evaluation nobody waits for any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """The signals of every claim, and what they were read from.

    `signals` hold one entry per claim that was read. `unread` are claims that were not: beyond `max_claims`, or in a
    language that the models were not trained for. `foreign` says that this holds for the answer or its sources as
    a whole; nothing was scored then.
    `stage_ms` holds wall-clock milliseconds per stage.
    """

    request: EvaluationRequest
    segmentation: Segmentation
    foreign: ForeignText | None
    sources: tuple[Source, ...]
    corpus: Corpus
    signals: tuple[ClaimSignals, ...] = ()
    unread: tuple[UnreadClaim, ...] = ()
    used_models: bool = False
    stage_ms: dict[str, float] = field(default_factory=dict)


class _Stopwatch:
    def __init__(self) -> None:
        self.stages: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, stage: str) -> None:
        now = time.perf_counter()
        self.stages[stage] = (now - self._last) * 1000
        self._last = now


def evaluate(
    request: EvaluationRequest,
    models: Callable[[], ModelPair],
    rule: DecisionRule | None,
    *,
    limits: Limits,
    cache: EmbeddingCache | None = None,
    judge_language: bool = True,
    checkpoint: Checkpoint = lambda: None,
) -> Evaluation:
    """Measure every claim of a request; `rule` None takes the one that comes with the models.

    `models` is asked for only when there is something to score: an empty answer, or one without sources, needs none.

    With `judge_language`, text that is clearly not in a language of the models is left unread.

    Raises:
        ModelUnavailableError, EvaluationFailedError: from the models; nothing partial is returned.
    """
    watch = _Stopwatch()
    segmentation = plain_statements(split_claims(request.response, question=request.question))
    sources = read_sources(request)
    corpus = read_corpus(sources, limits)
    watch.lap("split")
    claims, unread = _within(segmentation.claims, limits.max_claims)
    foreign: ForeignText | None = None
    signals = tuple(ClaimSignals(claim=claim) for claim in claims)
    if claims and corpus.texts:
        checkpoint()
        pair = models()
        checkpoint()
        if judge_language:
            reading = read_languages(claims, sources, pair.languages)
            claims, foreign, unread = reading.claims, reading.foreign, (*reading.unread, *unread)
        signals = ()
        if foreign is None and claims:
            similarities = _similarities(pair, claims, corpus, cache)
            watch.lap("embed")
            checkpoint()
            topics = Topics(request.response, segmentation, corpus)
            signals = _score(pair, claims, similarities, corpus, rule_for(rule, pair), request, topics)
            watch.lap("nli")
        checkpoint()
    return Evaluation(
        request=request,
        segmentation=segmentation,
        foreign=foreign,
        sources=sources,
        corpus=corpus,
        signals=signals,
        unread=unread,
        used_models="nli" in watch.stages,
        stage_ms=watch.stages,
    )


def _within(claims: Sequence[Claim], most: int | None) -> tuple[tuple[Claim, ...], tuple[UnreadClaim, ...]]:
    kept = len(claims) if most is None else most
    return tuple(claims[:kept]), tuple(UnreadClaim(claim, "beyond max_claims") for claim in claims[kept:])


def _similarities(pair: ModelPair, claims: Sequence[Claim], corpus: Corpus, cache: EmbeddingCache | None) -> FloatArray:
    """Cosines of shape (claims, distinct sentences), from one call of the encoder."""
    texts = [claim.model_text for claim in claims]
    known = cache.find(corpus.texts) if cache is not None else {}
    missing = [text for text in corpus.texts if text not in known]
    vectors = embed(pair.encoder, [*texts, *missing])
    fresh = dict(zip(missing, vectors[len(texts) :], strict=True))
    if cache is not None:
        cache.keep(fresh)
    sentences = np.stack([known[text] if text in known else fresh[text] for text in corpus.texts])
    similarities: FloatArray = np.clip(vectors[: len(texts)] @ sentences.T, -1.0, 1.0)
    return similarities


@dataclass(frozen=True, slots=True)
class _Plan:
    """The premises of one claim, before they are scored."""

    claim: Claim
    similarities: FloatArray
    premises: tuple[Premise, ...] = ()
    conflict: tuple[Premise, ...] = ()
    cited: tuple[tuple[int, tuple[Premise, ...]], ...] = ()
    verbatim: tuple[int, ...] = ()

    @property
    def hypotheses(self) -> tuple[str, ...]:
        """The claim; for a short answer also the answer alone, which says less but is easier to find."""
        claim = self.claim
        alone = claim.kind is ClaimKind.SHORT_ANSWER and not is_polar(claim.text)
        return (claim.model_text, claim.text) if alone else (claim.model_text,)

    @property
    def every_premise(self) -> tuple[Premise, ...]:
        """All that is scored for the claim."""
        return (*self.premises, *self.conflict, *(premise for _, premises in self.cited for premise in premises))

    @property
    def numbers(self) -> tuple[int, ...]:
        """The sentences that the premises are made of."""
        return tuple(dict.fromkeys(number for premise in self.every_premise for number in premise.texts))

    def pairs(self) -> list[tuple[str, str]]:
        return [(premise.text, hypothesis) for premise in self.every_premise for hypothesis in self.hypotheses]


def _score(
    pair: ModelPair,
    claims: Sequence[Claim],
    similarities: FloatArray,
    corpus: Corpus,
    rule: DecisionRule,
    request: EvaluationRequest,
    topics: Topics,
) -> tuple[ClaimSignals, ...]:
    """Score the pairs of all claims in one call of the classifier; equal pairs once."""
    index = VerbatimIndex(corpus)
    plans = [
        _plan(claim, row, corpus, rule, request, topics.about(claims, at, index.find(claim.model_text)))
        for at, (claim, row) in enumerate(zip(claims, similarities, strict=True))
    ]
    distinct = list(dict.fromkeys(each for plan in plans for each in plan.pairs()))
    scores = entail(pair.nli, distinct)
    found = dict(zip(distinct, range(len(distinct)), strict=True))
    words = DocumentWords(corpus)
    return tuple(
        _with_wording(_signals(plan, scores, found, words), plan, corpus, topics.about(claims, at, plan.numbers))
        for at, plan in enumerate(plans)
    )


def _plan(
    claim: Claim,
    similarities: FloatArray,
    corpus: Corpus,
    rule: DecisionRule,
    request: EvaluationRequest,
    verbatim: tuple[int, ...],
) -> _Plan:
    if claim.kind is ClaimKind.REFUSAL:
        return _Plan(claim, similarities)
    premises = select_premises(similarities, corpus, rule, claim.model_text)
    return _Plan(
        claim,
        similarities,
        # A verbatim sentence decides by itself; one pair is still scored for the legacy fields.
        premises[:1] if verbatim else premises,
        conflict_premises(similarities, corpus, rule) if request.detect_conflicts else (),
        cited_premises(claim, similarities, corpus, rule) if request.check_citations else (),
        verbatim,
    )


def _signals(plan: _Plan, scores: NliScores, found: dict[tuple[str, str], int], words: DocumentWords) -> ClaimSignals:
    best = int(plan.similarities.argmax())
    claim = plan.hypotheses[-1]
    said, names = content_words(claim), name_words(claim)

    def scored(premises: Iterable[Premise]) -> tuple[ScoredPremise, ...]:
        return tuple(
            replace(
                _scored(each, scores, [found[each.text, hypothesis] for hypothesis in plan.hypotheses]),
                unstated=unstated_share(said, words.of(each.texts)),
                unstated_names=sum(name not in words.of(each.texts) for name in names),
            )
            for each in premises
        )

    return ClaimSignals(
        claim=plan.claim,
        similarity=float(plan.similarities[best]),
        best=best,
        scored=scored(plan.premises),
        conflict_scored=scored(plan.conflict),
        cited=tuple((source, scored(premises)) for source, premises in plan.cited),
        verbatim=plan.verbatim,
    )


def _with_wording(signals: ClaimSignals, plan: _Plan, corpus: Corpus, about: Sequence[int]) -> ClaimSignals:
    """Add what a comparison word by word says of the premise sentences; one about something else denies the claim.

    `about` are those of them that may be about what the claim is about.
    """
    claim, numbers = plan.claim.model_text, plan.numbers
    rows = {number: _row_relation(plan.claim, number, corpus) for number in numbers}
    return replace(
        signals,
        restating=tuple(
            n for n in numbers if n in about and (rows[n] is RowRelation.SAME or restates(claim, corpus.texts[n]))
        ),
        denying=tuple(
            n for n in numbers if n not in about or rows[n] is RowRelation.OTHER or denies(claim, corpus.texts[n])
        ),
    )


def _row_relation(claim: Claim, number: int, corpus: Corpus) -> RowRelation:
    passage = corpus.place(number).passage
    if claim.kind is not ClaimKind.TABLE_ROW or passage.kind is not PassageKind.TABLE_ROW:
        return RowRelation.UNKNOWN
    return compare_rows(claim.model_text, passage.model_text)


def _scored(premise: Premise, scores: NliScores, rows: Sequence[int]) -> ScoredPremise:
    """The scores of a premise; `rows` are those of the claim and, for a short answer, of the answer alone."""
    contradiction, entailment, neutral = (float(value) for value in scores.rows[rows[0]])
    answer = float(scores.rows[rows[1]][1]) if len(rows) > 1 else None
    return ScoredPremise(premise, contradiction, entailment, neutral, scores.windowed[rows[0]], answer)

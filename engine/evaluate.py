"""The one path from a response to signals, for every entry point and both kinds of result."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from .corpus import Corpus, read_corpus
from .embedding_cache import EmbeddingCache
from .evidence import Premise, conflict_premises, is_verbatim, select_premises
from .limits import Limits
from .protocols import FloatArray, ModelPair
from .request import EvaluationRequest
from .rule import DecisionRule
from .rules import rule_for
from .scoring import NliScores, embed, entail
from .signals import ClaimSignals, ScoredPremise
from .sources import Source, read_sources
from .text.claims import Claim, ClaimKind, Segmentation, split_claims

__all__ = ["Checkpoint", "Evaluation", "evaluate"]

Checkpoint = Callable[[], None]
"""Called between stages; raises to abandon an evaluation nobody waits for any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """The signals of every claim, and what they were read from.

    `claims` are those within the limits, one signal each; `unread` are claims beyond `max_claims`.
    `stage_ms` holds wall-clock milliseconds per stage.
    """

    request: EvaluationRequest
    segmentation: Segmentation
    sources: tuple[Source, ...]
    corpus: Corpus
    signals: tuple[ClaimSignals, ...] = ()
    unread: tuple[Claim, ...] = ()
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
    checkpoint: Checkpoint = lambda: None,
) -> Evaluation:
    """Measure every claim of a request; `rule` None takes the one that comes with the models.

    `models` is asked for only when there is something to score: an empty answer, or one without sources, needs none.

    Raises:
        ModelUnavailableError, EvaluationFailedError: from the models; nothing partial is returned.
    """
    watch = _Stopwatch()
    segmentation = split_claims(request.response, question=request.question)
    claims, unread = _within(segmentation.claims, limits.max_claims)
    sources = read_sources(request)
    corpus = read_corpus(sources, limits)
    watch.lap("split")
    signals = tuple(ClaimSignals(claim=claim) for claim in claims)
    if claims and corpus.texts:
        checkpoint()
        pair = models()
        similarities = _similarities(pair, claims, corpus, cache)
        watch.lap("embed")
        checkpoint()
        signals = _score(pair, claims, similarities, corpus, rule_for(rule, pair), request.detect_conflicts)
        watch.lap("nli")
        checkpoint()
    return Evaluation(
        request=request,
        segmentation=segmentation,
        sources=sources,
        corpus=corpus,
        signals=signals,
        unread=unread,
        used_models="nli" in watch.stages,
        stage_ms=watch.stages,
    )


def _within(claims: Sequence[Claim], most: int | None) -> tuple[tuple[Claim, ...], tuple[Claim, ...]]:
    kept = len(claims) if most is None else most
    return tuple(claims[:kept]), tuple(claims[kept:])


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
    premises: tuple[Premise, ...]
    conflict: tuple[Premise, ...]
    verbatim: tuple[int, ...]

    def pairs(self) -> list[tuple[str, str]]:
        return [(premise.text, self.claim.model_text) for premise in (*self.premises, *self.conflict)]


def _score(
    pair: ModelPair,
    claims: Sequence[Claim],
    similarities: FloatArray,
    corpus: Corpus,
    rule: DecisionRule,
    detect_conflicts: bool,
) -> tuple[ClaimSignals, ...]:
    plans = [_plan(claim, row, corpus, rule, detect_conflicts) for claim, row in zip(claims, similarities, strict=True)]
    distinct = list(dict.fromkeys(each for plan in plans for each in plan.pairs()))
    scores = entail(pair.nli, distinct)
    found = dict(zip(distinct, range(len(distinct)), strict=True))
    return tuple(_signals(plan, scores, found) for plan in plans)


def _plan(claim: Claim, similarities: FloatArray, corpus: Corpus, rule: DecisionRule, detect_conflicts: bool) -> _Plan:
    if claim.kind is ClaimKind.REFUSAL:
        return _Plan(claim, similarities, (), (), ())
    verbatim = tuple(n for n, text in enumerate(corpus.texts) if is_verbatim(claim.model_text, text))
    premises = select_premises(similarities, corpus, rule)
    conflict = conflict_premises(similarities, corpus, rule) if detect_conflicts else ()
    # A verbatim sentence decides by itself; one pair is still scored for the legacy fields.
    return _Plan(claim, similarities, premises[:1] if verbatim else premises, conflict, verbatim)


def _signals(plan: _Plan, scores: NliScores, found: dict[tuple[str, str], int]) -> ClaimSignals:
    best = int(plan.similarities.argmax())

    def scored(premises: Iterable[Premise]) -> tuple[ScoredPremise, ...]:
        return tuple(_scored(p, scores, found[p.text, plan.claim.model_text]) for p in premises)

    return ClaimSignals(
        claim=plan.claim,
        similarity=float(plan.similarities[best]),
        best=best,
        scored=scored(plan.premises),
        conflict_scored=scored(plan.conflict),
        verbatim=plan.verbatim,
    )


def _scored(premise: Premise, scores: NliScores, row: int) -> ScoredPremise:
    contradiction, entailment, neutral = (float(value) for value in scores.rows[row])
    return ScoredPremise(premise, contradiction, entailment, neutral, scores.windowed[row])

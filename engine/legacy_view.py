"""An evaluation as the legacy `VerificationResult`, by the rule that has always applied to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from longtracer.contracts import VerificationResult

from .corpus import Corpus
from .evaluate import Evaluation
from .rule import SIMILARITY_RULE
from .signals import ClaimSignals
from .text.claims import ClaimKind
from .text.legacy import has_unsourced_phrase

__all__ = ["legacy_trust_score", "legacy_verdict", "legacy_view"]

_PATTERN_SIMILARITY = 0.20
_PATTERN_NEUTRAL = 0.3


def legacy_view(evaluation: Evaluation) -> VerificationResult:
    """All fields with their documented meaning; see `VerificationResult`."""
    claims = _claims(evaluation)
    flagged = [claim for claim in claims if not claim["supported"]]
    hallucinations = [claim for claim in claims if claim["is_hallucination"]]
    return VerificationResult(
        trust_score=legacy_trust_score(evaluation),
        claims=claims,
        flagged_claims=flagged,
        hallucinations=hallucinations,
        all_supported=not flagged,
        hallucination_count=len(hallucinations),
        verdict="PASS" if not flagged and not hallucinations else "FAIL",
        summary=_summary(len(claims), len(flagged), len(hallucinations)),
        latency_stats={f"{stage}_ms": ms for stage, ms in evaluation.stage_ms.items()},
    )


def legacy_verdict(evaluation: Evaluation) -> str:
    """The legacy verdict alone: "PASS" or "FAIL"."""
    return legacy_view(evaluation).verdict


def legacy_trust_score(evaluation: Evaluation) -> float:
    """Mean similarity of the claims to their best sentence; 1.0 without claims, 0.0 without sources or reading."""
    if not evaluation.signals:
        return 0.0 if evaluation.unread else 1.0
    return sum(signals.similarity for signals in evaluation.signals) / len(evaluation.signals)


def _claims(evaluation: Evaluation) -> list[dict[str, Any]]:
    """All claims in order; one that was not read is flagged, since nothing supports it, and accused of nothing."""
    read = [(each.claim.start, _claim(each, evaluation.corpus)) for each in evaluation.signals]
    unread = [
        (each.claim.start, _claim(ClaimSignals(claim=each.claim), evaluation.corpus) | {"is_hallucination": False})
        for each in evaluation.unread
    ]
    return [claim for _, claim in sorted([*read, *unread], key=lambda each: each[0])]


def _claim(signals: ClaimSignals, corpus: Corpus) -> dict[str, Any]:
    first = signals.first
    contradiction = first.contradiction if first else 0.0
    # The legacy engine read the neutral column here; stored verdicts depend on it.
    neutral = first.neutral if first else 0.0
    refusal = signals.claim.kind is ClaimKind.REFUSAL
    contradicted = first is not None and contradiction > SIMILARITY_RULE.contradiction
    phrase = has_unsourced_phrase(signals.claim.text)
    unsourced = phrase and signals.similarity < _PATTERN_SIMILARITY and neutral < _PATTERN_NEUTRAL
    return {
        "claim": signals.claim.text,
        "supported": _supported(signals, neutral, contradicted),
        "score": signals.similarity,
        "best_score": signals.similarity,
        "sentence_results": [{"sentence": signals.claim.text, "score": signals.similarity}],
        "contradiction_score": contradiction,
        "entailment_score": neutral,
        "nli_ran": first is not None,
        "is_hallucination": not refusal and (contradicted or unsourced),
        "is_meta_statement": refusal,
        "has_hallucination_pattern": phrase,
        **_best_source(signals, corpus),
    }


def _supported(signals: ClaimSignals, neutral: float, contradicted: bool) -> bool:
    threshold = SIMILARITY_RULE.support_similarity or 1.0
    return not contradicted and (signals.similarity >= threshold or neutral > SIMILARITY_RULE.entailment)


def _best_source(signals: ClaimSignals, corpus: Corpus) -> dict[str, Any]:
    if signals.best is None:
        return {"best_source": None, "best_source_index": -1, "best_source_metadata": None}
    place = corpus.occurrences[signals.best][0]
    metadata: Mapping[str, Any] | None = place.source.metadata
    return {
        "best_source": place.passage.text,
        "best_source_index": place.source.index,
        "best_source_metadata": metadata,
    }


def _summary(claims: int, flagged: int, hallucinations: int) -> str:
    if not claims:
        return "No claims found."
    return f"{claims - flagged} of {claims} claims supported, {hallucinations} hallucinations."

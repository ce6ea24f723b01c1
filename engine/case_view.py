"""An evaluation as a `CaseResult`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from longtracer.contracts import (
    AssessmentAvailability,
    CaseResult,
    CitationResult,
    ClaimAssessment,
    ClaimResult,
    ClaimScores,
    EvidenceSentence,
    QuantityFinding,
    ReasonCode,
    evaluated_case,
    skipped_case,
)

from .cited import check_citations
from .corpus import Corpus, Occurrence
from .decide import Decision, FactChecker, decide, support
from .evaluate import Evaluation
from .facts.compare import FactCheck, FindingStatus
from .languages import ForeignText, UnreadClaim
from .legacy_view import legacy_trust_score, legacy_verdict
from .protocols import ModelPair
from .rule import DecisionRule
from .signals import ClaimSignals, ScoredPremise, calibrated_signals, places
from .text.claims import Claim, ClaimKind

__all__ = ["case_view"]

_DIGITS = 6


def case_view(
    evaluation: Evaluation, rule: DecisionRule, *, models: ModelPair | None, facts: FactChecker | None = None
) -> CaseResult:
    """Apply `rule` to the signals of an evaluation and say what came out.

    `models` is the pair that was used, None when nothing needed scoring.
    """
    if evaluation.foreign is not None:
        return _foreign_case(evaluation.foreign, evaluation, rule, models)
    claims = _claims(evaluation, rule, facts)
    notes = [*evaluation.corpus.cut, *_unread_note(evaluation)]
    if evaluation.unread and not any(claim.is_assessed for claim in claims):
        return skipped_case(
            "; ".join(notes),
            case_id=evaluation.request.case_id,
            metadata=_metadata(evaluation, rule, models, (), notes),
        )
    availability, reason = _state(evaluation, claims)
    return evaluated_case(
        availability=availability,
        reason=reason,
        claims=claims,
        trust_score=round(legacy_trust_score(evaluation), _DIGITS),
        case_id=evaluation.request.case_id,
        metadata=_metadata(evaluation, rule, models, claims, notes),
        note=f"Limits: {'; '.join(notes)}." if notes else None,
    )


def _foreign_case(
    foreign: ForeignText, evaluation: Evaluation, rule: DecisionRule, models: ModelPair | None
) -> CaseResult:
    return skipped_case(
        foreign.message,
        case_id=evaluation.request.case_id,
        metadata={
            "models": _models(models, rule),
            "language": {
                "where": foreign.where,
                "found": foreign.language,
                "supported": sorted(foreign.languages),
                "claims_not_evaluated": len(evaluation.segmentation.claims),
            },
        },
    )


def _claims(evaluation: Evaluation, rule: DecisionRule, facts: FactChecker | None) -> list[ClaimResult]:
    """All claims in order of appearance, numbered from 1."""
    read = {signals.claim.start: signals for signals in evaluation.signals}
    unread = {each.claim.start: each for each in evaluation.unread}
    results = []
    for number, claim in enumerate(evaluation.segmentation.claims, 1):
        if claim.start in read:
            results.append(_claim(number, read[claim.start], evaluation, rule, facts))
        else:
            results.append(_unread_claim(number, unread[claim.start]))
    return results


def _state(evaluation: Evaluation, claims: Sequence[ClaimResult]) -> tuple[AssessmentAvailability, ReasonCode | None]:
    nothing = AssessmentAvailability.NO_ASSESSABLE_CLAIMS
    if not evaluation.request.response.strip():
        return nothing, ReasonCode.EMPTY_RESPONSE
    if not claims:
        return nothing, ReasonCode.NO_EXTRACTABLE_CLAIMS
    if all(claim.reason is ReasonCode.HONEST_UNCERTAINTY for claim in claims):
        return nothing, ReasonCode.HONEST_UNCERTAINTY_ONLY
    no_sources = not evaluation.request.sources and not evaluation.sources
    return AssessmentAvailability.ASSESSED, ReasonCode.NO_SOURCES_SUPPLIED if no_sources else None


def _claim(
    number: int, signals: ClaimSignals, evaluation: Evaluation, rule: DecisionRule, facts: FactChecker | None
) -> ClaimResult:
    claim = signals.claim
    if claim.kind is ClaimKind.REFUSAL:
        return _not_evaluated(number, claim, ReasonCode.HONEST_UNCERTAINTY, "an honest refusal claims nothing")
    if not evaluation.corpus.texts:
        empty = not evaluation.request.sources and not evaluation.sources
        reason = ReasonCode.NO_SOURCES_SUPPLIED if empty else ReasonCode.NO_SOURCE_TEXT
        return _insufficient(number, claim, reason)
    judged = calibrated_signals(signals, rule.temperature)
    decision = decide(judged, rule, facts)
    if not evaluation.request.check_citations:
        return _assessed(number, judged, evaluation.corpus, decision, rule)
    checked = check_citations(decision, judged, evaluation.corpus, evaluation.request, evaluation.sources, rule, facts)
    result = _assessed(number, judged, evaluation.corpus, checked.decision, rule)
    return result.model_copy(update={"citations": checked.citations})


def _assessed(
    number: int, signals: ClaimSignals, corpus: Corpus, decision: Decision, rule: DecisionRule
) -> ClaimResult:
    contradicted = decision.assessment is ClaimAssessment.CONTRADICTED
    score = decision.decisive.contradiction if contradicted and decision.decisive else signals.similarity
    scores = _scores(signals, decision, rule)
    return ClaimResult(
        **_identity(number, signals.claim),
        assessment=decision.assessment,
        reason=decision.reason,
        supporting_sources=_source_ids(corpus, decision.supporting, decision.decisive),
        contradicting_sources=_source_ids(corpus, decision.contradicting, decision.decisive),
        confidence=round(min(1.0, max(0.0, score)), _DIGITS),
        details=_details(scores, signals),
        scores=scores,
        evidence=tuple(_evidence(signals, corpus, decision)),
    )


def _not_evaluated(number: int, claim: Claim, reason: ReasonCode, details: str) -> ClaimResult:
    return ClaimResult(
        **_identity(number, claim),
        assessment=ClaimAssessment.INSUFFICIENT_EVIDENCE,
        availability=AssessmentAvailability.NOT_EVALUATED,
        reason=reason,
        confidence=0.0,
        details=details,
    )


def _insufficient(number: int, claim: Claim, reason: ReasonCode) -> ClaimResult:
    return ClaimResult(
        **_identity(number, claim),
        assessment=ClaimAssessment.INSUFFICIENT_EVIDENCE,
        reason=reason,
        confidence=0.0,
        details="no source sentence to compare with",
    )


def _unread_claim(number: int, unread: UnreadClaim) -> ClaimResult:
    return _not_evaluated(number, unread.claim, ReasonCode.EXECUTION_SKIPPED, f"not evaluated: {unread.why}")


def _identity(number: int, claim: Claim) -> dict[str, Any]:
    return {
        "claim_id": f"claim_{number}",
        "claim_text": claim.text,
        "char_start": claim.start,
        "char_end": claim.end,
        "citations": tuple(
            CitationResult(text=mark.text, char_start=mark.start, char_end=mark.end) for mark in claim.citations
        ),
    }


def _source_ids(corpus: Corpus, numbers: Sequence[int], decisive: ScoredPremise | None) -> tuple[str, ...]:
    """The sources of the texts `numbers`, in order.

    Sentences that decided only together are named where they stand together: a source that shares one of them with
    another says something else.
    """
    found = places(corpus, numbers)
    if decisive is not None and decisive.premise.joined and set(numbers) == set(decisive.premise.texts):
        found = _together(corpus, numbers) or sorted((corpus.place(n) for n in numbers), key=lambda at: at.source.index)
    return tuple(dict.fromkeys(place.source.id for place in found))


def _together(corpus: Corpus, numbers: Sequence[int]) -> list[Occurrence]:
    holders = set.intersection(*({at.source.index for at in corpus.occurrences[number]} for number in numbers))
    return [place for place in places(corpus, numbers[:1]) if place.source.index in holders]


def _scores(signals: ClaimSignals, decision: Decision, rule: DecisionRule) -> ClaimScores:
    decisive = decision.decisive
    return ClaimScores(
        similarity=round(signals.similarity, _DIGITS),
        entailment=_rounded(decisive, "entailment"),
        contradiction=_rounded(decisive, "contradiction"),
        neutral=_rounded(decisive, "neutral"),
        support=None if decisive is None else round(support(decisive, rule), _DIGITS),
        verbatim=bool(signals.verbatim),
        windowed=any(scored.windowed for scored in (*signals.scored, *signals.conflict_scored)),
        quantity_check=decision.facts.verdict.value if decision.facts else None,
        quantities=_findings(decision.facts),
    )


def _findings(facts: FactCheck | None) -> tuple[QuantityFinding, ...]:
    if facts is None:
        return ()
    return tuple(
        QuantityFinding(
            claim_text=each.claim.text,
            evidence_text=each.stated.text if each.stated else None,
            finding=each.status.value,
        )
        for each in facts.findings
        if each.status is not FindingStatus.MATCHED
    )


def _rounded(scored: ScoredPremise | None, name: str) -> float | None:
    return None if scored is None else round(getattr(scored, name), _DIGITS)


def _details(scores: ClaimScores, signals: ClaimSignals) -> str:
    text = f"similarity={scores.similarity:.4f}"
    if scores.entailment is None or scores.contradiction is None or scores.neutral is None:
        return text + (" verbatim" if signals.verbatim else " nli=not run")
    text += f" entailment={scores.entailment:.4f} contradiction={scores.contradiction:.4f}"
    text += f" neutral={scores.neutral:.4f}"
    if scores.support is not None:
        text += f" support={scores.support:.4f}"
    return text + (" verbatim" if signals.verbatim else "")


def _evidence(signals: ClaimSignals, corpus: Corpus, decision: Decision) -> Iterable[EvidenceSentence]:
    """What the claim was judged on, the decisive premise first, with every place of a sentence."""
    if signals.verbatim and decision.decisive is None:
        for place in places(corpus, signals.verbatim):
            yield _evidence_place(place, signals.similarity)
        return
    scored = list(dict.fromkeys((*signals.scored, *signals.conflict_scored)))
    decisive = decision.decisive
    if decisive is not None:
        scored.sort(key=lambda each: each is not decisive)
    for each in scored:
        numbers = each.premise.texts
        for place in _at(corpus, numbers):
            yield _evidence_sentence(place, each)
    if not scored and signals.best is not None:
        for place in corpus.occurrences[signals.best]:
            yield _evidence_place(place, signals.similarity)


def _at(corpus: Corpus, numbers: Sequence[int]) -> list[Occurrence]:
    if len(numbers) > 1:
        return [corpus.place(number) for number in numbers]
    return list(corpus.occurrences[numbers[0]])


def _evidence_sentence(place: Occurrence, scored: ScoredPremise) -> EvidenceSentence:
    return _evidence_place(place, scored.premise.similarity).model_copy(
        update={
            "entailment": round(scored.entailment, _DIGITS),
            "contradiction": round(scored.contradiction, _DIGITS),
            "neutral": round(scored.neutral, _DIGITS),
            "joined": scored.premise.joined,
            "windowed": scored.windowed,
        }
    )


def _evidence_place(place: Occurrence, similarity: float) -> EvidenceSentence:
    return EvidenceSentence(
        source_id=place.source.id,
        source_index=place.source.index,
        text=place.passage.text,
        char_start=place.passage.start,
        char_end=place.passage.end,
        similarity=round(similarity, _DIGITS),
    )


def _unread_note(evaluation: Evaluation) -> list[str]:
    reasons = Counter(each.why for each in evaluation.unread)
    return [f"not evaluated: {count} {'claim' if count == 1 else 'claims'} {why}" for why, count in reasons.items()]


def _metadata(
    evaluation: Evaluation,
    rule: DecisionRule,
    models: ModelPair | None,
    claims: Sequence[ClaimResult],
    notes: Sequence[str],
) -> dict[str, Any]:
    response = evaluation.request.response
    metadata: dict[str, Any] = {
        "models": _models(models, rule),
        "legacy_verdict": legacy_verdict(evaluation),
        "conflict_detection": _conflict_detection(evaluation, rule, claims),
        "skipped_spans": [
            {"start": span.start, "end": span.end, "reason": span.reason.value}
            for span in evaluation.segmentation.skipped
            if response[span.start : span.end].strip()
        ],
        "stage_ms": {stage: round(ms, 3) for stage, ms in evaluation.stage_ms.items()},
    }
    ignored = [index for index, text in enumerate(evaluation.request.sources) if text is None or not text.strip()]
    if ignored:
        metadata["empty_sources"] = ignored
    if notes:
        metadata["limits"] = list(notes)
    return metadata


def _models(models: ModelPair | None, rule: DecisionRule) -> dict[str, Any]:
    if models is None:
        return {"used": False, "rule": rule.name}
    return {
        "used": True,
        "profile": models.name,
        "encoder": models.encoder.name,
        "nli": models.nli.name,
        "rule": rule.name,
    }


def _conflict_detection(evaluation: Evaluation, rule: DecisionRule, claims: Sequence[ClaimResult]) -> dict[str, Any]:
    if not evaluation.request.detect_conflicts:
        return {"enabled": False}
    return {
        "enabled": True,
        "status": "completed",
        "max_sources": rule.conflict_sources,
        "claims_checked": sum(len(signals.conflict_scored) > 1 for signals in evaluation.signals),
        "pairs_scored": sum(len(signals.conflict_scored) for signals in evaluation.signals),
        "conflicts": [claim.claim_id for claim in claims if claim.assessment is ClaimAssessment.CONFLICTING_SOURCES],
    }

"""The decision rule: from the signals of a claim to its assessment. Pure; every threshold comes from the rule."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from longtracer.contracts import ClaimAssessment, ReasonCode

from .facts.compare import FactCheck, FactVerdict
from .rule import DecisionRule
from .signals import ClaimSignals, ScoredPremise
from .subjects import other_subject

__all__ = ["Decision", "FactChecker", "decide", "support"]

_LEAST = 1e-6
_CERTAIN = 50.0
_AGREEING = (FactVerdict.CONSISTENT, FactVerdict.NO_QUANTITIES)

FactChecker = Callable[[str, Sequence[str]], FactCheck]
"""Compares the numbers, dates and units of a claim with the texts of its evidence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """An assessment, why, and what decided it.

    `supporting` and `contradicting` are numbers in the corpus; `decisive` holds the scores to report, and is None
    when NLI did not run, or was not needed because a sentence says the claim word for word.
    """

    assessment: ClaimAssessment
    reason: ReasonCode
    supporting: tuple[int, ...] = ()
    contradicting: tuple[int, ...] = ()
    decisive: ScoredPremise | None = None
    facts: FactCheck | None = None


def decide(signals: ClaimSignals, rule: DecisionRule, facts: FactChecker | None = None) -> Decision:
    """Assess one claim.

    A sentence that says the claim word for word supports it. Otherwise some premise must entail the claim and
    state its numbers the same way, and the most similar sentence must not contradict it. With a
    `rule.support_similarity` the rule of LongTracer 0.3 applies instead.
    """
    conflict = _conflict(signals, rule, facts)
    if conflict is not None:
        return conflict
    if rule.support_similarity is not None:
        return _by_similarity(signals, rule.support_similarity, rule)
    if signals.verbatim:
        return _supported(signals.verbatim, None)
    if not signals.scored:
        return _insufficient(ReasonCode.LOW_EVIDENCE_SIMILARITY)
    restating = _restating(signals) if facts is not None else ()
    if restating and facts is not None:
        return _supported_by(restating, facts(signals.claim.model_text, [restating[0].premise.text]))
    return _by_entailment(signals, rule, facts)


def _restating(signals: ClaimSignals) -> tuple[ScoredPremise, ...]:
    """Premises with a sentence that says the claim word for word but for the way its numbers are written."""
    return tuple(s for s in signals.scored if not set(signals.restating).isdisjoint(s.premise.texts))


def _by_similarity(signals: ClaimSignals, support_similarity: float, rule: DecisionRule) -> Decision:
    first = signals.first
    if first is not None and first.contradiction > rule.contradiction:
        return _contradicted((first,))
    entailed = first is not None and first.entailment > rule.entailment
    if entailed or signals.similarity >= support_similarity:
        numbers = first.premise.texts if first else () if signals.best is None else (signals.best,)
        return _supported(numbers, first)
    if first is None:
        return _insufficient(ReasonCode.LOW_EVIDENCE_SIMILARITY)
    return _insufficient(ReasonCode.NOT_ENTAILED, first)


def _by_entailment(signals: ClaimSignals, rule: DecisionRule, facts: FactChecker | None) -> Decision:
    entailing = _entailing(signals.scored, rule)
    contradicting = _contradicting(signals.scored, rule)
    vetoed = _vetoed(entailing, contradicting, rule)
    if entailing and not vetoed:
        return _checked(signals, entailing, facts)
    contradicting = tuple(each for each in contradicting if not _misread(signals, each, facts))
    if contradicting:
        return _contradicted(contradicting)
    return _insufficient(ReasonCode.NOT_ENTAILED, max(signals.scored, key=lambda s: support(s, rule)))


def _misread(signals: ClaimSignals, scored: ScoredPremise, facts: FactChecker | None) -> bool:
    """Whether the premise states the claim's quantities in other figures, or values inside a range of the claim.

    A classifier reads numbers that look different as a contradiction; here they are known to agree.
    """
    if facts is None:
        return False
    check = facts(signals.claim.model_text, [scored.premise.text])
    return check.verdict is FactVerdict.CONSISTENT and any(
        each.claim.is_range or (each.stated is not None and each.stated.text.casefold() != each.claim.text.casefold())
        for each in check.findings
    )


def support(scored: ScoredPremise, rule: DecisionRule) -> float:
    """How likely the premise supports the claim, 0 to 1: p(entailment), lowered for words that no document has."""
    odds = _log_odds(scored.entailment)
    if scored.answer is not None:
        odds += rule.answer_weight * (_log_odds(scored.answer) - odds)
    odds -= rule.unstated_penalty * scored.unstated + rule.name_penalty * scored.unstated_names
    return 1.0 / (1.0 + math.exp(-max(odds, -_CERTAIN)))


def _log_odds(probability: float) -> float:
    within = min(max(probability, _LEAST), 1.0 - _LEAST)
    return math.log(within / (1.0 - within))


def _entailing(scored: Sequence[ScoredPremise], rule: DecisionRule) -> tuple[ScoredPremise, ...]:
    found = [s for s in scored if support(s, rule) > rule.entailment and _agrees(s, rule)]
    return tuple(sorted(found, key=lambda s: (s.premise.joined, -support(s, rule))))


def _agrees(scored: ScoredPremise, rule: DecisionRule) -> bool:
    """Whether the premise clearly entails the claim rather than contradicting it."""
    answered = scored.answer is not None and rule.answer_weight > 0
    return answered or scored.entailment >= scored.contradiction + rule.agreement_margin


def _contradicting(scored: Sequence[ScoredPremise], rule: DecisionRule) -> tuple[ScoredPremise, ...]:
    """Sentences about as similar as the best one; a remote sentence that disagrees is about something else."""
    floor = max(s.premise.similarity for s in scored) - rule.contradiction_margin
    found = [s for s in scored if s.contradiction > rule.contradiction and s.premise.similarity >= floor]
    return tuple(sorted(found, key=lambda s: (s.premise.joined, -s.contradiction)))


def _vetoed(entailing: Sequence[ScoredPremise], contradicting: Sequence[ScoredPremise], rule: DecisionRule) -> bool:
    """Whether a contradicting sentence outweighs the entailing ones."""
    if rule.veto_margin is None or not contradicting or not entailing:
        return False
    strongest = max(s.contradiction for s in contradicting)
    return strongest > max(support(s, rule) for s in entailing) + rule.veto_margin


def _checked(signals: ClaimSignals, entailing: Sequence[ScoredPremise], facts: FactChecker | None) -> Decision:
    """Keep the entailing premises that state the quantities, the names and the negations of the claim the same way."""
    if facts is None:
        return _supported_by(entailing)
    claim = _quantified(signals)
    denying = [s for s in entailing if not set(signals.denying).isdisjoint(s.premise.texts)]
    entailing = [s for s in entailing if s not in denying]
    if not entailing:
        return _contradicted(denying)
    checks = [(s, facts(claim, [s.premise.text])) for s in entailing]
    agreeing = [s for s, check in checks if check.verdict in _AGREEING]
    if agreeing:
        return _supported_by(agreeing, next(check for s, check in checks if s is agreeing[0]))
    for scored, check in checks:
        if check.verdict is FactVerdict.DIFFERS:
            return _contradicted((scored,), check)
    return _insufficient(ReasonCode.NOT_ENTAILED, entailing[0], checks[0][1])


def _quantified(signals: ClaimSignals) -> str:
    """What the fact check reads of a claim: of a short answer the answer, since a question states no quantity."""
    answered = any(scored.answer is not None for scored in signals.scored)
    return signals.claim.text if answered else signals.claim.model_text


def _conflict(signals: ClaimSignals, rule: DecisionRule, facts: FactChecker | None) -> Decision | None:
    """One source entails the claim and a different source contradicts it, about the same subject."""
    claim = signals.claim.model_text
    entailing: list[ScoredPremise] = []
    contradicting: list[ScoredPremise] = []
    for scored in signals.conflict_scored:
        verbatim = scored.premise.lead in (*signals.verbatim, *(signals.restating if facts is not None else ()))
        if not verbatim and facts is not None and other_subject(claim, scored.premise.text):
            continue  # "Basic costs $10." is no conflict with "Pro costs $25."
        differs = not verbatim and _differs(claim, scored, facts)
        if verbatim or (scored.entailment > rule.conflict_entailment and not differs):
            entailing.append(scored)
        elif scored.contradiction > rule.conflict_contradiction or (
            differs and scored.entailment > rule.conflict_entailment
        ):
            contradicting.append(scored)
    if not entailing or not contradicting:
        return None
    return Decision(
        assessment=ClaimAssessment.CONFLICTING_SOURCES,
        reason=ReasonCode.CONFLICTING_EVIDENCE,
        supporting=_numbers(entailing),
        contradicting=_numbers(contradicting),
        decisive=max(contradicting, key=lambda s: s.contradiction),
    )


def _differs(claim: str, scored: ScoredPremise, facts: FactChecker | None) -> bool:
    return facts is not None and facts(claim, [scored.premise.text]).verdict is FactVerdict.DIFFERS


def _supported_by(scored: Sequence[ScoredPremise], facts: FactCheck | None = None) -> Decision:
    """Name every single sentence that proves the claim; a joined window only when no sentence does alone."""
    singles = [s for s in scored if not s.premise.joined] or [scored[0]]
    return _supported(_numbers(singles), singles[0], facts)


def _supported(numbers: tuple[int, ...], decisive: ScoredPremise | None, facts: FactCheck | None = None) -> Decision:
    return Decision(
        assessment=ClaimAssessment.SUPPORTED,
        reason=ReasonCode.SUPPORTED_BY_EVIDENCE,
        supporting=numbers,
        decisive=decisive,
        facts=facts,
    )


def _contradicted(scored: Sequence[ScoredPremise], facts: FactCheck | None = None) -> Decision:
    singles = [s for s in scored if not s.premise.joined] or [scored[0]]
    return Decision(
        assessment=ClaimAssessment.CONTRADICTED,
        reason=ReasonCode.CONTRADICTED_BY_EVIDENCE,
        contradicting=_numbers(singles),
        decisive=singles[0],
        facts=facts,
    )


def _insufficient(
    reason: ReasonCode, decisive: ScoredPremise | None = None, facts: FactCheck | None = None
) -> Decision:
    return Decision(assessment=ClaimAssessment.INSUFFICIENT_EVIDENCE, reason=reason, decisive=decisive, facts=facts)


def _numbers(scored: Sequence[ScoredPremise]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(number for s in scored for number in s.premise.texts))

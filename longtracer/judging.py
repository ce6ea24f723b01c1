"""Verdicts on labelled answers by several rules, all from one run of the models."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache

from .case_files import LabelledCase
from .contracts import ClaimAssessment, EvaluationFailedError, QualityGate
from .engine.case_view import case_view
from .engine.decide import FactChecker, decide, support
from .engine.evaluate import Evaluation, evaluate
from .engine.facts.compare import FactCheck, compare_facts
from .engine.limits import Limits
from .engine.protocols import ModelPair
from .engine.request import read_request
from .engine.rule import SIMILARITY_RULE, DecisionRule
from .engine.signals import ClaimSignals, calibrated_signals
from .engine.text.claims import ClaimKind

__all__ = ["Arm", "MeasuredCase", "Verdict", "measure_cases", "remembered_facts", "verdict_of", "verdicts"]

_BEST_SENTENCE = DecisionRule(name="best sentence", veto_margin=None)


class Arm(StrEnum):
    """The rules that are compared.

    OURS             the rule of the models, or the one that was asked for
    SIMILARITY_RULE  the rule of LongTracer 0.3 on the same scores
    SIMILARITY       every claim has a sentence with a cosine of at least 0.40
    BEST_SENTENCE    the most similar sentence entails every claim
    """

    OURS = "ours"
    SIMILARITY_RULE = "similarity rule"
    SIMILARITY = "similarity only"
    BEST_SENTENCE = "entailment, best sentence"


@dataclass(frozen=True, slots=True)
class Verdict:
    """`flagged`: the answer does not pass. `score`: how well its weakest claim is grounded; higher is better."""

    flagged: bool
    score: float


@dataclass(frozen=True, slots=True)
class MeasuredCase:
    """A labelled answer with the signals of its claims; `evaluation` is None when the models failed, see `problem`."""

    case: LabelledCase
    evaluation: Evaluation | None
    problem: str | None = None

    @property
    def signals(self) -> tuple[ClaimSignals, ...]:
        """The claims that are judged: no refusals."""
        found = self.evaluation.signals if self.evaluation else ()
        return tuple(each for each in found if each.claim.kind is not ClaimKind.REFUSAL)


def measure_cases(
    cases: Sequence[LabelledCase],
    models: ModelPair,
    rule: DecisionRule | None = None,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[MeasuredCase, ...]:
    """Run the models over `cases` once, in order; `progress(done, total)` is called after each.

    `rule` decides which premises are scored (None: the one of the models). A case that fails is part of the result.
    """
    measured = []
    for done, case in enumerate(cases, 1):
        measured.append(_measure(case, models, rule))
        if progress is not None:
            progress(done, len(cases))
    return tuple(measured)


def _measure(case: LabelledCase, models: ModelPair, rule: DecisionRule | None) -> MeasuredCase:
    request = read_request(
        case.response, case.sources, case.source_metadata, case_id=case.case_id, question=case.question
    )
    try:
        return MeasuredCase(case, evaluate(request, lambda: models, rule, limits=Limits()))
    except EvaluationFailedError as error:
        return MeasuredCase(case, None, str(error))


def verdicts(
    measured: MeasuredCase, models: ModelPair, rule: DecisionRule, facts: FactChecker | None = compare_facts
) -> Mapping[Arm, Verdict] | None:
    """What each rule says of a case; None when the case is INDETERMINATE."""
    evaluation = measured.evaluation
    if evaluation is None:
        return None
    gate = case_view(evaluation, rule, models=models, facts=facts).quality_gate
    if gate is QualityGate.INDETERMINATE:
        return None
    others = {
        Arm.SIMILARITY_RULE: verdict_of(measured, SIMILARITY_RULE, None),
        Arm.SIMILARITY: _by_similarity(measured),
        Arm.BEST_SENTENCE: verdict_of(_best_sentences(measured), _BEST_SENTENCE, None),
    }
    ours = verdict_of(measured, rule, facts)
    return {Arm.OURS: replace(ours, flagged=gate is not QualityGate.PASS), **others}


def verdict_of(measured: MeasuredCase, rule: DecisionRule, facts: FactChecker | None) -> Verdict:
    """The verdict of `rule`: an answer passes when every claim is supported, and a mere refusal passes."""
    scores = [_claim_score(signals, rule, facts) for signals in measured.signals]
    if not scores:
        return _without_claims(measured)
    return Verdict(flagged=not all(supported for supported, _ in scores), score=min(score for _, score in scores))


def _without_claims(measured: MeasuredCase) -> Verdict:
    refuses = measured.evaluation is not None and bool(measured.evaluation.signals)
    return Verdict(flagged=not refuses, score=float(refuses))


def _claim_score(signals: ClaimSignals, rule: DecisionRule, facts: FactChecker | None) -> tuple[bool, float]:
    """Whether a claim is supported, and by how much; what is rejected on other grounds stays below the threshold."""
    judged = calibrated_signals(signals, rule.temperature)
    supported = decide(judged, rule, facts).assessment is ClaimAssessment.SUPPORTED
    if rule.support_similarity is not None:
        score, threshold = signals.similarity, rule.support_similarity
    else:
        found = (support(each, rule) for each in judged.scored)
        score, threshold = 1.0 if judged.verbatim else max(found, default=0.0), rule.entailment
    return supported, score if supported else min(score, threshold)


def _best_sentences(measured: MeasuredCase) -> MeasuredCase:
    """The case with the most similar sentence as the only premise of each claim."""
    if measured.evaluation is None:
        return measured
    single = tuple(replace(each, scored=each.scored[:1]) for each in measured.evaluation.signals)
    return replace(measured, evaluation=replace(measured.evaluation, signals=single))


def _by_similarity(measured: MeasuredCase) -> Verdict:
    found = [signals.similarity for signals in measured.signals]
    if not found:
        return _without_claims(measured)
    threshold = SIMILARITY_RULE.support_similarity or 0.0
    return Verdict(flagged=min(found) < threshold, score=min(found))


def remembered_facts(limit: int = 100_000) -> FactChecker:
    """`compare_facts` that keeps its answers, for judging the same claims under many rules."""

    @lru_cache(maxsize=limit)
    def check(claim: str, evidence: tuple[str, ...]) -> FactCheck:
        return compare_facts(claim, evidence)

    return lambda claim, evidence: check(claim, tuple(evidence))

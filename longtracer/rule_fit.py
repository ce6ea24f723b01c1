"""Fits the numbers of a rule to labelled answers: a temperature by likelihood, thresholds by what mistakes cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from .engine.decide import FactChecker
from .engine.rule import DecisionRule
from .judging import MeasuredCase, remembered_facts, verdict_of
from .metrics import Bools, Floats, calibration_error

__all__ = ["FALSE_PASS_WEIGHT", "Fit", "cost_of", "fit_rule", "fit_temperature", "folds"]

FALSE_PASS_WEIGHT = 1.25
"""What a hallucinated answer that passes costs, when a grounded answer that is flagged costs 1."""

_TEMPERATURES = tuple(round(0.5 + 0.1 * step, 2) for step in range(36))
_ENTAILMENT = tuple(round(0.05 * step, 2) for step in range(2, 20))
_PENALTIES = (0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0)
_FLOOR = 1e-4


@dataclass(frozen=True, slots=True)
class Fit:
    """A fitted rule, the cost it has on the answers it was fitted to, and the calibration error before and after.

    The cost is the mean of both error rates, the rate of hallucinated answers passed counting `FALSE_PASS_WEIGHT`
    times: 0 is perfect, 0.5 is what a coin has. The calibration error is that of the score of the weakest claims.
    """

    rule: DecisionRule
    cost: float
    error_before: float
    error_after: float


def fit_rule(
    groups: Sequence[Sequence[MeasuredCase]],
    base: DecisionRule,
    *,
    weight: float = FALSE_PASS_WEIGHT,
    fit_penalty: bool = False,
    facts: FactChecker | None = None,
) -> Fit:
    """The variant of `base` with the least mean cost over `groups` of labelled answers, each counting the same.

    The temperature is fitted first; it leaves every verdict as it is at a threshold of 0.5. Of thresholds that cost
    the same the one nearest to 0.5 is taken.
    """
    checker = facts or remembered_facts()
    cases = [case for group in groups for case in group]
    temperature = fit_temperature(cases, base)
    warm = replace(base, temperature=temperature)
    penalties = _PENALTIES if fit_penalty else (base.unstated_penalty,)
    candidates = [
        replace(warm, entailment=entailment, unstated_penalty=penalty)
        for penalty, entailment in product(penalties, _ENTAILMENT)
    ]
    costs = [float(np.mean([cost_of(group, rule, checker, weight) for group in groups])) for rule in candidates]
    best = min(range(len(candidates)), key=lambda n: (round(costs[n], 4), abs(candidates[n].entailment - 0.5)))
    return Fit(
        rule=candidates[best],
        cost=costs[best],
        error_before=_error(cases, base),
        error_after=_error(cases, warm),
    )


def cost_of(
    cases: Sequence[MeasuredCase], rule: DecisionRule, facts: FactChecker | None, weight: float = FALSE_PASS_WEIGHT
) -> float:
    """The mean of both error rates of `rule`, false passes weighted; a class without a case counts nothing."""
    truth = np.array([case.case.hallucinated for case in cases], dtype=bool)
    flagged = np.array([verdict_of(case, rule, facts).flagged for case in cases], dtype=bool)
    rates = [(weight, ~flagged[truth]), (1.0, flagged[~truth])]
    present = [(share, wrong) for share, wrong in rates if len(wrong)]
    return float(sum(share * wrong.mean() for share, wrong in present) / sum(share for share, _ in present))


def fit_temperature(cases: Sequence[MeasuredCase], base: DecisionRule) -> float:
    """The temperature under which the score of the weakest claim best predicts that the answer is grounded."""
    losses = [_log_loss(cases, replace(base, temperature=each)) for each in _TEMPERATURES]
    return _TEMPERATURES[int(np.argmin(losses))]


def _scores(cases: Sequence[MeasuredCase], rule: DecisionRule) -> tuple[Floats, Bools]:
    judged = [case for case in cases if case.signals]
    scores = np.array([verdict_of(case, _open(rule), None).score for case in judged], dtype=np.float64)
    return scores, np.array([not case.case.hallucinated for case in judged], dtype=bool)


def _open(rule: DecisionRule) -> DecisionRule:
    """The rule with nothing that could clip a score."""
    return replace(rule, entailment=0.0, veto_margin=None)


def _log_loss(cases: Sequence[MeasuredCase], rule: DecisionRule) -> float:
    scores, grounded = _scores(cases, rule)
    likelihood = np.clip(np.where(grounded, scores, 1.0 - scores), _FLOOR, 1.0)
    weights = np.where(grounded, 0.5 / max(grounded.sum(), 1), 0.5 / max((~grounded).sum(), 1))
    return float(-(weights * np.log(likelihood)).sum())


def _error(cases: Sequence[MeasuredCase], rule: DecisionRule) -> float:
    return calibration_error(*_scores(cases, rule))


def folds(cases: Sequence[MeasuredCase], count: int) -> Iterator[tuple[list[MeasuredCase], list[MeasuredCase]]]:
    """`count` splits into what to fit on and what to measure on, each class spread evenly."""
    ordered = sorted(cases, key=lambda case: case.case.hallucinated)
    for fold in range(count):
        yield (
            [case for number, case in enumerate(ordered) if number % count != fold],
            [case for number, case in enumerate(ordered) if number % count == fold],
        )

"""`longtracer calibrate`: a rule fitted to one's own labelled answers, as a profile file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from .case_files import read_cases
from .contracts import InvalidInputError
from .engine.decide import FactChecker
from .engine.models import load_models
from .engine.models.profiles import PROFILES, SavedProfile
from .engine.rule import DecisionRule
from .judging import MeasuredCase, measure_cases, remembered_facts, verdict_of
from .metrics import Measure, balanced_accuracy, bootstrap
from .rule_fit import FALSE_PASS_WEIGHT, Fit, fit_rule, folds

__all__ = ["FEWEST_PER_CLASS", "CalibrationResult", "calibrate"]

FEWEST_PER_CLASS = 10
"""Answers of each label below which a fitted threshold means nothing."""

_FOLDS = 5


@dataclass(frozen=True, slots=True)
class CalibrationResult:
    """A fitted profile and what it is worth.

    profile                  what `write` puts into the file
    rule                     the fitted rule, complete
    before, after            balanced accuracy of the rule of the models, and of rules fitted to the other four
                             fifths of the answers; so neither has seen the answers it is measured on
    error_before, _after     calibration error of the score of an answer's weakest claim, in sample
    cases, hallucinated      answers used; `indeterminate` could not be judged and were left out
    """

    profile: SavedProfile
    rule: DecisionRule
    before: Measure
    after: Measure
    error_before: float
    error_after: float
    cases: int
    hallucinated: int
    indeterminate: int

    def write(self, path: str | Path) -> Path:
        """Write the profile file that `models=` and `rule=` accept.

        Raises:
            InvalidInputError: when the name does not end in .json or the file cannot be written.
        """
        file = Path(path)
        if file.suffix != ".json":
            raise InvalidInputError(f"a profile file ends in .json, not {file.name!r}")
        try:
            file.write_text(self.profile.model_dump_json(indent=2, exclude_none=True) + "\n", encoding="utf-8")
        except OSError as exc:
            raise InvalidInputError(f"{file.name} cannot be written: {exc}") from exc
        return file


def calibrate(
    path: str | Path,
    *,
    models: str | None = None,
    false_pass_weight: float = FALSE_PASS_WEIGHT,
    progress: Callable[[int, int], None] | None = None,
) -> CalibrationResult:
    """Fit temperature and thresholds to the labelled answers of a JSON-lines file (see `case_files`).

    `models` is a profile name (None: "embedded"); `false_pass_weight` is what passing a hallucinated answer costs when
    flagging a grounded one costs 1; `progress(done, total)` is called after each case.

    Raises:
        InvalidInputError: for an unreadable file or a bad line, naming it, too few answers of a label, or models that
            are no profile's.
        ModelUnavailableError: when the models cannot be loaded.
    """
    name = _profile(models)
    if not false_pass_weight > 0:
        raise InvalidInputError(f"false_pass_weight is above 0, not {false_pass_weight}")
    cases = read_cases(path)
    _enough([case.hallucinated for case in cases])
    pair = load_models(name)
    measured = measure_cases(cases, pair, progress=progress)
    usable = [case for case in measured if _is_judged(case)]
    _enough([case.case.hallucinated for case in usable])
    facts = remembered_facts()
    fit = fit_rule([usable], pair.rule, weight=false_pass_weight, facts=facts)
    return _result(name, pair.rule, fit, usable, len(cases), false_pass_weight, facts)


def _profile(models: str | None) -> Literal["embedded", "standard"]:
    for name in PROFILES:
        if (models or PROFILES[0]) == name:
            return "standard" if name == "standard" else "embedded"
    raise InvalidInputError(f"calibrate works on a profile, {' or '.join(map(repr, PROFILES))}, not {models!r}")


def _is_judged(measured: MeasuredCase) -> bool:
    evaluation = measured.evaluation
    return evaluation is not None and evaluation.foreign is None and not evaluation.unread


def _enough(labels: list[bool]) -> None:
    hallucinated = sum(labels)
    if min(hallucinated, len(labels) - hallucinated) < FEWEST_PER_CLASS:
        raise InvalidInputError(
            f"calibration needs at least {FEWEST_PER_CLASS} grounded and {FEWEST_PER_CLASS} hallucinated answers "
            f"that can be judged; there are {len(labels) - hallucinated} and {hallucinated}"
        )


def _result(
    name: Literal["embedded", "standard"],
    base: DecisionRule,
    fit: Fit,
    usable: list[MeasuredCase],
    total: int,
    weight: float,
    facts: FactChecker,
) -> CalibrationResult:
    changed = {key: value for key, value in asdict(fit.rule).items() if value != asdict(base)[key]}
    return CalibrationResult(
        profile=SavedProfile(models=name, rule=changed),
        rule=fit.rule,
        before=_measured(usable, lambda _: base, facts),
        after=_measured(usable, lambda others: fit_rule([others], base, weight=weight, facts=facts).rule, facts),
        error_before=fit.error_before,
        error_after=fit.error_after,
        cases=len(usable),
        hallucinated=sum(case.case.hallucinated for case in usable),
        indeterminate=total - len(usable),
    )


def _measured(
    cases: list[MeasuredCase], rule_from: Callable[[list[MeasuredCase]], DecisionRule], facts: FactChecker
) -> Measure:
    """Balanced accuracy over all folds, each judged by the rule that `rule_from` makes of the others."""
    truth: list[bool] = []
    flagged: list[bool] = []
    for others, held_out in folds(cases, _FOLDS):
        rule = rule_from(others)
        truth += [case.case.hallucinated for case in held_out]
        flagged += [verdict_of(case, rule, facts).flagged for case in held_out]
    labels, found = np.array(truth, dtype=bool), np.array(flagged, dtype=bool)
    return bootstrap(lambda at: balanced_accuracy(found[at], labels[at]), len(labels))

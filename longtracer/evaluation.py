"""How well the verdicts agree with labels: the table of `longtracer evaluate` and of the quality benchmark."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .case_files import read_cases
from .engine.models import load_models
from .engine.protocols import ModelPair
from .engine.rule import DecisionRule
from .engine.rules import named_rule, rule_for
from .judging import Arm, Verdict, measure_cases, remembered_facts, verdicts
from .metrics import Bools, Floats, Measure, auroc, balanced_accuracy, bootstrap, f1_of

__all__ = ["ArmReport", "EvaluationReport", "evaluate_cases", "report_on"]


@dataclass(frozen=True, slots=True)
class ArmReport:
    """How one rule did. Each figure has a 95 % bootstrap interval over answers.

    balanced_accuracy  mean of `caught` and `passed`
    f1                 of the hallucinated class
    auroc              of the score of an answer's weakest claim
    caught, passed     shares of hallucinated answers flagged, and of grounded answers passed
    """

    name: str
    balanced_accuracy: Measure
    f1: Measure
    auroc: Measure
    caught: float
    passed: float


@dataclass(frozen=True, slots=True)
class EvaluationReport:
    """The figures of every rule on one set. INDETERMINATE cases are counted and left out of all figures."""

    name: str
    cases: int
    hallucinated: int
    indeterminate: int
    arms: tuple[ArmReport, ...]

    @property
    def ours(self) -> ArmReport:
        """The figures of the rule under evaluation."""
        return self.arms[0]

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)

    def to_markdown(self) -> str:
        """A Markdown table, one row a rule, and how many cases it is from."""
        lines = [
            f"{self.cases} answers, {self.hallucinated} hallucinated; {self.indeterminate} INDETERMINATE, left out.",
            "",
            "| rule | balanced accuracy | F1 (hallucinated) | AUROC | caught | passed |",
            "|---|---|---|---|---|---|",
            *(_row(arm) for arm in self.arms),
        ]
        return "\n".join(lines) + "\n"


def evaluate_cases(
    path: str | Path,
    *,
    models: str | ModelPair | None = None,
    rule: str | DecisionRule | None = None,
    check_numbers: bool = True,
    progress: Callable[[int, int], None] | None = None,
    rounds: int = 500,
    seed: int = 0,
) -> EvaluationReport:
    """Judge the labelled answers of a JSON-lines file (see `case_files`) by our rule and by simpler ones.

    `models` and `rule` are those of `CitationVerifier`; `progress(done, total)` is called after each case; `rounds`
    resamples make the intervals.

    Raises:
        InvalidInputError: for an unreadable file or a bad line, naming it, or an unknown profile or rule.
        ModelUnavailableError: when the models cannot be loaded.
    """
    cases = read_cases(path)
    pair = load_models(models)
    chosen = rule_for(named_rule(rule), pair)
    measured = measure_cases(cases, pair, chosen, progress=progress)
    facts = remembered_facts() if check_numbers else None
    found = [verdicts(each, pair, chosen, facts) for each in measured]
    return report_on(Path(path).stem, [case.hallucinated for case in cases], found, rounds=rounds, seed=seed)


def report_on(
    name: str,
    hallucinated: Sequence[bool],
    found: Sequence[Mapping[Arm, Verdict] | None],
    *,
    rounds: int = 500,
    seed: int = 0,
) -> EvaluationReport:
    """The figures of each arm from its verdicts; None stands for a case that is INDETERMINATE."""
    judged = [(label, each) for label, each in zip(hallucinated, found, strict=True) if each is not None]
    truth = np.array([label for label, _ in judged], dtype=bool)
    return EvaluationReport(
        name=name,
        cases=len(judged),
        hallucinated=int(truth.sum()),
        indeterminate=len(found) - len(judged),
        arms=tuple(_arm(arm, truth, [each[arm] for _, each in judged], rounds, seed) for arm in Arm),
    )


def _row(arm: ArmReport) -> str:
    figures = (arm.name, arm.balanced_accuracy, arm.f1, arm.auroc, f"{arm.caught:.2f}", f"{arm.passed:.2f}")
    return f"| {' | '.join(map(str, figures))} |"


def _arm(arm: Arm, truth: Bools, found: Sequence[Verdict], rounds: int, seed: int) -> ArmReport:
    flagged = np.array([each.flagged for each in found], dtype=bool)
    scores: Floats = np.array([each.score for each in found], dtype=np.float64)

    def measured(figure: Callable[[Any], float]) -> Measure:
        return bootstrap(figure, len(found), rounds=rounds, seed=seed)

    return ArmReport(
        name=arm.value,
        balanced_accuracy=measured(lambda at: balanced_accuracy(flagged[at], truth[at])),
        f1=measured(lambda at: f1_of(flagged[at], truth[at])),
        auroc=measured(lambda at: auroc(scores[at], ~truth[at])),
        caught=_share(flagged[truth]),
        passed=_share(~flagged[~truth]),
    )


def _share(values: Bools) -> float:
    return float(values.mean()) if len(values) else float("nan")

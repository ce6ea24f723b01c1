"""`longtracer evaluate` and `longtracer calibrate`: on the user's own labelled answers."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from .cli_errors import cannot_run
from .contracts import EvaluatorError

__all__ = ["calibrate_command", "evaluate_command"]

_Cases = Annotated[str, typer.Argument(help="JSON lines: response, sources, label (grounded or hallucinated).")]
_AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def evaluate_command(
    cases: _Cases,
    models: Annotated[str | None, typer.Option(help="A profile, or a profile file.")] = None,
    rule: Annotated[str | None, typer.Option(help="similarity, entailment, or a profile file.")] = None,
    as_json: _AsJson = False,
) -> None:
    """Measure the verdicts against your own labels. Exit code 0, or 2 when it could not run."""
    from .evaluation import evaluate_cases

    with _errors(), _progress("judging") as progress:
        report = evaluate_cases(cases, models=models, rule=rule, progress=progress)
    if as_json:
        # JSON has no word for NaN, the figure of a class that is absent.
        text = json.dumps(report.to_dict()).replace("NaN", "null")
        sys.stdout.write(f"{text}\n")
        return
    table = Table("rule", "balanced accuracy", "F1 (hallucinated)", "AUROC", "caught", "passed")
    for arm in report.arms:
        figures = (str(arm.balanced_accuracy), str(arm.f1), str(arm.auroc))
        table.add_row(arm.name, *figures, f"{arm.caught:.2f}", f"{arm.passed:.2f}")
    console = Console()
    console.print(table)
    console.print(
        f"{report.cases} answers, {report.hallucinated} hallucinated; "
        f"{report.indeterminate} INDETERMINATE, left out of the figures."
    )


def calibrate_command(
    cases: _Cases,
    out: Annotated[str, typer.Option("--out", "-o", help="The profile file to write (.json).")] = "profile.json",
    models: Annotated[str | None, typer.Option(help="The profile to start from.")] = None,
    false_pass_weight: Annotated[
        float | None, typer.Option(help="Cost of passing a hallucinated answer; flagging a grounded one costs 1.")
    ] = None,
) -> None:
    """Fit a rule to your own labelled answers and write a profile file that --models accepts."""
    from .calibration import calibrate
    from .rule_fit import FALSE_PASS_WEIGHT

    weight = FALSE_PASS_WEIGHT if false_pass_weight is None else false_pass_weight
    with _errors(), _progress("judging") as progress:
        result = calibrate(cases, models=models, false_pass_weight=weight, progress=progress)
        written = result.write(out)
    console = Console()
    console.print(f"balanced accuracy before {result.before}, after {result.after} (held out)")
    console.print(f"calibration error before {result.error_before:.3f}, after {result.error_after:.3f}")
    used = f"{result.cases} answers, {result.hallucinated} hallucinated; {result.indeterminate} INDETERMINATE, left out"
    console.print(f"{used}. Written: {written}", markup=False)


@contextmanager
def _progress(title: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on standard error that goes away at the end, so that standard output holds the result alone."""
    columns = (TextColumn(title), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def _errors() -> Iterator[None]:
    try:
        yield
    except EvaluatorError as error:
        raise cannot_run(error) from error

"""The commands. Exit codes: 0 PASS, 1 FAIL, 2 INDETERMINATE or could not run."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from .cli_errors import cannot_run
from .contracts import CaseResult, EvaluatorError, InvalidInputError, QualityGate
from .source_arguments import STANDARD_INPUT, NamedText, read_argument
from .tuning_commands import calibrate_command, evaluate_command

__all__ = ["app"]

_EXIT = {QualityGate.PASS: 0, QualityGate.FAIL: 1, QualityGate.INDETERMINATE: 2}

app = typer.Typer(
    name="longtracer",
    help="Check whether each claim of an answer is grounded in its sources.",
    no_args_is_help=True,
    add_completion=False,
)
models_app = typer.Typer(help="The models that checks run on.", no_args_is_help=True)
app.add_typer(models_app, name="models")
app.command("evaluate")(evaluate_command)
app.command("calibrate")(calibrate_command)


@app.command()
def check(
    answer: Annotated[str, typer.Argument(help="The answer: text, a file, or - for standard input.")],
    source: Annotated[list[str], typer.Option("--source", "-s", help="A source: a file, text or -. Repeat it.")],
    question: Annotated[str | None, typer.Option(help="What was asked; lets short answers be judged.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the CaseResult as JSON.")] = False,
    detect_conflicts: Annotated[bool, typer.Option(help="Look for sources that disagree.")] = False,
    check_citations: Annotated[bool, typer.Option(help="Judge [n] against source n; look quotations up.")] = False,
    timeout: Annotated[float | None, typer.Option(help="Seconds until the result is a TIMEOUT.")] = None,
    models: Annotated[str | None, typer.Option(help="A profile, or a profile file.")] = None,
) -> None:
    """Check one answer. Exit code 0: PASS, 1: FAIL, 2: INDETERMINATE or could not run."""
    from . import check_case

    try:
        if [answer, *source].count(STANDARD_INPUT) > 1:
            raise InvalidInputError("only one text can be read from standard input")
        text = read_argument(answer).text
        sources = [read_argument(value) for value in source]
        case = check_case(
            text,
            [each.text for each in sources],
            [{"source_id": _source_id(index, each)} for index, each in enumerate(sources)],
            question=question,
            detect_conflicts=detect_conflicts,
            check_citations=check_citations,
            timeout=timeout,
            models=models,
        )
    except EvaluatorError as error:
        raise cannot_run(error) from error
    except KeyboardInterrupt as error:  # else the exit code would be that of a FAIL
        raise cannot_run(InvalidInputError("interrupted")) from error
    _print(case, as_json)
    raise typer.Exit(_EXIT[case.quality_gate])


@models_app.command("list")
def list_models(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show the profiles and whether they can be used here."""
    from .engine.models import available_profiles

    profiles = available_profiles()
    if as_json:
        rows = [
            {"name": p.name, "usable": p.usable, "detail": p.detail, "languages": sorted(p.languages)} for p in profiles
        ]
        sys.stdout.write(json.dumps(rows, indent=2) + "\n")
        return
    table = Table("profile", "usable", "languages", "detail")
    for profile in profiles:
        usable = "[green]yes[/green]" if profile.usable else "[red]no[/red]"
        table.add_row(profile.name, usable, ", ".join(sorted(profile.languages)) or "any", profile.detail)
    Console().print(table)


@models_app.command("prepare")
def prepare_models(
    profile: Annotated[str, typer.Argument(help="The profile to make usable offline.")] = "standard",
) -> None:
    """Fetch and cache the weights of a profile, so that checks need no network."""
    from .engine.models import prepare

    try:
        status = prepare(profile)
    except EvaluatorError as error:
        raise cannot_run(error) from error
    Console().print(f"{status.name}: {status.detail}", markup=False)
    raise typer.Exit(0 if status.usable else 2)


def _source_id(index: int, source: NamedText) -> str:
    return source.name or f"source_{index}"


def _print(case: CaseResult, as_json: bool) -> None:
    if as_json:
        # JSON is UTF-8, whatever the terminal is.
        typer.echo(f"{case.model_dump_json(indent=2)}\n".encode(), nl=False)
        return
    from .report import case_report

    Console().print(case_report(case))

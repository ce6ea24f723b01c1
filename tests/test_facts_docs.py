"""What `docs/numbers.md` says is what the code does."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

from longtracer.engine.facts import FactVerdict, FindingStatus, compare_facts

DOCS = (Path(__file__).parent.parent / "docs" / "numbers.md").read_text(encoding="utf-8")


def rows_below(header: str) -> list[list[str]]:
    """The rows of the table whose header line begins with `header`."""
    lines = iter(DOCS[DOCS.index(f"| {header} ") :].splitlines()[2:])
    table = []
    for line in lines:
        if not line.startswith("|"):
            break
        table.append([cell.strip() for cell in line.strip("|").split("|")])
    return table


@pytest.mark.parametrize(("claim", "evidence", "verdict"), rows_below("claim | evidence"))
def test_example_of_the_docs(claim: str, evidence: str, verdict: str) -> None:
    assert compare_facts(claim, [evidence]).verdict == verdict


def test_examples_show_every_verdict() -> None:
    assert {row[2] for row in rows_below("claim | evidence")} == set(FactVerdict)


def test_every_status_is_in_the_docs() -> None:
    assert {row[0].strip("`") for row in rows_below("status")} == set(FindingStatus)


def test_code_of_the_docs_prints_what_they_say() -> None:
    code, printed = re.findall(r"```(?:python)?\n(.*?)```", DOCS, re.DOTALL)[:2]
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(code, "numbers.md", "exec"), {})
    assert output.getvalue() == printed

"""The command line: what it prints and how it exits."""

from __future__ import annotations

import json

import jsonschema
import pytest
from typer.testing import CliRunner

from longtracer import CaseResult
from longtracer.commands import app
from longtracer.contracts.schema import packaged_schema

LAKE = "The lake is 40 metres deep."
WRONG = "The lake is 41 metres deep."


def run(*arguments: str, stdin: str | None = None):
    return CliRunner().invoke(app, list(arguments), input=stdin)


@pytest.mark.parametrize(
    ("answer", "source", "code"),
    [(LAKE, LAKE, 0), (WRONG, LAKE, 1), ("", LAKE, 1), ("I don't know.", LAKE, 0)],
)
def test_exit_codes(answer, source, code):
    assert run("check", answer, "--source", source).exit_code == code


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", LAKE),
        ("check", LAKE, "--source", "no_such_file.txt"),
        ("check", LAKE, "--source", LAKE, "--timeout", "0"),
        ("check", LAKE, "--source", LAKE, "--timeout", "soon"),
        ("check", LAKE, "--source", LAKE, "--models", "no-such-profile"),
        ("check", LAKE, "--source", LAKE, "--models", "standard"),
        ("models", "prepare", "no-such-profile"),
        ("no-such-command",),
    ],
)
def test_what_cannot_run_exits_with_2(arguments):
    assert run(*arguments).exit_code == 2


def test_json_is_a_case_result():
    done = run("check", WRONG, "--source", LAKE, "--json")
    data = json.loads(done.stdout)
    jsonschema.validate(data, packaged_schema())
    assert CaseResult.model_validate(data).quality_gate.value == "FAIL"


def test_the_table_shows_verdict_evidence_and_source():
    out = run("check", f"{WRONG} [1]", "--source", LAKE).stdout
    for part in ("FAIL", "CONTRADICTED", WRONG, LAKE, "source_0"):
        assert part in out


def test_square_brackets_of_an_answer_are_shown_as_they_are():
    assert "[bold]deep[/bold]" in run("check", "The lake is [bold]deep[/bold] here.", "--source", LAKE).stdout


def test_sources_and_answers_may_be_files(tmp_path):
    source, answer = tmp_path / "lake.txt", tmp_path / "answer.md"
    source.write_text(LAKE, encoding="utf-8")
    answer.write_text(LAKE, encoding="utf-8")
    done = run("check", str(answer), "--source", str(source), "--json")
    assert json.loads(done.stdout)["claims"][0]["supporting_sources"] == [str(source)]


def test_the_answer_may_come_from_standard_input():
    assert run("check", "-", "--source", LAKE, stdin=LAKE).exit_code == 0
    assert run("check", "-", "--source", LAKE, stdin=WRONG).exit_code == 1


def test_a_file_that_is_no_text_is_named(tmp_path):
    binary = tmp_path / "image.bin"
    binary.write_bytes(b"\xff\xfe\x00\x81")
    done = run("check", LAKE, "--source", str(binary))
    assert done.exit_code == 2
    assert "UTF-8" in done.stderr


def test_conflicts_are_shown_when_asked_for():
    sources = ("--source", "The shop opens at 9.", "--source", "The shop opens at 10.")
    assert "CONFLICTING" in run("check", "The shop opens at 9.", *sources, "--detect-conflicts").stdout
    assert "CONFLICTING" not in run("check", "The shop opens at 9.", *sources).stdout


def test_a_question_makes_a_short_answer_assessable():
    source = "The capital of Germany is Berlin."
    question = "What is the capital of Germany?"
    assert run("check", "Berlin.", "--source", source, "--question", question).exit_code == 0
    assert run("check", "Bonn.", "--source", source, "--question", question).exit_code == 1


def test_models_list_tells_what_is_usable():
    rows = {row["name"]: row for row in json.loads(run("models", "list", "--json").stdout)}
    assert rows["embedded"]["usable"] is True
    assert rows["standard"]["usable"] is False
    assert "prepare" in rows["standard"]["detail"]

"""The command line: what it prints and how it exits."""

from __future__ import annotations

import json
import os
import subprocess
import sys

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


def test_a_folder_is_no_source(tmp_path):
    done = run("check", LAKE, "--source", str(tmp_path))
    assert done.exit_code == 2
    assert "folder" in done.stderr


def test_a_long_line_is_a_text_and_no_file_name():
    assert run("check", LAKE, "--source", f"{LAKE} {'It is cold. ' * 60}").exit_code == 0
    assert run("check", WRONG, "--source", f"{LAKE} {'It is cold. ' * 60}").exit_code == 1


@pytest.mark.parametrize("text", ["$25/month", "and/or", "25/30"])
def test_a_text_with_a_slash_is_no_file_name(text):
    assert run("check", LAKE, "--source", LAKE, "--source", text).exit_code == 0


@pytest.mark.parametrize("path", ["./lake", "tests/no-such-file", "/no/such/file", "docs/lake.txt", "lake.txt"])
def test_a_file_name_without_its_file_is_an_error(path):
    done = run("check", LAKE, "--source", LAKE, "--source", path)
    assert done.exit_code == 2
    assert "there is no file" in done.stderr


def test_a_number_is_an_answer_and_no_file_name():
    source, question = "The water is 42.5 degrees warm.", "How warm is the water?"
    assert run("check", "42.5", "--source", source, "--question", question).exit_code == 0
    assert run("check", "43.5", "--source", source, "--question", question).exit_code == 1


def test_the_mark_at_the_start_of_a_windows_file_is_no_text(tmp_path):
    file = tmp_path / "lake.txt"
    file.write_bytes(b"\xef\xbb\xbf" + LAKE.encode())
    claim = json.loads(run("check", str(file), "--source", str(file), "--json").stdout)["claims"][0]
    assert claim["claim_text"] == claim["evidence"][0]["text"] == LAKE


def test_a_source_may_come_from_standard_input():
    assert run("check", LAKE, "--source", "-", stdin=LAKE).exit_code == 0
    assert run("check", WRONG, "--source", "-", stdin=LAKE).exit_code == 1
    done = run("check", "-", "--source", "-", stdin=LAKE)
    assert done.exit_code == 2
    assert "only one" in done.stderr


def test_standard_input_that_is_no_text_cannot_run():
    done = CliRunner().invoke(app, ["check", "-", "--source", LAKE], input=b"\xff\xfe\x00")
    assert done.exit_code == 2
    assert "UTF-8" in done.stderr


@pytest.mark.parametrize("steering", ["\x1b[31m", "\x1b]0;title\x07", "\r", "\x9b2J", "\u202e"])
def test_an_answer_does_not_steer_the_terminal(steering):
    out = run("check", f"The lake {steering} is deep.", "--source", f"{LAKE} It is {steering} cold.").stdout
    assert steering not in out
    assert steering.encode("unicode_escape").decode()[:4] in out


def in_a_process(*arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    code = "from longtracer.cli import main; main()"
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, check=False, env=os.environ | environment)


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_terminal_without_unicode_gets_the_verdict(form):
    source = "The water is 40 °C warm."
    done = in_a_process("check", source, "--source", source, *form, PYTHONIOENCODING="ascii")
    assert done.returncode == 0, done.stderr
    if form:
        assert json.loads(done.stdout)["claims"][0]["claim_text"] == source


def test_a_failure_nobody_thought_of_does_not_look_like_a_fail(monkeypatch):
    from longtracer import cli, commands

    def fail():
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(commands, "app", fail)
    monkeypatch.setattr(sys, "excepthook", lambda *error: None)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 2


def test_an_interrupted_check_does_not_look_like_a_fail(monkeypatch):
    import longtracer

    def interrupted(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(longtracer, "check_case", interrupted, raising=False)
    assert run("check", LAKE, "--source", LAKE).exit_code == 2


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

"""`longtracer evaluate` and `longtracer calibrate` on a small labelled file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from longtracer import CitationVerifier
from longtracer.commands import app


def run(*arguments: str):
    return CliRunner().invoke(app, list(arguments))


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rooms with their number of chairs: every other answer says another number."""
    file = tmp_path_factory.mktemp("cases") / "cases.jsonl"
    rows = [
        {
            "response": f"Room {room} has {room + 3 + room % 2} chairs.",
            "sources": [f"Room {room} has {room + 3} chairs and a table."],
            "label": "hallucinated" if room % 2 else "grounded",
        }
        for room in range(30)
    ]
    file.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return file


def test_evaluate_prints_the_figures_of_every_rule(cases):
    report = json.loads(run("evaluate", str(cases), "--json").stdout)
    assert (report["cases"], report["hallucinated"], report["indeterminate"]) == (30, 15, 0)
    ours, similarity = report["arms"][0], report["arms"][1]
    assert ours["balanced_accuracy"]["value"] > 0.9
    assert ours["balanced_accuracy"]["value"] > similarity["balanced_accuracy"]["value"] - 0.01
    table = run("evaluate", str(cases)).stdout
    assert "30 answers, 15 hallucinated" in table
    assert "ours" in table


def test_wrong_labels_show(cases, tmp_path):
    swapped = tmp_path / "swapped.jsonl"
    text = cases.read_text(encoding="utf-8")
    text = text.replace('"grounded"', '"?"').replace('"hallucinated"', '"grounded"').replace('"?"', '"hallucinated"')
    swapped.write_text(text, encoding="utf-8")
    report = json.loads(run("evaluate", str(swapped), "--json").stdout)
    assert report["arms"][0]["balanced_accuracy"]["value"] < 0.1


def test_calibrate_writes_a_profile_that_a_verifier_accepts(cases, tmp_path):
    profile = tmp_path / "mine.json"
    done = run("calibrate", str(cases), "--out", str(profile))
    assert done.exit_code == 0
    assert "balanced accuracy before" in done.stdout
    source = "Room 1 has 4 chairs and a table."
    with CitationVerifier(models=str(profile)) as calibrated:
        assert calibrated.verify_case("Room 1 has 4 chairs.", [source]).passed
        assert not calibrated.verify_case("Room 1 has 5 chairs.", [source]).passed
    with CitationVerifier(rule=str(profile)) as calibrated:
        assert calibrated.verify_case("Room 1 has 4 chairs.", [source]).passed


@pytest.mark.parametrize("command", ["evaluate", "calibrate"])
def test_a_bad_line_is_named(command, tmp_path):
    file = tmp_path / "bad.jsonl"
    file.write_text('{"response": "x", "sources": ["y"], "label": "grounded"}\n{"response": 7}\n', encoding="utf-8")
    done = run(command, str(file))
    assert done.exit_code == 2
    assert "line 2" in done.stderr


@pytest.mark.parametrize("command", ["evaluate", "calibrate"])
def test_a_missing_file_exits_with_2(command, tmp_path):
    assert run(command, str(tmp_path / "none.jsonl")).exit_code == 2

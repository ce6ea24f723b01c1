"""Reading labelled answers: what is accepted, and that a bad line is named."""

from __future__ import annotations

import json

import pytest

from longtracer import InvalidInputError
from longtracer.case_files import read_cases

GOOD = {"response": "Pro costs $25.", "sources": ["Pro costs $25."], "label": "grounded"}


def write(folder, *lines):
    path = folder / "cases.jsonl"
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines), encoding="utf-8")
    return path


@pytest.mark.parametrize(("label", "hallucinated"), [("grounded", False), ("hallucinated", True)])
def test_a_label_in_words(tmp_path, label, hallucinated):
    (case,) = read_cases(write(tmp_path, GOOD | {"label": label}))
    assert case.hallucinated is hallucinated


@pytest.mark.parametrize("hallucinated", [True, False])
def test_a_label_as_a_flag(tmp_path, hallucinated):
    row = {"response": "x", "sources": [], "hallucinated": hallucinated}
    (case,) = read_cases(write(tmp_path, row))
    assert case.hallucinated is hallucinated


def test_optional_keys_are_read_and_foreign_ones_ignored(tmp_path):
    row = GOOD | {"question": "How much?", "case_id": "7", "source_metadata": [{"id": "a"}], "spans": [[0, 3]]}
    (case,) = read_cases(write(tmp_path, row))
    assert (case.question, case.case_id, case.source_metadata) == ("How much?", "7", ({"id": "a"},))


def test_blank_lines_count_but_hold_no_case(tmp_path):
    assert len(read_cases(write(tmp_path, GOOD, "", GOOD, ""))) == 2


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        ("{not json", "JSON"),
        ("[1, 2]", "object"),
        ({"sources": [], "label": "grounded"}, "response"),
        ({"response": "x", "label": "grounded"}, "sources"),
        ({"response": "x", "sources": []}, "hallucinated"),
        (GOOD | {"label": "maybe"}, "maybe"),
        (GOOD | {"label": ["grounded"]}, "label"),
        (GOOD | {"hallucinated": True}, "disagree"),
        ({"response": "x", "sources": [], "hallucinated": 1}, "hallucinated"),
        (GOOD | {"response": None}, "response"),
        (GOOD | {"sources": "one text"}, "sources"),
        (GOOD | {"sources": [1]}, "sources"),
        (GOOD | {"source_metadata": [{}, {}]}, "source_metadata"),
    ],
)
def test_a_bad_line_is_named_with_its_problem(tmp_path, bad, problem):
    with pytest.raises(InvalidInputError, match=rf"cases\.jsonl line 3: .*{problem}"):
        read_cases(write(tmp_path, GOOD, "", bad))


@pytest.mark.parametrize("content", ["", "\n\n"])
def test_a_file_without_a_case_is_an_error(tmp_path, content):
    with pytest.raises(InvalidInputError, match="holds no case"):
        read_cases(write(tmp_path, content))


def test_a_missing_file_is_an_error(tmp_path):
    with pytest.raises(InvalidInputError, match=r"none\.jsonl cannot be read"):
        read_cases(tmp_path / "none.jsonl")


def test_a_file_that_is_no_text_is_an_error(tmp_path):
    path = tmp_path / "cases.jsonl"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InvalidInputError, match="cannot be read"):
        read_cases(path)

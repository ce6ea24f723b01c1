"""The pure parts of the quality benchmark: drawing cases, planting errors, writing the page."""

from __future__ import annotations

import gzip
import importlib
import json
import random
import sys
from pathlib import Path

import numpy as np
import pytest

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"


@pytest.fixture
def module(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    before = set(sys.modules)
    yield importlib.import_module
    for name in set(sys.modules) - before:
        if name.startswith(("quality", "quantity_swaps")):
            del sys.modules[name]


@pytest.fixture
def data(tmp_path):
    rows = [
        {"question": "q", "contexts": [f"c{n}"], "answer": f"answer {n}", "hallucinated": n % 4 == 0} for n in range(40)
    ]
    rows.append({"question": "q", "answer": "nothing retrieved", "hallucinated": True})
    (tmp_path / "rag").mkdir()
    with gzip.open(tmp_path / "rag" / "made.jsonl.gz", "wt", encoding="utf-8") as lines:
        lines.write("\n".join(map(json.dumps, rows)))
    return tmp_path


def test_half_of_the_answers_drawn_are_hallucinated(module, data):
    cases = module("quality_sets").sample_answers(data, "made", 16, 0)
    assert [case.hallucinated for case in cases].count(True) == 8
    assert len({case.response for case in cases}) == 16


def test_the_same_seed_draws_the_same_answers(module, data):
    draw = module("quality_sets").sample_answers
    assert draw(data, "made", 8, 3) == draw(data, "made", 8, 3)
    assert draw(data, "made", 8, 3) != draw(data, "made", 8, 4)


def test_an_answer_without_documents_is_not_drawn(module, data):
    cases = module("quality_sets").sample_answers(data, "made", 1000, 0)
    assert "nothing retrieved" not in {case.response for case in cases}


def test_a_planted_name_is_another_one_and_the_source_keeps_the_right_one(module):
    texts = [f"The museum of the old town was moved to {name} after the second flood." for name in ("Lima", "Oslo")]
    found = list(module("quality_planted").swapped_names(texts, random.Random(0)))
    assert found == [(texts[0], texts[1]), (texts[1], texts[0])]


def test_the_page_keeps_what_stands_around_the_markers(module, tmp_path):
    quality = module("quality")
    page = tmp_path / "quality.md"
    page.write_text(f"before\n{quality.BEGIN}\nold\n{quality.END}\nafter\n", encoding="utf-8")
    quality.put_between_markers(page, "new\n")
    assert page.read_text(encoding="utf-8") == f"before\n{quality.BEGIN}\nnew\n{quality.END}\nafter\n"


@pytest.mark.parametrize(("temperature", "surer"), [(1.0, False), (0.5, True)])
def test_a_temperature_below_one_makes_probabilities_surer(module, temperature, surer):
    (row,) = module("quality").temper(np.array([[0.1, 0.7, 0.2]]), temperature)
    assert row.sum() == pytest.approx(1)
    assert bool(row[1] > 0.71) is surer

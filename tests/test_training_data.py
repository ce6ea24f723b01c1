"""Reading and mixing the sets: held-out text stays out, caps hold, and the draw is repeatable."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from training.answers import split
from training.config import Schedule, read_config
from training.data import HeldOut, MixtureConfig, draw_epoch, focus, load_sets, read_held_out, usable
from training.metrics import auroc, balanced_accuracy, expected_calibration_error
from training.pairs import Pair, fingerprint, read_pairs

CONFIGS = sorted((Path(__file__).parents[1] / "training" / "configs").glob("*.toml"))


def write(path: Path, rows: list[dict[str, object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as out:
        out.writelines(json.dumps(row) + "\n" for row in rows)


def row(premise: str, hypothesis: str, label: str = "entailment") -> dict[str, object]:
    return {"premise": premise, "hypothesis": hypothesis, "label": label}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    write(tmp_path / "dev" / "one.jsonl.gz", [row("A premise.", "A dev claim of more than six words.")])
    answers = [{"question": "?", "contexts": ["c"], "answer": "An answer of at least six words.", "hallucinated": True}]
    write(tmp_path / "rag" / "two.jsonl.gz", answers)
    write(tmp_path / "rag" / "clapnq_dev.jsonl.gz", [{**answers[0], "answer": "An answer that train may also have."}])
    return tmp_path


@pytest.mark.parametrize(
    "hypothesis",
    ["A dev claim of more than six words.", "a DEV claim of more than six words", "An answer of at least six words!"],
)
def test_held_out_text_is_found_however_it_is_written(data: Path, hypothesis: str) -> None:
    assert Pair("Other.", hypothesis, "entailment", "x") in read_held_out(data)


@pytest.mark.parametrize("hypothesis", ["A dev claim of more than seven words.", "An answer that train may also have."])
def test_other_text_is_kept(data: Path, hypothesis: str) -> None:
    assert Pair("Other.", hypothesis, "entailment", "x") not in read_held_out(data)


def test_a_short_hypothesis_is_held_out_only_with_its_premise() -> None:
    held_out = HeldOut([fingerprint("A man sleeps.")], [fingerprint("A man is in bed.", "A man sleeps.")])
    assert Pair("A man is in bed.", "A man sleeps.", "neutral", "x") in held_out
    assert Pair("A man is awake.", "A man sleeps.", "neutral", "x") not in held_out


def test_loading_drops_held_out_pairs(data: Path) -> None:
    write(data / "train" / "t.jsonl.gz", [row("P.", "A dev claim of more than six words."), row("P.", "Fine.")])
    sets = load_sets(data, MixtureConfig(("t",)), read_held_out(data))
    assert [pair.hypothesis for pair in sets["t"]] == ["Fine."]


def test_a_missing_set_is_an_error(data: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load_sets(data, MixtureConfig(("absent",)), read_held_out(data))


def test_an_unknown_label_is_an_error(tmp_path: Path) -> None:
    write(tmp_path / "x.jsonl.gz", [row("P.", "H.", "maybe")])
    with pytest.raises(ValueError, match="maybe"):
        read_pairs(tmp_path / "x.jsonl.gz")


def test_repeats_are_dropped() -> None:
    pair = Pair("P.", "H.", "entailment", "x")
    assert usable([pair, pair], MixtureConfig(()), HeldOut([], [])) == [pair]


def test_a_long_document_is_reduced_to_the_claim_s_sentences() -> None:
    document = "Nothing of note happened here. The bridge opened in 1990. Many people came by. It rained."
    assert focus(document, "The bridge opened in 1990.", 30) == "The bridge opened in 1990."


def test_a_short_document_stays_whole() -> None:
    assert focus("One. Two.", "Two.", 30) == "One. Two."


SETS = {name: [Pair(f"{name} {i}", "h", "neutral", name) for i in range(50)] for name in ("a", "b")}


def test_a_cap_limits_its_set_only() -> None:
    drawn = draw_epoch(SETS, {"a": 7}, seed=0, epoch=0)
    assert [sum(pair.source == name for pair in drawn) for name in ("a", "b")] == [7, 50]


def test_a_draw_is_repeatable() -> None:
    assert draw_epoch(SETS, {"a": 7}, seed=0, epoch=3) == draw_epoch(SETS, {"a": 7}, seed=0, epoch=3)


@pytest.mark.parametrize(("seed", "epoch"), [(0, 4), (1, 3)])
def test_another_seed_or_epoch_draws_otherwise(seed: int, epoch: int) -> None:
    assert draw_epoch(SETS, {"a": 7}, seed=0, epoch=3) != draw_epoch(SETS, {"a": 7}, seed=seed, epoch=epoch)


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_a_shipped_configuration_reads(path: Path) -> None:
    config = read_config(path)
    assert set(config.mixture.caps) <= {*config.mixture.sets, "synthetic"}


def test_an_unknown_key_in_a_configuration_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    path.write_text("speed = 1\n[mixture]\nsets = []\n[schedule]\npeak = 1.0\nminutes = 1\n", encoding="utf-8")
    with pytest.raises(TypeError, match="speed"):
        read_config(path)


@pytest.mark.parametrize(
    ("step", "elapsed", "expected"),
    [(0, 0.0, 0.1), (9, 0.0, 1.0), (99, 300.0, 1.0), (99, 450.0, 0.5), (99, 600.0, 0.0), (99, 900.0, 0.0)],
)
def test_the_rate_warms_up_holds_and_decays(step: int, elapsed: float, expected: float) -> None:
    schedule = Schedule(peak=1.0, minutes=10.0, warmup_steps=10, hold=0.5)
    assert schedule.rate(step, elapsed) == pytest.approx(expected)


def test_balanced_accuracy_is_the_mean_recall() -> None:
    predicted, truth = np.array([True, True, False, True]), np.array([True, True, True, False])
    assert balanced_accuracy(predicted, truth) == pytest.approx((2 / 3 + 0) / 2)


@pytest.mark.parametrize(
    ("scores", "expected"), [([0.9, 0.8, 0.1], 1.0), ([0.1, 0.2, 0.9], 0.0), ([0.5, 0.5, 0.5], 0.5)]
)
def test_auroc_counts_ordered_pairs(scores: list[float], expected: float) -> None:
    assert auroc(np.array(scores), np.array([True, True, False])) == pytest.approx(expected)


def test_calibration_error_is_the_gap_of_a_bin() -> None:
    scores, truth = np.array([0.95, 0.95, 0.95, 0.95]), np.array([True, True, False, False])
    assert expected_calibration_error(scores, truth) == pytest.approx(0.45)


def test_answers_are_split_at_sentence_ends() -> None:
    assert split("It rose 1.5 percent. Then it fell!\n- Done") == ["It rose 1.5 percent.", "Then it fell!", "- Done"]

"""The export: integer weights stay near the real ones, and the exported models near the torch models."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

import numpy as np
import pytest

from longtracer.engine.models.embedded import load_embedded
from longtracer.engine.models.manifest import read_manifest
from tests.tiny_models import NLI_NAMES, tiny_encoder, tiny_nli
from training import export
from training.compare_export import accuracy, torch_probabilities, torch_vectors
from training.pairs import Pair
from training.quantise import WEIGHT_LIMIT, quantise_layer, quantise_rows
from training.recover import recover

PAIRS = [
    ("The shop opens at 9.", "The shop opens at 10."),
    ("Dogs and cats are allowed.", "Dogs are allowed."),
    ("A longer premise, with two clauses, ends here.", "It ends."),
    ("Short.", "Sale items can be returned within thirty days of purchase."),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two tiny models, calibration pairs, and what the export makes of them."""
    root = tmp_path_factory.mktemp("export")
    tiny_nli(root / "checkpoint", labels=("neutral", "entailment", "contradiction"))
    tiny_encoder(root / "encoder")
    rows = [{"premise": premise, "hypothesis": claim, "label": "neutral"} for premise, claim in PAIRS]
    with gzip.open(root / "pairs.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    run(root, root / "out")
    return root


def run(root: Path, out: Path, *more: str) -> None:
    places = ["--checkpoint", root / "checkpoint", "--encoder", root / "encoder", "--out", out]
    arguments = ["export", *map(str, places), "--calibration", str(root / "pairs.jsonl.gz"), *more]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", arguments)
        export.main()


def test_exported_classifier_says_what_torch_says(folder: Path) -> None:
    ours = load_embedded(folder / "out").nli.predict(PAIRS)
    theirs = torch_probabilities(folder / "checkpoint", PAIRS)
    assert np.abs(ours - theirs).max() < 0.05
    assert theirs.std(0).max() > 0.05


def test_exported_encoder_points_where_torch_points(folder: Path) -> None:
    sentences = [text for pair in PAIRS for text in pair]
    ours = load_embedded(folder / "out").encoder.encode(sentences)
    assert (ours * torch_vectors(folder / "encoder", sentences)).sum(1).min() > 0.999


def test_a_recovered_checkpoint_says_what_the_checkpoint_said(folder: Path) -> None:
    recover(folder / "out" / "nli.onnx", folder / "checkpoint", folder / "recovered")
    before = torch_probabilities(folder / "checkpoint", PAIRS)
    assert np.abs(torch_probabilities(folder / "recovered", PAIRS) - before).max() < 0.05
    assert before.std(0).max() > 0.05


def test_a_checkpoint_of_another_shape_is_not_recovered(folder: Path) -> None:
    with pytest.raises(ValueError, match="has no weights like"):
        recover(folder / "out" / "encoder.onnx", folder / "checkpoint", folder / "wrong")


def test_manifest_takes_the_labels_of_the_checkpoint(folder: Path) -> None:
    assert read_manifest(folder / "out").nli.labels == ("neutral", "entailment", "contradiction")


def test_same_models_export_to_the_same_bytes(folder: Path) -> None:
    run(folder, folder / "again")
    assert read_manifest(folder / "again") == read_manifest(folder / "out")


def test_rule_is_kept_unless_another_is_given(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "rule.json").write_text('{"entailment": 0.7}', encoding="utf-8")
    run(folder, folder / "ruled", "--rule", str(tmp_path / "rule.json"))
    run(folder, folder / "ruled")
    assert read_manifest(folder / "ruled").rule.entailment == 0.7


def test_models_of_different_vocabularies_are_refused(folder: Path, tmp_path: Path) -> None:
    other = folder / "encoder" / "tokenizer.json"
    kept = other.read_text(encoding="utf-8")
    other.write_text(kept.replace('"the":', '"teh":'), encoding="utf-8")
    try:
        with pytest.raises(SystemExit, match="one vocabulary"):
            run(folder, tmp_path / "out")
    finally:
        other.write_text(kept, encoding="utf-8")


def test_embedding_rows_survive_8_bits() -> None:
    table = np.random.default_rng(0).normal(size=(50, 64)).astype(np.float32)
    found = quantise_rows(table)
    restored = found.codes * np.repeat(found.scales.astype(np.float32), 32, axis=1)
    assert np.abs(restored - table).max() < np.abs(table).max() / 200


def test_codes_stay_in_seven_bits() -> None:
    weight = np.random.default_rng(0).normal(size=(8, 64)).astype(np.float32)
    assert np.abs(quantise_layer(weight, np.eye(64)).codes).max() <= WEIGHT_LIMIT


def test_errors_are_made_up_for_where_the_inputs_allow() -> None:
    draw = np.random.default_rng(0)
    inputs = draw.normal(size=(400, 8)) @ draw.normal(size=(8, 64)) + 0.1 * draw.normal(size=(400, 64))
    weight = draw.normal(size=(16, 64)).astype(np.float32)
    found = quantise_layer(weight, inputs.T @ inputs / len(inputs))
    scales = np.abs(weight).max(1, keepdims=True) / WEIGHT_LIMIT
    nearest = np.rint(weight / scales) * scales
    error = np.abs(inputs @ (found.codes * found.scales[:, None] - weight).T).mean()
    assert error < 0.5 * np.abs(inputs @ (nearest - weight).T).mean()


def test_accuracy_of_two_labels_is_not_a_number() -> None:
    probabilities = np.eye(3, dtype=np.float32)
    three = [Pair("a", "b", label, "set") for label in NLI_NAMES]
    assert accuracy(probabilities, three) == 1
    assert np.isnan(accuracy(probabilities, [*three[:2], Pair("a", "b", "not_entailment", "set")]))

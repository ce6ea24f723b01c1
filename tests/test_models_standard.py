"""The standard profile end to end on tiny saved models: labels, batches, windows, threads, and what is missing."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from longtracer.contracts.errors import EvaluationFailedError, ModelUnavailableError
from longtracer.engine import ModelPair
from longtracer.engine.models import load_standard
from longtracer.engine.models import standard as module
from longtracer.engine.models.hub_cache import download, find_local
from longtracer.engine.models.text_windows import TextWindows
from tests.tiny_models import tiny_encoder, tiny_nli

PAIRS = [
    ("The shop opens at 9.", "The shop opens at 10."),
    ("Dogs and cats are allowed.", "Dogs are allowed."),
    ("A much longer premise, " * 9 + "ends here.", "It ends."),
    ("Short.", "Sale items can be returned within thirty days of purchase."),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("standard")
    tiny_encoder(root / "encoder")
    tiny_nli(root / "nli")
    return root


@pytest.fixture(scope="module")
def models(folder: Path) -> ModelPair:
    return load_standard("cpu", encoder=folder / "encoder", nli=folder / "nli")


def load_nli(folder: Path, encoder: Path) -> ModelPair:
    return load_standard("cpu", encoder=encoder, nli=folder)


def cached(cache: Path, repository: str, source: Path, revision: str = "0123456789abcdef") -> None:
    """Put a model where the hub's client keeps `repository`."""
    folder = cache / f"models--{repository.replace('/', '--')}"
    shutil.copytree(source, folder / "snapshots" / revision)
    (folder / "refs").mkdir()
    (folder / "refs" / "main").write_text(revision, encoding="ascii")


def test_scores_are_probabilities(models: ModelPair) -> None:
    probabilities = models.nli.predict(PAIRS)
    assert probabilities.shape == (4, 3)
    assert probabilities.dtype == np.float32
    assert np.allclose(probabilities.sum(1), 1, atol=1e-5)
    assert probabilities.std(0).max() > 0.01


def test_vectors_have_length_1(models: ModelPair) -> None:
    vectors = models.encoder.encode([premise for premise, _ in PAIRS])
    assert vectors.shape == (4, 32)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_nothing_in_gives_nothing_of_the_right_width(models: ModelPair) -> None:
    assert models.encoder.encode([]).shape == (0, 32)
    assert models.nli.predict([]).shape == (0, 3)


def test_a_pair_alone_scores_as_among_others(models: ModelPair) -> None:
    together = models.nli.predict(PAIRS)
    alone = np.concatenate([models.nli.predict([pair]) for pair in PAIRS])
    assert np.abs(together - alone).max() < 1e-4


def test_dropout_is_off(models: ModelPair) -> None:
    assert np.array_equal(models.nli.predict(PAIRS), models.nli.predict(PAIRS))


def test_rule_is_the_specification_s(models: ModelPair) -> None:
    assert (models.name, models.rule.name) == ("standard", "entailment")
    assert (models.rule.similarity_gate, models.rule.entailment) == (0.25, 0.5)


@pytest.mark.parametrize(
    ("labels", "meanings"),
    [
        (("entailment", "neutral", "contradiction"), ("entailment", "neutral", "contradiction")),
        (("contradiction", "entailment", "neutral"), ("contradiction", "entailment", "neutral")),
        (("NEUTRAL", "CONTRADICTORY", "ENTAILED"), ("neutral", "contradiction", "entailment")),
    ],
)
def test_label_order_of_the_model_never_shows(
    folder: Path, models: ModelPair, tmp_path: Path, labels: tuple[str, ...], meanings: tuple[str, ...]
) -> None:
    other = load_nli(tiny_nli(tmp_path, labels, meanings), folder / "encoder")
    assert np.abs(other.nli.predict(PAIRS) - models.nli.predict(PAIRS)).max() < 1e-5


def test_label_names_decide_and_not_their_usual_order(folder: Path, models: ModelPair, tmp_path: Path) -> None:
    misnamed = tiny_nli(tmp_path, labels=("entailment", "neutral", "contradiction"))
    found = load_nli(misnamed, folder / "encoder").nli.predict(PAIRS)
    assert np.allclose(found, models.nli.predict(PAIRS)[:, [2, 0, 1]], atol=1e-5)


@pytest.mark.parametrize("labels", [("LABEL_0", "LABEL_1", "LABEL_2"), ("entailment", "not_entailment", "neutral")])
def test_labels_that_say_nothing_are_refused(folder: Path, tmp_path: Path, labels: tuple[str, ...]) -> None:
    with pytest.raises(ModelUnavailableError, match=labels[1]):
        load_nli(tiny_nli(tmp_path, labels), folder / "encoder")


def test_long_inputs_say_how_many_windows_they_took(models: ModelPair) -> None:
    long = "A committee discussed the budget of the library. " * 60
    pairs = models.nli.predict_windowed([(long, "A cat."), ("A dog.", "A cat.")]).windows
    sentences = models.encoder.encode_windowed([long, "A dog."]).windows
    assert (pairs > 1).tolist() == (sentences > 1).tolist() == [True, False]


def test_end_of_a_long_sentence_moves_its_vector(models: ModelPair) -> None:
    long = "A committee discussed the budget of the library. " * 60
    first, second = models.encoder.encode([long, long + "penguin " * 300])
    assert np.abs(first - second).max() > 1e-3


def test_threads_get_what_one_gets(models: ModelPair) -> None:
    serial = models.nli.predict(PAIRS)
    with ThreadPoolExecutor(16) as pool:
        for found in pool.map(lambda _: models.nli.predict(PAIRS), range(64)):
            assert np.abs(found - serial).max() < 1e-4


def test_failure_of_torch_is_an_evaluation_failure(models: ModelPair, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("CUDA out of memory")

    monkeypatch.setattr(models.nli._model, "predict", fail)
    with pytest.raises(EvaluationFailedError, match="out of memory"):
        models.nli.predict(PAIRS)


def test_local_folders_load_without_network(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    monkeypatch.setattr(socket.socket, "connect", lambda _self, address: calls.append(address))
    monkeypatch.setattr(socket, "getaddrinfo", lambda *where, **_: calls.append(where))
    loaded = load_standard("cpu", encoder=folder / "encoder", nli=folder / "nli", allow_download=True)
    loaded.nli.predict(PAIRS)
    assert calls == []


def test_device_is_handed_on(folder: Path) -> None:
    loaded = load_standard("meta", encoder=folder / "encoder", nli=folder / "nli")
    assert str(loaded.nli._model.device) == "meta"


def test_hub_cache_is_found_under_its_name_and_revision(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    cached(tmp_path / "hub", "acme/nli", folder / "nli")
    cached(tmp_path / "hub", "acme/encoder", folder / "encoder")
    loaded = load_standard("cpu", encoder="acme/encoder", nli="acme/nli")
    assert (loaded.encoder.name, loaded.nli.name) == ("acme/encoder@0123456789ab", "acme/nli@0123456789ab")


@pytest.mark.parametrize("variable", ["HF_HUB_CACHE", "SENTENCE_TRANSFORMERS_HOME"])
def test_other_cache_folders_are_looked_at(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path / "empty"))
    monkeypatch.setenv(variable, str(tmp_path))
    cached(tmp_path, "acme/nli", folder / "nli")
    found = find_local("acme/nli")
    assert found is not None
    assert found.name == "acme/nli@0123456789ab"


@pytest.mark.parametrize("name", ["config.json", "model.safetensors", "tokenizer.json"])
def test_half_a_download_is_no_model(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    cached(tmp_path / "hub", "acme/nli", folder / "nli")
    snapshot = tmp_path / "hub" / "models--acme--nli" / "snapshots" / "0123456789abcdef"
    (snapshot / name).unlink()
    (snapshot / name).symlink_to(tmp_path / "blob that never came")
    assert find_local("acme/nli") is None


def test_incomplete_folder_is_refused(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder / "nli", tmp_path / "nli")
    (tmp_path / "nli" / "model.safetensors").unlink()
    with pytest.raises(ModelUnavailableError, match="lacks config"):
        load_nli(tmp_path / "nli", folder / "encoder")


def test_unreadable_config_is_refused(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder / "nli", tmp_path / "nli")
    (tmp_path / "nli" / "config.json").write_text("{", encoding="utf-8")
    with pytest.raises(ModelUnavailableError, match=r"config\.json cannot be read"):
        load_nli(tmp_path / "nli", folder / "encoder")


def test_offline_variable_forbids_the_download(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(ModelUnavailableError, match="HF_HUB_OFFLINE"):
        load_standard(allow_download=True)


def test_download_that_fails_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import huggingface_hub

    def fail(*_: object, **__: object) -> str:
        raise ConnectionError("no route to host")

    monkeypatch.setenv("HF_HOME", str(tmp_path))
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.setattr(huggingface_hub, "snapshot_download", fail)
    with pytest.raises(ModelUnavailableError, match=r"MiniLM-L6-v2 could not be fetched: no route to host"):
        module.prepare_standard()


def test_download_is_used(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import huggingface_hub

    def fetch(name: str, **_: object) -> str:
        cached(tmp_path / "hub", name, folder / ("nli" if name == module.STANDARD_NLI else "encoder"))
        return str(find_local(name).folder)

    monkeypatch.setenv("HF_HOME", str(tmp_path))
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.setattr(huggingface_hub, "snapshot_download", fetch)
    assert not module.standard_status().usable
    module.prepare_standard()
    assert module.standard_status().usable


def test_repository_with_older_weights_only_is_fetched_again(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import huggingface_hub

    asked = []

    def fetch(name: str, allow_patterns: list[str]) -> str:
        asked.append(allow_patterns)
        shutil.copytree(folder / "nli", tmp_path / "nli", dirs_exist_ok=True)
        weights = tmp_path / "nli" / "model.safetensors"
        weights.rename(weights.with_name("pytorch_model.bin" if "pytorch_model*.bin" in allow_patterns else "unused"))
        return str(tmp_path / "nli")

    monkeypatch.setattr(huggingface_hub, "snapshot_download", fetch)
    assert download("acme/old").folder == tmp_path / "nli"
    assert len(asked) == 2


def test_slow_tokenizer_is_refused() -> None:
    class SlowTokenizer:
        is_fast = False

    with pytest.raises(ModelUnavailableError, match="SlowTokenizer gives no offsets"):
        TextWindows(SlowTokenizer(), 128)


def test_missing_weights_are_found_out_before_torch_is_imported(tmp_path: Path) -> None:
    code = """
import sys, time, json
from longtracer.contracts.errors import ModelUnavailableError
from longtracer.engine.models import load_models
start = time.monotonic()
try:
    load_models("standard")
except ModelUnavailableError as error:
    heavy = sorted({"torch", "transformers", "sentence_transformers"} & sys.modules.keys())
    print(json.dumps([str(error), heavy, time.monotonic() - start]))
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"HF_HOME": str(tmp_path), "PATH": ""},
    )
    message, heavy, seconds = json.loads(done.stdout)
    assert "longtracer models prepare" in message
    assert heavy == []
    assert seconds < 2


def test_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "missing_modules", lambda _: ["torch"])
    with pytest.raises(ModelUnavailableError, match=r"longtracer-integrations\[transformers\]"):
        load_standard()
    assert "torch not installed" in module.standard_status().detail

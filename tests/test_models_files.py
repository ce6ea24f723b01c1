"""The shipped files are the ones the manifest names, or the models are refused."""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import longtracer.engine.models as shipped
from longtracer.contracts.errors import ModelUnavailableError
from longtracer.engine.models.embedded import embedded_status, load_embedded
from longtracer.engine.models.manifest import read_manifest

ORIGINAL = Path(shipped.__file__).parent
FILES = ("encoder.onnx", "nli.onnx", "tokenizer.json")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The shipped files again, by link, with a manifest of its own."""
    for name in FILES:
        (tmp_path / name).symlink_to(ORIGINAL / name)
    (tmp_path / "manifest.json").write_bytes((ORIGINAL / "manifest.json").read_bytes())
    return tmp_path


def edit(folder: Path, change: dict[str, dict[str, Any]]) -> None:
    path = folder / "manifest.json"
    manifest = json.loads(path.read_bytes())
    for section, values in change.items():
        manifest[section].update(values)
    path.write_text(json.dumps(manifest), encoding="utf-8")


def alter(folder: Path, name: str) -> None:
    """Turn the last bit of a file over."""
    content = bytearray((folder / name).read_bytes())
    content[-1] ^= 1
    (folder / name).unlink()
    (folder / name).write_bytes(content)


def test_untouched_copy_loads(folder: Path) -> None:
    assert load_embedded(folder).nli.predict([("A dog.", "A dog.")]).argmax() == 1


def test_manifest_lists_every_shipped_file_with_its_hash() -> None:
    listed = {name: entry.sha256 for name, entry in read_manifest(ORIGINAL).files.items()}
    assert listed == {name: hashlib.sha256((ORIGINAL / name).read_bytes()).hexdigest() for name in FILES}


@pytest.mark.parametrize("name", FILES)
def test_one_altered_bit_is_refused(folder: Path, name: str) -> None:
    alter(folder, name)
    with pytest.raises(ModelUnavailableError, match=rf"{name} was altered.*sha256"):
        load_embedded(folder)


@pytest.mark.parametrize("name", FILES)
def test_missing_file_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(ModelUnavailableError, match=rf"{name} is missing; reinstall"):
        load_embedded(folder)


def test_missing_manifest_is_named(folder: Path) -> None:
    (folder / "manifest.json").unlink()
    with pytest.raises(ModelUnavailableError, match=r"missing: manifest\.json"):
        load_embedded(folder)


@pytest.mark.parametrize(
    "change",
    [
        {"rule": {"entailmnet": 0.5}},
        {"rule": {"entailment": 1.5}},
        {"rule": {"entailment": "high"}},
        {"rule": {"temperature": 0}},
        {"rule": {"evidence_sentences": 0}},
        {"nli": {"max_length": 3}},
        {"nli": {"surprise": 1}},
        {"files": {"nli.onnx": {"bytes": 1, "sha256": "short"}}},
    ],
)
def test_malformed_manifest_is_refused(folder: Path, change: dict[str, dict[str, Any]]) -> None:
    edit(folder, change)
    with pytest.raises(ModelUnavailableError, match="malformed"):
        load_embedded(folder)


def test_file_outside_the_list_is_refused(folder: Path) -> None:
    edit(folder, {"nli": {"graph": "other.onnx"}})
    with pytest.raises(ModelUnavailableError, match=r"other\.onnx is not listed"):
        load_embedded(folder)


def test_rule_of_the_manifest_is_the_rule_of_the_models(folder: Path) -> None:
    edit(folder, {"rule": {"entailment": 0.61, "temperature": 1.7}})
    rule = load_embedded(folder).rule
    assert (rule.entailment, rule.temperature) == (0.61, 1.7)


def test_labels_of_the_manifest_decide_the_columns(folder: Path) -> None:
    pair = [("The shop opens at 9.", "The shop opens at 10.")]
    usual = load_embedded(folder).nli.predict(pair)[0]
    edit(folder, {"nli": {"labels": ["neutral", "contradiction", "entailment"]}})
    turned = load_embedded(folder).nli.predict(pair)[0]
    assert np.allclose(turned, usual[[1, 2, 0]])


def test_manifest_without_real_labels_is_refused(folder: Path) -> None:
    edit(folder, {"nli": {"labels": ["LABEL_0", "LABEL_1", "LABEL_2"]}})
    with pytest.raises(ModelUnavailableError, match="LABEL_0"):
        load_embedded(folder)


@pytest.mark.parametrize("module", ["onnxruntime", "tokenizers"])
def test_missing_runtime_is_named(monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    for name in [*sys.modules]:
        if name.startswith(("longtracer.engine.models.session", "longtracer.engine.models.tokens")):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ModelUnavailableError, match=module):
        load_embedded()


def test_status_of_the_shipped_files() -> None:
    status = embedded_status()
    assert (status.name, status.usable, status.languages) == ("embedded", True, {"en"})


def test_status_names_a_missing_file(folder: Path) -> None:
    (folder / "nli.onnx").unlink()
    status = embedded_status(folder)
    assert not status.usable
    assert "nli.onnx" in status.detail


def test_status_without_a_manifest_is_unusable(tmp_path: Path) -> None:
    assert not embedded_status(tmp_path).usable

"""Profiles by name, by environment, by file and as objects."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from longtracer.contracts.errors import InvalidInputError
from longtracer.engine import ModelPair
from longtracer.engine.models import available_profiles, load_embedded, load_models, prepare

HEAVY = ("torch", "transformers", "sentence_transformers", "onnxruntime", "tokenizers")


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LONGTRACER_MODELS", raising=False)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "strict.json"
    path.write_text(json.dumps({"models": "embedded", "rule": {"entailment": 0.8}}), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def embedded() -> ModelPair:
    return load_embedded()


def test_default_is_embedded() -> None:
    assert load_models().name == "embedded"


def test_environment_chooses_when_the_caller_does_not(monkeypatch: pytest.MonkeyPatch, saved: Path) -> None:
    monkeypatch.setenv("LONGTRACER_MODELS", str(saved))
    assert load_models().name == "strict"


def test_caller_outweighs_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LONGTRACER_MODELS", "nonsense")
    assert load_models("embedded").name == "embedded"


def test_empty_environment_variable_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LONGTRACER_MODELS", "")
    assert load_models().name == "embedded"


def test_pair_comes_back_as_it_is(embedded: ModelPair) -> None:
    assert load_models(embedded) is embedded


@pytest.mark.parametrize("name", ["Embedded", "nli", "", "missing.json"])
def test_unknown_profile_lists_the_known_ones(name: str) -> None:
    with pytest.raises(InvalidInputError, match=r"'embedded' or 'standard'"):
        load_models(name)


def test_saved_rule_changes_its_numbers_only(saved: Path, embedded: ModelPair) -> None:
    rule = load_models(str(saved)).rule
    assert (rule.name, rule.entailment) == ("strict", 0.8)
    assert rule.contradiction == embedded.rule.contradiction


def test_saved_rule_may_name_itself(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    path.write_text('{"rule": {"name": "lenient", "entailment": 0.3}}', encoding="utf-8")
    assert load_models(str(path)).rule.name == "lenient"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"models": "gpt"}', "models"),
        ('{"rule": {"entailmnet": 0.3}}', "entailmnet"),
        ('{"rule": {"entailment": 3}}', "probability"),
        ('{"threshold": 0.3}', "threshold"),
        ("{", "JSON"),
    ],
)
def test_unusable_profile_file_is_refused(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "p.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InvalidInputError, match=rf"p\.json is no profile file(.|\n)*{message}"):
        load_models(str(path))


def test_every_profile_has_a_status() -> None:
    assert [status.name for status in available_profiles()] == ["embedded", "standard"]


def test_preparing_embedded_tells_that_it_is_ready() -> None:
    assert prepare("embedded").usable


def test_preparing_an_unknown_profile_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="'best' is no profile"):
        prepare("best")


@pytest.mark.parametrize(
    "code", ["import longtracer.engine.models", "import longtracer.engine.models as m; m.available_profiles()"]
)
def test_no_runtime_is_imported_before_loading(code: str) -> None:
    report = f"{code}; import sys; print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", report], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_embedded_profile_imports_no_torch() -> None:
    report = "from longtracer.engine.models import load_models; load_models('embedded'); import sys; print(sorted("
    report += "{'torch', 'transformers', 'sentence_transformers'} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", report], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

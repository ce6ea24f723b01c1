"""What is kept between calls: embeddings, models, verifiers; each bounded, loaded once, and its own."""

from __future__ import annotations

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import longtracer.engine.models
from longtracer import ModelUnavailableError, ReasonCode, check_case
from longtracer.engine import DeferredModels
from longtracer.engine.embedding_cache import EmbeddingCache
from longtracer.kept_verifiers import KeptVerifiers
from longtracer.testing import scripted_models

LAKE = "The lake is 40 metres deep."
PAIR = scripted_models(lambda premise, hypothesis: "entailment")


def vectors(*texts: str) -> dict[str, np.ndarray]:
    return {text: np.full(4, len(text), dtype=np.float32) for text in texts}


def test_the_cache_forgets_what_was_not_used_for_longest():
    cache = EmbeddingCache(capacity=2)
    cache.keep(vectors("a", "bb"))
    assert set(cache.find(["a", "zz"])) == {"a"}
    cache.keep(vectors("ccc"))
    assert len(cache) == 2
    assert set(cache.find(["a", "bb", "ccc"])) == {"a", "ccc"}


def test_the_cache_keeps_no_matrix_alive():
    matrix = np.ones((1000, 4), dtype=np.float32)
    cache = EmbeddingCache()
    cache.keep({"a": matrix[0]})
    assert cache.find(["a"])["a"].base is None


def test_models_are_loaded_once_by_many_threads(monkeypatch):
    loads = []
    together = threading.Barrier(8)

    def load(spec):
        loads.append(spec)
        threading.Event().wait(0.05)
        return PAIR

    monkeypatch.setattr(longtracer.engine.models, "load_models", load)
    deferred = DeferredModels("embedded")

    def get(_):
        together.wait(20)
        return deferred.get()

    with ThreadPoolExecutor(8) as threads:
        assert set(threads.map(get, range(8))) == {PAIR}
    assert loads == ["embedded"]


def test_a_failure_to_load_is_not_remembered(monkeypatch):
    def fail(spec):
        raise ModelUnavailableError("no weights")

    deferred = DeferredModels("embedded")
    with monkeypatch.context() as patch:
        patch.setattr(longtracer.engine.models, "load_models", fail)
        with pytest.raises(ModelUnavailableError):
            deferred.get()
    monkeypatch.setattr(longtracer.engine.models, "load_models", lambda spec: PAIR)
    assert deferred.get() is PAIR


def test_equal_options_share_a_verifier_and_others_do_not(monkeypatch):
    kept = KeptVerifiers()
    first = kept.get(models=PAIR, max_claims=1)
    assert kept.get(max_claims=1, models=PAIR) is first
    assert kept.get(models=PAIR, max_claims=2) is not first
    plain = kept.get()
    assert kept.get() is plain
    monkeypatch.setenv("LONGTRACER_MODELS", "standard")
    assert kept.get() is not plain


def test_only_a_few_verifiers_are_kept():
    kept = KeptVerifiers(capacity=2)
    first, second = kept.get(models=PAIR, max_claims=1), kept.get(models=PAIR, max_claims=2)
    assert kept.get(models=PAIR, max_claims=1) is first
    kept.get(models=PAIR, max_claims=3)
    assert kept.get(models=PAIR, max_claims=1) is first
    assert kept.get(models=PAIR, max_claims=2) is not second


@pytest.mark.parametrize("options", [{"rule": "no such rule"}, {"max_claims": 0}, {"models": "no such profile"}])
def test_unusable_options_are_an_outcome_of_check_case(options):
    case = check_case(LAKE, [LAKE], case_id="c", **options)
    assert (case.reason, case.case_id) == (ReasonCode.INVALID_INPUT, "c")


STUCK = """
import threading
from longtracer import CitationVerifier
from longtracer.engine import ModelPair
from longtracer.testing import ScriptedNli, WordOverlapEncoder

class Stuck(ScriptedNli):
    def predict(self, pairs):
        threading.Event().wait()

models = ModelPair(encoder=WordOverlapEncoder(), nli=Stuck(lambda p, h: "neutral"))
print(CitationVerifier(models=models).verify_case("The lake is deep.", ["It is deep."], timeout=0.2).execution)
"""


def test_a_stuck_model_does_not_keep_the_interpreter_from_ending():
    done = subprocess.run([sys.executable, "-c", STUCK], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "TIMEOUT"

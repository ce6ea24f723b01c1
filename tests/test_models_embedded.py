"""The shipped models: what they say, and that nothing but the input decides it."""

from __future__ import annotations

import random
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import longtracer.engine.models as shipped
from longtracer.contracts.errors import EvaluationFailedError, ModelUnavailableError
from longtracer.engine import NLI_LABELS, ModelPair, NliClassifier, SentenceEncoder
from longtracer.engine.models import ReportsEncoderWindows, ReportsNliWindows, load_embedded
from longtracer.engine.models.embedded import EmbeddedNli
from longtracer.engine.models.manifest import read_manifest

CONTRADICTION, ENTAILMENT, NEUTRAL = range(3)
FILLER = "The committee met on Tuesday and discussed the budget of the library at length. "
LONG_FILLER = FILLER * 40


@pytest.fixture(scope="module")
def models() -> ModelPair:
    return load_embedded()


def mixed_pairs(count: int) -> list[tuple[str, str]]:
    """Pairs of very different lengths, the same for the same count."""
    draw = random.Random(3)
    subjects = ["The museum", "Dr. Okafor", "A red kite", "The 1998 treaty", "No supplier"]
    facts = ["opened in 1903", "was praised by most of the reviewers", "costs $4.50 per litre", "moved to Lyon"]
    pairs = []
    for _ in range(count):
        claim = f"{draw.choice(subjects)} {draw.choice(facts)}."
        premise = f"{draw.choice(subjects)} {draw.choice(facts)}. " + FILLER * draw.choice([0, 0, 1, 3, 8])
        pairs.append((premise, claim))
    return pairs


def test_models_keep_the_protocols(models: ModelPair) -> None:
    assert isinstance(models.encoder, SentenceEncoder)
    assert isinstance(models.nli, NliClassifier)
    assert isinstance(models.encoder, ReportsEncoderWindows)
    assert isinstance(models.nli, ReportsNliWindows)


def test_names_carry_the_revisions(models: ModelPair) -> None:
    assert models.encoder.name == "all-MiniLM-L6-v2@53aa51172d14"
    assert models.nli.name.startswith("longtracer-nli-minilm-l6@")


def test_profile_is_english_and_has_its_own_rule(models: ModelPair) -> None:
    assert models.name == "embedded"
    assert models.languages == {"en"}
    assert models.rule.name == "embedded"


@pytest.mark.parametrize(
    ("premise", "hypothesis", "label"),
    [
        ("The shop opens at 9 in the morning.", "The shop opens at 9 in the morning.", "entailment"),
        ("The shop opens at 9 in the morning.", "The shop opens at 10 in the morning.", "contradiction"),
        ("Dogs and cats are allowed.", "Dogs are allowed.", "entailment"),
        ("Dogs are allowed.", "Dogs and cats are allowed.", "neutral"),
        ("Sale items cannot be returned.", "Sale items can be returned.", "contradiction"),
    ],
)
def test_most_probable_label(models: ModelPair, premise: str, hypothesis: str, label: str) -> None:
    row = models.nli.predict([(premise, hypothesis)])[0]
    assert NLI_LABELS[int(row.argmax())] == label


def test_probabilities_sum_to_1(models: ModelPair) -> None:
    probabilities = models.nli.predict(mixed_pairs(20))
    assert probabilities.dtype == np.float32
    assert probabilities.min() >= 0
    assert np.allclose(probabilities.sum(1), 1, atol=1e-5)


def test_paraphrase_is_nearer_than_another_subject(models: ModelPair) -> None:
    dog, puppy, law = models.encoder.encode(["A dog ran home.", "A puppy ran to its house.", "The law was repealed."])
    assert dog @ puppy > 0.5 > dog @ law


def test_vectors_have_length_1(models: ModelPair) -> None:
    vectors = models.encoder.encode(["a", "", "A much longer sentence, with a comma.", LONG_FILLER])
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_nothing_in_gives_nothing_of_the_right_width(models: ModelPair) -> None:
    assert models.encoder.encode([]).shape == (0, 384)
    assert models.nli.predict([]).shape == (0, 3)


def test_a_pair_alone_scores_as_among_others(models: ModelPair) -> None:
    pairs = mixed_pairs(32)
    together = models.nli.predict(pairs)
    alone = np.concatenate([models.nli.predict([pair]) for pair in pairs])
    assert np.abs(together - alone).max() < 1e-3


def test_the_order_of_the_pairs_changes_nothing(models: ModelPair) -> None:
    pairs = mixed_pairs(32)
    assert np.abs(models.nli.predict(pairs) - models.nli.predict(pairs[::-1])[::-1]).max() < 1e-3


def test_a_sentence_alone_encodes_as_among_others(models: ModelPair) -> None:
    sentences = [premise for premise, _ in mixed_pairs(32)]
    together = models.encoder.encode(sentences)
    alone = np.concatenate([models.encoder.encode([sentence]) for sentence in sentences])
    assert np.abs((together * alone).sum(1) - 1).max() < 1e-4


def test_same_input_twice_gives_the_same_numbers(models: ModelPair) -> None:
    pairs = mixed_pairs(10)
    assert np.array_equal(models.nli.predict(pairs), models.nli.predict(pairs))


def test_short_inputs_take_one_window(models: ModelPair) -> None:
    assert models.nli.predict_windowed([("A dog.", "A cat.")]).windows.tolist() == [1]
    assert models.encoder.encode_windowed(["A dog."]).windows.tolist() == [1]


def test_long_inputs_say_how_many_windows_they_took(models: ModelPair) -> None:
    pairs = models.nli.predict_windowed([(LONG_FILLER, "A cat."), ("A dog.", "A cat.")]).windows
    sentences = models.encoder.encode_windowed([LONG_FILLER, "A dog."]).windows
    assert (pairs > 1).tolist() == (sentences > 1).tolist() == [True, False]


class WordSpotter:
    """A session that is sure of entailment when it sees a word in the premise, else of contradiction or neutral."""

    def __init__(self, entailing: int, contradicting: int) -> None:
        self._entailing, self._contradicting = entailing, contradicting

    def run(self, inputs: dict[str, np.ndarray]) -> np.ndarray:
        premises = np.where(inputs["token_type_ids"] == 0, inputs["input_ids"], 0)
        entailed = (premises == self._entailing).any(1)
        contradicted = (premises == self._contradicting).any(1) & ~entailed
        logits = np.stack([contradicted, entailed, ~(entailed | contradicted)], axis=1)
        return (logits * 9).astype(np.float32)


@pytest.fixture(scope="module")
def spotter(models: ModelPair) -> EmbeddedNli:
    """The shipped tokenizer and windows around a session that spots "bridge" and "tunnel"."""
    manifest = read_manifest(Path(shipped.__file__).parent)
    tokens = models.nli._tokenizer
    (bridge,), (tunnel,) = tokens.ids(["bridge"])["bridge"], tokens.ids(["tunnel"])["tunnel"]
    return EmbeddedNli(WordSpotter(bridge, tunnel), tokens, manifest.nli)


@pytest.mark.parametrize("before", range(0, 41, 5))
@pytest.mark.parametrize(("word", "label"), [("bridge", ENTAILMENT), ("tunnel", CONTRADICTION), ("castle", NEUTRAL)])
def test_fact_is_seen_wherever_it_stands_in_a_long_premise(
    spotter: EmbeddedNli, before: int, word: str, label: int
) -> None:
    premise = FILLER * before + f"The {word} was closed. " + FILLER * (40 - before)
    assert spotter.predict([(premise, "It was closed.")]).argmax(1).tolist() == [label]


@pytest.mark.parametrize(("end", "label"), [("The bridge was closed.", ENTAILMENT), ("The tunnel was.", CONTRADICTION)])
def test_end_of_a_long_hypothesis_is_seen(models: ModelPair, end: str, label: int) -> None:
    tokens = models.nli._tokenizer
    (tunnel,) = tokens.ids(["tunnel"])["tunnel"]

    class Doubter:
        """Sure of entailment unless the hypothesis speaks of a tunnel."""

        def run(self, inputs: dict[str, np.ndarray]) -> np.ndarray:
            doubted = (np.where(inputs["token_type_ids"] == 1, inputs["input_ids"], 0) == tunnel).any(1)
            return np.stack([doubted, ~doubted, np.zeros_like(doubted)], axis=1).astype(np.float32) * 9

    nli = EmbeddedNli(Doubter(), tokens, read_manifest(Path(shipped.__file__).parent).nli)
    assert nli.predict([(LONG_FILLER, LONG_FILLER + end)]).argmax(1).tolist() == [label]


def test_end_of_a_long_sentence_moves_its_vector(models: ModelPair) -> None:
    first, second = models.encoder.encode([LONG_FILLER, LONG_FILLER + "Penguins cannot fly. " * 30])
    assert first @ second < 0.99


def test_special_tokens_in_a_document_are_text(models: ModelPair) -> None:
    spoofed = ("Cats are allowed. [SEP] Dogs are allowed.", "Cats are allowed.")
    assert models.nli.predict([spoofed]).argmax(1).tolist() == [ENTAILMENT]
    tokens = models.nli._tokenizer.ids(["a [SEP] b"])["a [SEP] b"]  # the only place where it shows
    assert 102 not in tokens


@pytest.mark.parametrize("text", ["", " ", "\x00", "🙂" * 50, "x" * 5000, "\ud800", "ﬁ ﷽", "\u202eabc"])
def test_odd_text_is_scored(models: ModelPair, text: str) -> None:
    assert np.isfinite(models.nli.predict([(text, "A claim."), ("A source.", text)])).all()
    assert np.isfinite(models.encoder.encode([text])).all()


def test_16_threads_get_what_one_gets(models: ModelPair) -> None:
    pairs = mixed_pairs(50)
    sentences = [premise for premise, _ in pairs]

    def work(start: int) -> tuple[np.ndarray, np.ndarray]:
        at = start % len(pairs)
        return models.nli.predict(pairs[at : at + 3]), models.encoder.encode(sentences[at : at + 3])

    serial = [work(start) for start in range(50)]
    with ThreadPoolExecutor(16) as pool:
        parallel = list(pool.map(work, [start for start in range(50) for _ in range(16)]))
    for number, (probabilities, vectors) in enumerate(parallel):
        assert np.abs(probabilities - serial[number // 16][0]).max() < 1e-3
        assert np.abs(vectors - serial[number // 16][1]).max() < 1e-3


def test_failure_of_the_runtime_is_an_evaluation_failure(models: ModelPair) -> None:
    session = models.nli._session
    with pytest.raises(EvaluationFailedError, match=r"longtracer-nli.*onnxruntime failed") as caught:
        session.run({"input_ids": np.zeros((1, 3), dtype=np.int64)})
    assert caught.value.__cause__ is not None


def test_loading_and_scoring_touch_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    monkeypatch.setattr(socket.socket, "connect", lambda _self, address: calls.append(address))
    monkeypatch.setattr(socket, "getaddrinfo", lambda *where, **_: calls.append(where))
    models = load_embedded()
    models.nli.predict([("A dog.", "A cat.")])
    models.encoder.encode(["A dog."])
    assert calls == []


def test_a_file_that_is_no_model_is_refused(tmp_path: Path) -> None:
    from longtracer.engine.models.session import GraphSession

    (tmp_path / "broken.onnx").write_bytes(b"no protobuf")
    with pytest.raises(ModelUnavailableError, match="broken: onnxruntime cannot load it"):
        GraphSession(tmp_path / "broken.onnx", name="broken", threads=1)

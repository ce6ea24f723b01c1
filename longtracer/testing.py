"""Small deterministic models for tests of applications: no weights, no runtime, the same answer every time."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Sequence

import numpy as np

from .engine.models.labels import label_columns
from .engine.protocols import FloatArray, ModelPair
from .engine.rule import SPEC_RULE, DecisionRule

__all__ = ["ScriptedNli", "WordOverlapEncoder", "scripted_models"]

_WORD = re.compile(r"\w+")
_DEFAULT_LABELS = ("contradiction", "entailment", "neutral")


class WordOverlapEncoder:
    """Embeds a sentence as its bag of words, hashed into `width` buckets: cosine is word overlap."""

    def __init__(self, width: int = 512) -> None:
        self.name = f"word-overlap-{width}"
        self._width = width

    def encode(self, sentences: Sequence[str]) -> FloatArray:
        """Shape (n, width), float32, rows of length 1 (a sentence without words has length 0)."""
        vectors = np.zeros((len(sentences), self._width), dtype=np.float32)
        for row, sentence in enumerate(sentences):
            for word in _WORD.findall(sentence.casefold()):
                vectors[row, zlib.crc32(word.encode()) % self._width] += 1.0
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        unit: FloatArray = (vectors / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)
        return unit


class ScriptedNli:
    """Answers with the label that `judge(premise, hypothesis)` names, at probability `certainty`.

    `labels` are the imagined model's own labels in the order of its outputs. `predict` reorders its columns the
    way a real classifier's are, so that a test with another order proves that nothing guesses it.

    Raises:
        ModelUnavailableError: when `labels` are not the three NLI labels.
    """

    def __init__(
        self,
        judge: Callable[[str, str], str],
        *,
        labels: Sequence[str] = _DEFAULT_LABELS,
        certainty: float = 0.98,
    ) -> None:
        self.name = "scripted-nli"
        self.calls: list[list[tuple[str, str]]] = []
        self._judge = judge
        self._labels = [label.casefold() for label in labels]
        self._columns = label_columns(labels, model=self.name)
        self._certainty = certainty

    def predict(self, pairs: Sequence[tuple[str, str]]) -> FloatArray:
        """Probabilities in the order of `NLI_LABELS`, shape (n, 3)."""
        self.calls.append(list(pairs))
        own = np.full((len(pairs), 3), (1 - self._certainty) / 2, dtype=np.float32)
        for row, (premise, hypothesis) in enumerate(pairs):
            own[row, self._labels.index(self._judge(premise, hypothesis))] = self._certainty
        reordered: FloatArray = own[:, list(self._columns)]
        return reordered


def scripted_models(judge: Callable[[str, str], str], *, rule: DecisionRule = SPEC_RULE) -> ModelPair:
    """A pair of the two models above, for `CitationVerifier(models=...)`."""
    return ModelPair(encoder=WordOverlapEncoder(), nli=ScriptedNli(judge), rule=rule, name="scripted")

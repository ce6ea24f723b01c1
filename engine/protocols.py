"""What the engine needs from a model, and the pair of models a verifier runs on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from .rule import SPEC_RULE, DecisionRule

__all__ = ["NLI_LABELS", "FloatArray", "ModelPair", "NliClassifier", "SentenceEncoder"]

FloatArray = npt.NDArray[np.float32]

NLI_LABELS: tuple[str, str, str] = ("contradiction", "entailment", "neutral")
"""The column order of `NliClassifier.predict`, whatever order the model itself was trained with."""


@runtime_checkable
class SentenceEncoder(Protocol):
    """Turns sentences into unit vectors, so that a dot product is a cosine similarity."""

    @property
    def name(self) -> str:
        """Model and revision, as reported in `case.metadata["models"]`."""
        ...

    def encode(self, sentences: Sequence[str]) -> FloatArray:
        """Embed `sentences`: shape (n, d), float32, rows of length 1. An empty input gives (0, d)."""
        ...


@runtime_checkable
class NliClassifier(Protocol):
    """Scores (premise, hypothesis) pairs."""

    @property
    def name(self) -> str:
        """Model and revision, as reported in `case.metadata["models"]`."""
        ...

    def predict(self, pairs: Sequence[tuple[str, str]]) -> FloatArray:
        """Probabilities of `NLI_LABELS` for each pair: shape (n, 3), rows summing to 1."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPair:
    """The encoder and the classifier of one profile, with the rule calibrated for them.

    `languages` holds the ISO 639-1 codes the pair was trained for; an empty set means any language.
    """

    encoder: SentenceEncoder
    nli: NliClassifier
    rule: DecisionRule = SPEC_RULE
    name: str = "custom"
    languages: frozenset[str] = frozenset()

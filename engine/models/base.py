"""What a model may offer beyond the protocols: saying that a text was too long for one pass.

A text longer than a model's window is never cut off. It is read in overlapping windows, and a model that does
so tells the engine how many it took, so that the engine can note it in the result. Both protocols are optional:
a model of the caller's own without these methods is used through `encode` and `predict` alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from longtracer.engine.protocols import FloatArray

__all__ = ["IntArray", "ReportsEncoderWindows", "ReportsNliWindows", "Windowed"]

IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Windowed:
    """Scores of n inputs, and how many windows each input took.

    values   what `encode` or `predict` returns for the same inputs: (n, d) or (n, 3), float32
    windows  (n,) int64; 1 for an input that fitted, more for one that was windowed
    """

    values: FloatArray
    windows: IntArray


@runtime_checkable
class ReportsEncoderWindows(Protocol):
    """A sentence encoder that tells which sentences did not fit its window.

    The vector of a windowed sentence is the mean of its windows' vectors, weighted by their tokens, at length 1.
    """

    def encode_windowed(self, sentences: Sequence[str]) -> Windowed:
        """As `SentenceEncoder.encode`, with the number of windows of each sentence."""
        ...


@runtime_checkable
class ReportsNliWindows(Protocol):
    """A classifier that tells which pairs did not fit its window.

    The premise is windowed and the hypothesis kept whole in each window. Of the windows that are most probably
    entailment, the one with the highest p(entailment) speaks for the pair; without any, of those that are most
    probably a contradiction the one with the highest p(contradiction); else the one with the highest
    p(entailment). A hypothesis too long to leave room for a premise is windowed too. A contradicted part then
    speaks for it, else the least entailed one: a claim is entailed only as a whole.
    """

    def predict_windowed(self, pairs: Sequence[tuple[str, str]]) -> Windowed:
        """As `NliClassifier.predict`, with the number of windows of each pair."""
        ...

"""From what a network puts out to what the protocols promise. Pure functions, shared by the profiles."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from longtracer.engine.protocols import FloatArray

from .base import Windowed
from .windows import merge_pair, merge_vectors

__all__ = ["label_probabilities", "pairs_of_windows", "sentences_of_windows"]


def label_probabilities(logits: FloatArray, columns: Sequence[int]) -> FloatArray:
    """Softmax of (n, 3) logits, its columns in the order of `NLI_LABELS`."""
    shifted = np.exp(logits - logits.max(axis=1, keepdims=True))
    probabilities: FloatArray = (shifted / shifted.sum(axis=1, keepdims=True))[:, list(columns)]
    return probabilities.astype(np.float32, copy=False)


def pairs_of_windows(probabilities: FloatArray, parts: Sequence[Sequence[int]]) -> Windowed:
    """One row a pair, from one row a window; `parts` holds the part of the hypothesis of each window of each pair."""
    counts = np.array([len(windows) for windows in parts], dtype=np.int64)
    values = np.empty((len(parts), probabilities.shape[1]), dtype=np.float32)
    for number, (rows, windows) in enumerate(zip(_groups(probabilities, counts), parts, strict=True)):
        values[number] = merge_pair(rows, windows) if len(windows) > 1 else rows[0]
    return Windowed(values, counts)


def sentences_of_windows(vectors: FloatArray, sizes: Sequence[Sequence[int]]) -> Windowed:
    """One vector a sentence, from one a window; `sizes` weighs the windows of each sentence."""
    counts = np.array([len(windows) for windows in sizes], dtype=np.int64)
    values = np.empty((len(sizes), vectors.shape[1]), dtype=np.float32)
    for number, (rows, windows) in enumerate(zip(_groups(vectors, counts), sizes, strict=True)):
        values[number] = merge_vectors(rows, windows) if len(windows) > 1 else rows[0]
    return Windowed(values, counts)


def _groups(rows: FloatArray, counts: np.ndarray) -> list[FloatArray]:
    ends = np.cumsum(counts)
    return [rows[end - count : end] for end, count in zip(ends, counts, strict=True)]

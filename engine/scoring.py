"""Calls the models and lets nothing through that is not a score."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from longtracer.contracts import EvaluationFailedError, EvaluatorError

from .models.base import ReportsNliWindows
from .protocols import FloatArray, NliClassifier, SentenceEncoder

__all__ = ["NliScores", "embed", "entail"]

_ROW_SUM_TOLERANCE = 0.01
_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class NliScores:
    """Probabilities of `NLI_LABELS` for n pairs, shape (n, 3), and which pairs were read in windows."""

    rows: FloatArray
    windowed: tuple[bool, ...]


def embed(encoder: SentenceEncoder, sentences: Sequence[str]) -> FloatArray:
    """Unit vectors of `sentences`, shape (n, d).

    Raises:
        EvaluationFailedError: when the encoder raises, or returns NaN or another shape.
    """
    if not sentences:
        return np.zeros((0, 1), dtype=np.float32)
    vectors = _array(_guarded(lambda: encoder.encode(list(sentences)), encoder.name), encoder.name)
    if vectors.ndim != 2 or vectors.shape[0] != len(sentences) or vectors.shape[1] == 0:
        raise EvaluationFailedError(
            f"{encoder.name} returned shape {vectors.shape} for {len(sentences)} sentences, not (n, d)"
        )
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: FloatArray = (vectors / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)
    return unit


def entail(nli: NliClassifier, pairs: Sequence[tuple[str, str]]) -> NliScores:
    """Score `pairs` in one call of the model.

    Raises:
        EvaluationFailedError: when the model raises, or returns NaN, another shape, or rows that are no
            probabilities.
    """
    if not pairs:
        return NliScores(np.zeros((0, 3), dtype=np.float32), ())
    value, windows = _guarded(lambda: _predict(nli, list(pairs)), nli.name)
    rows = _array(value, nli.name)
    if rows.shape != (len(pairs), 3):
        raise EvaluationFailedError(f"{nli.name} returned shape {rows.shape} for {len(pairs)} pairs, not (n, 3)")
    off = np.abs(rows.sum(axis=1) - 1.0).max()
    if rows.min() < -_ROW_SUM_TOLERANCE or off > _ROW_SUM_TOLERANCE:
        raise EvaluationFailedError(f"{nli.name} returned rows that are no probabilities")
    return NliScores(np.clip(rows, 0.0, 1.0), tuple(count > 1 for count in windows))


def _predict(nli: NliClassifier, pairs: list[tuple[str, str]]) -> tuple[object, Sequence[int]]:
    if isinstance(nli, ReportsNliWindows):
        found = nli.predict_windowed(pairs)
        return found.values, found.windows.tolist()
    return nli.predict(pairs), [1] * len(pairs)


def _guarded(call: Callable[[], _Result], name: str) -> _Result:
    try:
        return call()
    except EvaluatorError:
        raise
    except Exception as error:
        raise EvaluationFailedError(f"{name} failed while scoring: {type(error).__name__}: {error}") from error


def _array(value: object, name: str) -> FloatArray:
    try:
        array: npt.NDArray[np.float32] = np.asarray(value, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise EvaluationFailedError(f"{name} returned something that is no array of numbers") from error
    if not np.isfinite(array).all():
        raise EvaluationFailedError(f"{name} returned NaN or infinite scores")
    return array

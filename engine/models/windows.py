"""Long texts as overlapping windows of tokens, and one answer from the answers of the windows. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from longtracer.engine.protocols import NLI_LABELS, FloatArray

__all__ = ["PairWindow", "merge_pair", "merge_vectors", "pair_windows", "spans"]

_CONTRADICTION = NLI_LABELS.index("contradiction")
_ENTAILMENT = NLI_LABELS.index("entailment")


class PairWindow(NamedTuple):
    """One window of a pair: which part of the hypothesis, with which tokens of each text (start, end)."""

    part: int
    premise: tuple[int, int]
    hypothesis: tuple[int, int]


def spans(length: int, size: int) -> list[tuple[int, int]]:
    """Windows of at most `size` tokens covering `length`, neighbours sharing a quarter; one window if it fits."""
    if length <= size:
        return [(0, length)]
    stride = max(1, size - size // 4)
    starts = range(0, length - size + stride, stride)
    return [(min(start, length - size), min(start, length - size) + size) for start in starts]


def pair_windows(premise: int, hypothesis: int, room: int) -> list[PairWindow]:
    """Windows of a pair of token counts whose two texts may take `room` tokens together.

    The hypothesis stays whole while it leaves half of the room to the premise.
    """
    if premise + hypothesis <= room:
        return [PairWindow(0, (0, premise), (0, hypothesis))]
    parts = spans(hypothesis, room - min(premise, room // 2))
    return [
        PairWindow(number, window, part)
        for number, part in enumerate(parts)
        for window in spans(premise, room - (part[1] - part[0]))
    ]


def merge_vectors(vectors: FloatArray, tokens: Sequence[int]) -> FloatArray:
    """(windows, d) unit vectors to one (d,) unit vector, each window weighted by its tokens."""
    mean = np.average(vectors, axis=0, weights=np.asarray(tokens, dtype=np.float32)).astype(np.float32)
    norm = float(np.linalg.norm(mean))
    return mean / np.float32(norm) if norm > 0 else vectors[0]


def merge_pair(probabilities: FloatArray, parts: Sequence[int]) -> FloatArray:
    """(windows, 3) probabilities to the (3,) row that speaks for the pair.

    Within a part of the hypothesis the best premise window speaks; among parts the least entailed does.
    """
    numbers = np.asarray(parts)
    spoken = np.stack([_best_window(probabilities[numbers == part]) for part in np.unique(numbers)])
    return _weakest_part(spoken)


def _best_window(rows: FloatArray) -> FloatArray:
    likely = rows.argmax(axis=1)
    for label in (_ENTAILMENT, _CONTRADICTION):
        candidates = rows[likely == label]
        if len(candidates):
            return _row(candidates, int(candidates[:, label].argmax()))
    return _row(rows, int(rows[:, _ENTAILMENT].argmax()))


def _weakest_part(rows: FloatArray) -> FloatArray:
    contradicted = rows[rows.argmax(axis=1) == _CONTRADICTION]
    if len(contradicted):
        return _row(contradicted, int(contradicted[:, _CONTRADICTION].argmax()))
    return _row(rows, int(rows[:, _ENTAILMENT].argmin()))


def _row(rows: FloatArray, index: int) -> FloatArray:
    row: FloatArray = rows[index]
    return row

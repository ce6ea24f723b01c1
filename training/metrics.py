"""Figures of merit for probabilities of being entailed. All arrays are (n,)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


def balanced_accuracy(predicted: Bools, truth: Bools) -> float:
    """Mean of the recalls of both classes; NaN when one class is absent."""
    if truth.all() or not truth.any():
        return float("nan")
    return float((predicted[truth].mean() + (~predicted[~truth]).mean()) / 2)


def auroc(scores: Floats, truth: Bools) -> float:
    """Chance that a true row scores above a false one, ties counting half; NaN when one class is absent."""
    positives, negatives = int(truth.sum()), int((~truth).sum())
    if not positives or not negatives:
        return float("nan")
    _, inverse, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    return float((ranks[truth].sum() - positives * (positives + 1) / 2) / (positives * negatives))


def expected_calibration_error(scores: Floats, truth: Bools, bins: int = 10) -> float:
    """Mean gap between stated and observed frequency over equal-width bins, weighted by bin size."""
    bin_of = np.minimum((scores * bins).astype(int), bins - 1)
    gaps = [
        abs(scores[bin_of == index].sum() - truth[bin_of == index].sum())
        for index in range(bins)
        if (bin_of == index).any()
    ]
    return float(sum(gaps) / len(scores))

"""Figures of merit for verdicts on answers, with bootstrap intervals. Arrays have shape (n,), one entry an answer."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = [
    "Bools",
    "Floats",
    "Measure",
    "auroc",
    "balanced_accuracy",
    "bootstrap",
    "calibration_error",
    "f1_of",
    "reliability",
]

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Indices = npt.NDArray[np.intp]

_LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Measure:
    """A figure and the ends of its 95 % bootstrap interval; NaN where it is not defined."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        if math.isnan(self.value):
            return "-"
        return f"{self.value:.3f} ({self.low:.3f}-{self.high:.3f})"


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Scores between `low` and `high`: their mean, the share of them that is true, and how many there are."""

    low: float
    high: float
    stated: float
    observed: float
    count: int


def balanced_accuracy(flagged: Bools, hallucinated: Bools) -> float:
    """The mean of the share of hallucinated answers flagged and of grounded ones passed; NaN when a class is absent."""
    if hallucinated.all() or not hallucinated.any():
        return math.nan
    return float(flagged[hallucinated].mean() + (~flagged[~hallucinated]).mean()) / 2


def f1_of(flagged: Bools, hallucinated: Bools) -> float:
    """F1 of the hallucinated class; NaN when nothing is hallucinated and nothing flagged."""
    total = int(flagged.sum() + hallucinated.sum())
    return 2 * int((flagged & hallucinated).sum()) / total if total else math.nan


def auroc(scores: Floats, truth: Bools) -> float:
    """The chance that a true entry scores above a false one, ties counting half; NaN when a class is absent."""
    positives, negatives = int(truth.sum()), int((~truth).sum())
    if not positives or not negatives:
        return math.nan
    _, inverse, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    return float((ranks[truth].sum() - positives * (positives + 1) / 2) / (positives * negatives))


def reliability(scores: Floats, truth: Bools, bins: int = 10) -> tuple[ReliabilityBin, ...]:
    """The non-empty ones of `bins` equal-width bins of probabilities."""
    place = np.minimum((scores * bins).astype(int), bins - 1)
    return tuple(
        ReliabilityBin(n / bins, (n + 1) / bins, float(scores[at].mean()), float(truth[at].mean()), int(at.sum()))
        for n in range(bins)
        if (at := place == n).any()
    )


def calibration_error(scores: Floats, truth: Bools, bins: int = 10) -> float:
    """Expected calibration error: the mean gap between stated and observed frequency, bins weighted by size."""
    if not len(scores):
        return math.nan
    return sum(abs(each.stated - each.observed) * each.count for each in reliability(scores, truth, bins)) / len(scores)


def bootstrap(measure: Callable[[Indices], float], n: int, *, rounds: int = 500, seed: int = 0) -> Measure:
    """`measure` of all n entries, with the interval from `rounds` resamples of their indices."""
    value = measure(np.arange(n)) if n else math.nan
    if math.isnan(value):
        return Measure(math.nan, math.nan, math.nan)
    rng = np.random.default_rng(seed)
    found = np.array([measure(rng.integers(0, n, n)) for _ in range(rounds)])
    low, high = np.nanquantile(found, [(1 - _LEVEL) / 2, (1 + _LEVEL) / 2])
    return Measure(value, float(low), float(high))

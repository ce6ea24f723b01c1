"""The two figures of the quality benchmark, as PNG files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib import pyplot

from longtracer.metrics import Bools, Floats, calibration_error, reliability

matplotlib.use("Agg")

Curve = tuple[Floats, Bools]
"""Scores and what is true of them, each of shape (n,)."""


def reliability_plot(curves: Mapping[str, Curve], path: Path) -> None:
    """Stated against observed frequency of entailment; the size of a point grows with the pairs in its bin."""
    figure, axes = pyplot.subplots(figsize=(4.6, 4.4))
    axes.plot([0, 1], [0, 1], color="0.7", linewidth=1, label="perfect")
    for name, (scores, truth) in curves.items():
        bins = reliability(scores, truth)
        line = axes.plot([b.stated for b in bins], [b.observed for b in bins], linewidth=1)[0]
        sizes = [12 + 300 * b.count / len(scores) for b in bins]
        error = calibration_error(scores, truth)
        label = f"{name} (ECE {error:.3f})"
        axes.scatter([b.stated for b in bins], [b.observed for b in bins], s=sizes, color=line.get_color(), label=label)
    axes.set(xlabel="p(entailment)", ylabel="share entailed", xlim=(0, 1), ylim=(0, 1), title="Reliability, NLI pairs")
    axes.legend(fontsize=8)
    _write(figure, path)


def precision_recall_plot(curves: Mapping[str, Curve], path: Path) -> None:
    """Precision and recall of flagging hallucinated answers as the threshold on the weakest claim moves."""
    figure, axes = pyplot.subplots(figsize=(7.4, 4.4))
    for name, (scores, grounded) in curves.items():
        order = np.argsort(scores, kind="stable")
        hit = np.cumsum(~grounded[order])
        flagged = np.arange(1, len(order) + 1)
        last = np.append(np.diff(scores[order]) > 0, True)
        axes.plot((hit / max(hit[-1], 1))[last], (hit / flagged)[last], label=name, linewidth=1.2)
    axes.set(xlabel="recall (hallucinated answers flagged)", ylabel="precision", xlim=(0, 1), ylim=(0.4, 1.01))
    axes.set_title("Precision and recall, half of the answers hallucinated")
    axes.legend(fontsize=8, loc="upper left", bbox_to_anchor=(1.02, 1.0))
    _write(figure, path)


def _write(figure: pyplot.Figure, path: Path) -> None:
    figure.tight_layout()
    figure.savefig(path, dpi=130, metadata={"Software": None})
    pyplot.close(figure)

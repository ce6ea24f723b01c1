"""Fits one temperature on development pairs: `python -m training.temperature --checkpoint DIR --data DIR`."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from training.evaluate import sample
from training.metrics import expected_calibration_error
from training.pairs import read_pairs
from training.predict import Predictor, softmax

FITTED_ON = ("mnli_dev_mismatched_gold", "begin", "halueval_qa", "q2_wow", "summedits", "wice_claim_test_chunks")
GRID = np.arange(0.5, 3.01, 0.05)


def log_loss(logits: NDArray[np.float64], truth: NDArray[np.bool_], temperature: float) -> float:
    """Mean binary log loss of the entailment probability."""
    entailed = np.clip(softmax(logits, temperature)[:, 1], 1e-6, 1 - 1e-6)
    return float(-np.where(truth, np.log(entailed), np.log(1 - entailed)).mean())


def fit(groups: list[tuple[NDArray[np.float64], NDArray[np.bool_]]]) -> float:
    """The temperature of the grid with the least loss, each group of pairs counting the same."""
    losses = [np.mean([log_loss(logits, truth, t) for logits, truth in groups]) for t in GRID]
    return float(GRID[int(np.argmin(losses))])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--rows", type=int, default=600)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    predictor = Predictor.from_folder(arguments.checkpoint, bf16=True)
    groups = []
    for name in FITTED_ON:
        pairs = sample(read_pairs(arguments.data / "dev" / f"{name}.jsonl.gz"), arguments.rows)
        groups.append((predictor.logits(pairs), np.array([pair.supported for pair in pairs])))
    temperature = fit(groups)
    print(f"temperature {temperature:.2f}")
    for name, (logits, truth) in zip(FITTED_ON, groups, strict=True):
        raw, fitted = (expected_calibration_error(softmax(logits, t)[:, 1], truth) for t in (1.0, temperature))
        print(f"{name:28} ECE {raw:.3f} -> {fitted:.3f}")


if __name__ == "__main__":
    main()

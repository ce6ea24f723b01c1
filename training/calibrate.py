"""What the layers of a model see: second moments of their inputs over calibration texts."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from transformers import AutoModel, AutoTokenizer

from training.pairs import read_pairs

Moments = dict[str, npt.NDArray[np.float64]]
Texts = Sequence[tuple[str, ...]]

_BATCH = 16
_MAX_TOKENS = 200


def calibration_pairs(path: Path, count: int) -> list[tuple[str, str]]:
    """`count` premise-hypothesis pairs of a gzipped JSON-lines file, drawn with a fixed seed."""
    pairs = read_pairs(path)
    return [(pair.premise, pair.hypothesis) for pair in random.Random(0).sample(pairs, min(count, len(pairs)))]


def input_moments(folder: Path, texts: Texts) -> Moments:
    """For every linear layer of a BERT body, by its name there: the mean outer product of its inputs.

    `texts` holds pairs for a classifier and single sentences, as 1-tuples, for an encoder.
    """
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModel.from_pretrained(folder, dtype=torch.float32, add_pooling_layer=False).eval()
    recorder = _Recorder()
    for name, layer in model.named_modules():
        if isinstance(layer, torch.nn.Linear):
            layer.register_forward_pre_hook(recorder.hook(name))
    with torch.inference_mode():
        for start in range(0, len(texts), _BATCH):
            columns = [list(column) for column in zip(*texts[start : start + _BATCH], strict=True)]
            batch = tokenizer(*columns, padding="longest", truncation=True, max_length=_MAX_TOKENS, return_tensors="pt")
            recorder.real = batch["attention_mask"].flatten().bool()
            model(**batch)
    return recorder.moments()


class _Recorder:
    """Sums outer products of the inputs of the real tokens."""

    def __init__(self) -> None:
        self.real = torch.empty(0, dtype=torch.bool)
        self._sums: dict[str, torch.Tensor] = {}
        self._counts: dict[str, int] = {}

    def hook(self, name: str):  # type: ignore[no-untyped-def]  # torch has no name for a pre-hook
        def record(_layer: torch.nn.Module, inputs: tuple[torch.Tensor, ...]) -> None:
            rows = inputs[0].flatten(0, -2)[self.real]
            self._sums[name] = self._sums.get(name, torch.zeros((), dtype=torch.float64)) + rows.T @ rows
            self._counts[name] = self._counts.get(name, 0) + len(rows)

        return record

    def moments(self) -> Moments:
        return {name: (total / self._counts[name]).numpy() for name, total in self._sums.items()}

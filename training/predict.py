"""Probabilities of many pairs at once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer

from training.batches import collate, cut, encode, load_tokenizer
from training.model import forward, load
from training.pairs import Pair


class Predictor:
    """A checkpoint and its tokenizer."""

    def __init__(self, model: Any, tokenizer: Tokenizer, *, bf16: bool = False) -> None:
        self._model = model
        self._tokenizer = tokenizer
        self._bf16 = bf16

    @classmethod
    def from_folder(cls, folder: Path, *, max_length: int = 256, bf16: bool = False) -> Predictor:
        return cls(load(folder), load_tokenizer(folder, max_length), bf16=bf16)

    def logits(self, pairs: Sequence[Pair]) -> NDArray[np.float64]:
        """(n, 3), in the order of the pairs."""
        rows = encode(self._tokenizer, pairs)
        order = sorted(range(len(rows)), key=lambda index: len(rows[index].ids))
        result = np.zeros((len(rows), 3))
        done = 0
        self._model.eval()
        with torch.inference_mode():
            for group in cut([rows[index] for index in order], 8192, 128):
                values = forward(self._model, collate(group), bf16=self._bf16)
                result[order[done : done + len(group)]] = values.numpy()
                done += len(group)
        return result


def softmax(logits: NDArray[np.float64], temperature: float = 1.0) -> NDArray[np.float64]:
    """Probabilities (n, 3) of logits (n, 3)."""
    scaled = logits / temperature
    powers = np.exp(scaled - scaled.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float64)

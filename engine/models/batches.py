"""Token sequences of mixed length as padded arrays, with little padding. Pure functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from longtracer.engine.protocols import FloatArray

from .base import IntArray

__all__ = ["TOKEN_BUDGET", "TokenRow", "length_sorted_batches", "padded", "run_sorted"]

TOKEN_BUDGET = 512
"""Padded tokens of one batch: enough rows for the matrix kernels, activations that stay in the cache."""


class TokenRow(NamedTuple):
    """One input of a model: its token ids, and how many of them belong to the first text."""

    ids: Sequence[int]
    first: int


def length_sorted_batches(lengths: Sequence[int], budget: int = TOKEN_BUDGET) -> list[list[int]]:
    """Indices of the inputs, shortest first, in batches whose padded size stays within `budget` tokens.

    An input longer than the budget is a batch of its own.
    """
    batches: list[list[int]] = []
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batches and (len(batches[-1]) + 1) * lengths[index] <= budget:
            batches[-1].append(index)
        else:
            batches.append([index])
    return batches


def padded(rows: Sequence[TokenRow]) -> dict[str, IntArray]:
    """The inputs of a BERT graph for `rows`: three int64 arrays (rows, longest row), zero where padded."""
    shape = (len(rows), max(len(row.ids) for row in rows))
    ids, types, mask = (np.zeros(shape, dtype=np.int64) for _ in range(3))
    for number, row in enumerate(rows):
        size = len(row.ids)
        ids[number, :size] = row.ids
        types[number, row.first : size] = 1
        mask[number, :size] = 1
    return {"input_ids": ids, "token_type_ids": types, "attention_mask": mask}


def run_sorted(rows: Sequence[TokenRow], run: Callable[[dict[str, IntArray]], FloatArray], width: int) -> FloatArray:
    """Run every row through `run` in length-sorted batches; (rows, width) float32 in the order given."""
    outputs = np.empty((len(rows), width), dtype=np.float32)
    for batch in length_sorted_batches([len(row.ids) for row in rows]):
        outputs[batch] = run(padded([rows[index] for index in batch]))
    return outputs

"""Turns pairs into padded batches of similar length, so that little arithmetic is spent on padding."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

from training.pairs import Pair


@dataclass(frozen=True, slots=True)
class Batch:
    """`ids`, `types` and `mask` are (rows, length) int64; `targets` is (rows,) int64, 3 = not entailed."""

    ids: torch.Tensor
    types: torch.Tensor
    mask: torch.Tensor
    targets: torch.Tensor


@dataclass(frozen=True, slots=True)
class Encoded:
    """One pair as token ids; the second segment starts at `split`."""

    ids: list[int]
    split: int
    target: int


def load_tokenizer(folder: Path, max_length: int) -> Tokenizer:
    """The checkpoint's tokenizer, cutting the longer side first and never padding."""
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.enable_truncation(max_length, strategy="longest_first")
    tokenizer.no_padding()
    return tokenizer


def encode(tokenizer: Tokenizer, pairs: Sequence[Pair]) -> list[Encoded]:
    encodings = tokenizer.encode_batch([(pair.premise, pair.hypothesis) for pair in pairs])
    return [
        Encoded(encoding.ids, encoding.type_ids.index(1), pair.target)
        for encoding, pair in zip(encodings, pairs, strict=True)
    ]


def cut(rows: Sequence[Encoded], token_budget: int, max_rows: int) -> list[list[Encoded]]:
    """Neighbouring rows of a list sorted by length, at most `token_budget` padded tokens together."""
    groups: list[list[Encoded]] = []
    group: list[Encoded] = []
    for row in rows:
        longest = max(len(row.ids), len(group[-1].ids) if group else 0)
        if group and (longest * (len(group) + 1) > token_budget or len(group) == max_rows):
            groups.append(group)
            group = []
        group.append(row)
    if group:
        groups.append(group)
    return groups


def collate(rows: Sequence[Encoded]) -> Batch:
    length = max(len(row.ids) for row in rows)
    ids = np.zeros((len(rows), length), np.int64)
    types, mask = np.zeros_like(ids), np.zeros_like(ids)
    for index, row in enumerate(rows):
        ids[index, : len(row.ids)] = row.ids
        types[index, row.split : len(row.ids)] = 1
        mask[index, : len(row.ids)] = 1
    targets = torch.tensor([row.target for row in rows])
    return Batch(torch.from_numpy(ids), torch.from_numpy(types), torch.from_numpy(mask), targets)


def epoch_batches(
    rows: Sequence[Encoded], *, token_budget: int, max_rows: int, pool: int, rng: random.Random
) -> Iterator[Batch]:
    """Batches of one epoch: each pool of shuffled rows is sorted by length, cut, and its batches shuffled."""
    for start in range(0, len(rows), pool):
        groups = cut(sorted(rows[start : start + pool], key=lambda row: len(row.ids)), token_budget, max_rows)
        rng.shuffle(groups)
        for group in groups:
            yield collate(group)

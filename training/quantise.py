"""Weights as small integers: what is stored, and how the rounding is chosen.

Matrices are multiplied as integers: 8-bit activations, scaled token by token, times weights of 7 bits in an int8. Seven
bits because x86 processors without VNNI add pairs of 8-bit products in 16 bits: 255 * 63 * 2 is the most that fits,
so every processor gives the same sums. The rounding follows GPTQ (Frantar et al., 2023): columns are rounded one by
one and the error of each is made up for by the columns not yet rounded, as far as the inputs the layer really sees
allow.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

GROUP = 32
"""Consecutive values of an embedding row that share one scale."""

WEIGHT_LIMIT = 63
_EMBEDDING_LIMIT = 127
_DAMPING = 0.01
_BLOCK = 64
_SMALLEST_SCALE = 1e-8
_CLIPS = np.linspace(0.7, 1.0, 13)

Floats = npt.NDArray[np.floating]


@dataclass(frozen=True)
class Quantised:
    """Integer codes and the float scales that turn them back into weights."""

    codes: npt.NDArray[np.int8]
    scales: Floats


def quantise_rows(table: Floats) -> Quantised:
    """An embedding table (rows, width) as codes of the same shape and float16 scales (rows, width / GROUP)."""
    rows, width = table.shape
    groups = table.reshape(rows, width // GROUP, GROUP)
    scales = np.maximum(np.abs(groups).max(axis=2) / _EMBEDDING_LIMIT, 1e-6).astype(np.float16)
    codes = np.rint(groups / scales[..., None].astype(np.float32)).clip(-_EMBEDDING_LIMIT, _EMBEDDING_LIMIT)
    return Quantised(codes.reshape(rows, width).astype(np.int8), scales)


def quantise_layer(weight: Floats, moments: Floats) -> Quantised:
    """A layer's weight (outputs, inputs) as codes of the same shape and one float32 scale per output.

    `moments` (inputs, inputs) is the mean outer product of the layer's inputs over calibration texts.
    """
    scales = _clipped_scales(weight, np.diag(moments))
    order = np.argsort(-np.diag(moments))
    damped = moments + np.eye(len(moments)) * _DAMPING * np.mean(np.diag(moments))
    correction = np.linalg.cholesky(np.linalg.inv(damped[np.ix_(order, order)])).T
    codes = np.empty(weight.shape, dtype=np.int8)
    codes[:, order] = _round_in_order(weight[:, order].astype(np.float64), scales, correction)
    return Quantised(codes, scales.astype(np.float32))


def _clipped_scales(weight: Floats, importance: Floats) -> Floats:
    """Per output, the scale with the least weighted rounding error among slightly clipped ones."""
    widest = np.maximum(np.abs(weight).max(axis=1) / WEIGHT_LIMIT, _SMALLEST_SCALE)
    candidates = np.stack([widest * clip for clip in _CLIPS])
    errors = np.stack(
        [(((_codes(weight, scales) * scales[:, None] - weight) ** 2) * importance).sum(1) for scales in candidates]
    )
    chosen: Floats = candidates[errors.argmin(axis=0), np.arange(len(weight))].astype(np.float32)
    return chosen.astype(np.float64)


def _round_in_order(weight: Floats, scales: Floats, correction: Floats) -> npt.NDArray[np.int8]:
    """Round the columns from left to right, passing the error of each on to those right of it.

    Columns further right than the block at hand get the block's errors at once, in one matrix product.
    """
    codes = np.empty(weight.shape, dtype=np.int8)
    for start in range(0, weight.shape[1], _BLOCK):
        end = min(start + _BLOCK, weight.shape[1])
        errors = _round_block(weight[:, start:end], scales, correction[start:end, start:end], codes[:, start:end])
        weight[:, end:] -= errors @ correction[start:end, end:]
    return codes


def _round_block(weight: Floats, scales: Floats, correction: Floats, codes: npt.NDArray[np.int8]) -> Floats:
    """Fill `codes`, change `weight` in place, and return the scaled error of each column."""
    errors = np.empty_like(weight)
    for column in range(weight.shape[1]):
        rounded = _codes(weight[:, column : column + 1], scales)[:, 0]
        codes[:, column] = rounded
        errors[:, column] = (weight[:, column] - rounded * scales) / correction[column, column]
        weight[:, column + 1 :] -= np.outer(errors[:, column], correction[column, column + 1 :])
    return errors


def _codes(weight: Floats, scales: Floats) -> Floats:
    rounded: Floats = np.rint(weight / scales[:, None]).clip(-WEIGHT_LIMIT, WEIGHT_LIMIT)
    return rounded

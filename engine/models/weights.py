"""The safetensors container, and weights of 8-bit storage widened once, when they are loaded."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from longtracer.contracts.errors import ModelUnavailableError

__all__ = ["load_weights", "read_safetensors"]

Tensor = npt.NDArray[np.generic]

_DTYPES: Mapping[str, str] = {"F32": "<f4", "F16": "<f2", "I8": "|i1"}
_CODES, _SCALE = ".int8", ".scale"


def read_safetensors(content: bytes, name: str) -> dict[str, Tensor]:
    """The tensors of a safetensors file, as read-only views of `content`.

    Raises ModelUnavailableError for anything that is not such a file.
    """
    try:
        start = 8 + int.from_bytes(content[:8], "little")
        header = json.loads(content[8:start])
        header.pop("__metadata__", None)
        return {tensor: _view(content, start, entry) for tensor, entry in header.items()}
    except (ValueError, KeyError, AttributeError) as exc:
        raise ModelUnavailableError(f"embedded model file {name} is no safetensors file: {exc}") from exc


def load_weights(content: bytes, name: str) -> dict[str, Tensor]:
    """The tensors a graph asks for: `x.int8` and `x.scale` become the float32 matrix `x`, the rest stays."""
    stored = read_safetensors(content, name)
    loaded: dict[str, Tensor] = {}
    for key, tensor in stored.items():
        if key.endswith(_CODES):
            target = key.removesuffix(_CODES)
            loaded[target] = _dequantise(tensor, stored[target + _SCALE])
        elif not key.endswith(_SCALE):
            loaded[key] = tensor
    return loaded


def _view(content: bytes, start: int, entry: Mapping[str, Any]) -> Tensor:
    begin, end = entry["data_offsets"]
    dtype = np.dtype(_DTYPES[entry["dtype"]])
    flat = np.frombuffer(content, dtype=dtype, count=(end - begin) // dtype.itemsize, offset=start + begin)
    return flat.reshape(entry["shape"])


def _dequantise(codes: Tensor, scales: Tensor) -> npt.NDArray[np.float32]:
    """Codes (rows, columns) times scales (groups of rows, columns)."""
    rows, columns = codes.shape
    wide = codes.astype(np.float32).reshape(scales.shape[0], -1, columns)
    wide *= scales.astype(np.float32)[:, None, :]
    return wide.reshape(rows, columns)

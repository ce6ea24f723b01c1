"""One onnxruntime session: built from a graph and its weights, its failures mapped to this library's errors."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import onnxruntime
from onnxruntime.capi import onnxruntime_pybind11_state as runtime

from longtracer.contracts.errors import EvaluationFailedError, ModelUnavailableError
from longtracer.engine.protocols import FloatArray

from .base import IntArray

__all__ = ["GraphSession", "available_cores"]

# Each status of onnxruntime is an exception class of its own, with no common base but Exception.
_RUNTIME_ERRORS = (
    runtime.EPFail,
    runtime.Fail,
    runtime.InvalidArgument,
    runtime.InvalidGraph,
    runtime.InvalidProtobuf,
    runtime.NotImplemented,
    runtime.RuntimeException,
)
_PYTHON_ERRORS = (RuntimeError, ValueError, MemoryError)
_ERRORS_ONLY = 3


class GraphSession:
    """Runs one graph on the CPU. Safe to share between threads."""

    def __init__(self, graph: bytes, weights: Mapping[str, npt.NDArray[np.generic]], *, name: str, threads: int):
        """Hand `weights` to `graph`; onnxruntime copies them, so the caller's arrays can go.

        Raises ModelUnavailableError when onnxruntime cannot build the session.
        """
        self.name = name
        try:
            self._session = _build(graph, weights, threads)
        except (*_RUNTIME_ERRORS, *_PYTHON_ERRORS) as exc:
            raise ModelUnavailableError(f"{name}: onnxruntime cannot load it: {exc}") from exc

    def run(self, inputs: Mapping[str, IntArray]) -> FloatArray:
        """The graph's one output; EvaluationFailedError when onnxruntime fails."""
        try:
            output: FloatArray = self._session.run(None, dict(inputs))[0]
        except (*_RUNTIME_ERRORS, *_PYTHON_ERRORS) as exc:
            raise EvaluationFailedError(f"{self.name}: onnxruntime failed: {exc}") from exc
        return output


def available_cores() -> int:
    """The cores this process may use, which in a container can be fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _build(graph: bytes, weights: Mapping[str, npt.NDArray[np.generic]], threads: int) -> Any:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = _ERRORS_ONLY
    options.intra_op_num_threads = threads
    names = list(weights)
    values = [onnxruntime.OrtValue.ortvalue_from_numpy(weights[name]) for name in names]
    options.add_external_initializers(names, values)
    return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])

"""One onnxruntime session on the CPU, its failures mapped to this library's errors."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

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

    def __init__(self, graph: Path, *, name: str, threads: int) -> None:
        """Load an ONNX file; ModelUnavailableError when onnxruntime cannot."""
        self.name = name
        try:
            self._session = onnxruntime.InferenceSession(
                str(graph), _options(threads), providers=["CPUExecutionProvider"]
            )
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


def _options(threads: int) -> Any:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = _ERRORS_ONLY
    options.intra_op_num_threads = threads
    # The encoder and the classifier run in turns: threads that spin for more work after one has run would take the
    # cores from the other.
    options.add_session_config_entry("session.force_spinning_stop", "1")
    # The graphs are written as they are to run; the extended level would fuse in operators that are slower here.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    return options

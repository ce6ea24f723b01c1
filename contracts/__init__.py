"""What a result is: states, claims, cases, the gate, errors, schema."""

from __future__ import annotations

from .errors import (
    EvaluationFailedError,
    EvaluationTimeoutError,
    EvaluatorError,
    InvalidInputError,
    ModelUnavailableError,
    QueueFullError,
)

__all__ = [
    "EvaluationFailedError",
    "EvaluationTimeoutError",
    "EvaluatorError",
    "InvalidInputError",
    "ModelUnavailableError",
    "QueueFullError",
]

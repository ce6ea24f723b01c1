"""The errors this library raises, each also an instance of the built-in that callers would expect.

EvaluatorError
├── ModelUnavailableError   (ImportError)   a model, its weights, its labels or its runtime is missing or unusable
├── EvaluationTimeoutError  (TimeoutError)  the limit passed before the evaluation ended
├── InvalidInputError       (ValueError)    an argument has the right type but an unusable value
└── EvaluationFailedError   (RuntimeError)  a model failed, or answered with something that is no score
    └── QueueFullError                      more evaluations are waiting than `max_queue` allows
"""

from __future__ import annotations

__all__ = [
    "EvaluationFailedError",
    "EvaluationTimeoutError",
    "EvaluatorError",
    "InvalidInputError",
    "ModelUnavailableError",
    "QueueFullError",
]


class EvaluatorError(Exception):
    """Base of every error of the evaluator: catch this one to catch them all."""


class ModelUnavailableError(EvaluatorError, ImportError):
    """A model cannot be used: weights absent or altered, labels unknown, or the runtime not installed."""


class EvaluationTimeoutError(EvaluatorError, TimeoutError):
    """The evaluation did not end within its limit."""


class InvalidInputError(EvaluatorError, ValueError):
    """An argument has an unusable value, for example a timeout of zero."""


class EvaluationFailedError(EvaluatorError, RuntimeError):
    """A model raised while scoring, or returned NaN, infinities or the wrong shape."""


class QueueFullError(EvaluationFailedError):
    """The evaluation was refused at once because the waiting queue is full."""

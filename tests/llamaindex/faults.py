"""Verifiers that fail, one way each: what a guard must not let pass."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from longtracer import CaseResult, EvaluationTimeoutError, ModelUnavailableError
from longtracer.contracts import QueueFullError, failed_case

__all__ = ["FAULTS", "FaultyVerifier"]


class FaultyVerifier:
    """Both halves do what `fault` does."""

    def __init__(self, fault: Callable[[], Any]) -> None:
        self._fault = fault

    def verify_case(self, *_: Any, **__: Any) -> CaseResult:
        result: CaseResult = self._fault()
        return result

    async def verify_case_async(self, *_: Any, **__: Any) -> CaseResult:
        result: CaseResult = self._fault()
        return result


def _raising(error: BaseException) -> Callable[[], Any]:
    def fault() -> Any:
        raise error

    return fault


FAULTS: dict[str, FaultyVerifier] = {
    "raises": FaultyVerifier(_raising(RuntimeError("the evaluator broke"))),
    "timeout": FaultyVerifier(lambda: failed_case(EvaluationTimeoutError("too slow"))),
    "bad labels": FaultyVerifier(_raising(ModelUnavailableError("the labels of the model are unknown"))),
    "out of memory": FaultyVerifier(_raising(MemoryError("no memory left"))),
    "queue full": FaultyVerifier(_raising(QueueFullError("too many evaluations are waiting"))),
    "breaker open": FaultyVerifier(_raising(ConnectionError("the breaker is open"))),
    "no case": FaultyVerifier(lambda: True),
}

"""A case under way: the boundary at which every failure becomes a result."""

from __future__ import annotations

import time
from concurrent.futures import CancelledError, Future

from longtracer.contracts import CaseResult, cancelled_case, failed_case

from .waiting import Abandon, Deadline, wait, wait_async

__all__ = ["PendingCase"]


class PendingCase:
    """A case under way; `result()` and `result_async()` turn every ending into a `CaseResult`."""

    def __init__(
        self,
        began: float,
        deadline: Deadline,
        case_id: str | None,
        *,
        future: Future[CaseResult] | None = None,
        abandon: Abandon | None = None,
        failed: Exception | None = None,
    ) -> None:
        self._began = began
        self._deadline = deadline
        self._case_id = case_id
        self._future = future
        self._abandon = abandon or Abandon()
        self._failed = failed
        self._ending = _Ending()
        if future is not None:
            future.add_done_callback(self._ending.mark)

    def result(self) -> CaseResult:
        """The case, once its evaluation has ended or its limit has passed."""
        if self._future is None:
            return self._ended(failed_case(self._failed or RuntimeError("not started"), case_id=self._case_id))
        try:
            return self._ended(wait(self._future, self._deadline, self._abandon.now))
        except Exception as error:  # noqa: BLE001 - the case boundary: a failure is a result
            return self._ended(self._failure(error))

    async def result_async(self) -> CaseResult:
        """As `result`, without blocking the event loop; only the caller's own cancellation is raised."""
        if self._future is None:
            return self.result()
        try:
            return self._ended(await wait_async(self._future, self._deadline, self._abandon.now))
        except Exception as error:  # noqa: BLE001 - as above; asyncio's CancelledError passes
            return self._ended(self._failure(error))

    def _failure(self, error: BaseException) -> CaseResult:
        if isinstance(error, CancelledError):
            return cancelled_case(case_id=self._case_id)
        return failed_case(error, case_id=self._case_id)

    def _ended(self, case: CaseResult) -> CaseResult:
        ended = self._ending.at or time.perf_counter()
        return case.model_copy(update={"latency_ms": round((ended - self._began) * 1000, 3)})


class _Ending:
    """When an evaluation ended, which in a batch is long before its result is asked for."""

    def __init__(self) -> None:
        self.at: float | None = None

    def mark(self, _: object) -> None:
        self.at = time.perf_counter()

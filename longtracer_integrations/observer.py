"""Finishes the record of a captured answer: check, log, report. Nothing that goes wrong here reaches the host."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

from longtracer import CaseResult
from longtracer.contracts import failed_case, skipped_case

from .background import BackgroundWork
from .check import GroundingCheck
from .draft import Draft
from .record_log import RecordLog
from .records import AnswerStatus, RagAnswer
from .sampling import checked_sample_rate, is_sampled

__all__ = ["Completed", "Observer", "OnResult"]

logger = logging.getLogger("longtracer")

OnResult = Callable[[RagAnswer], Awaitable[None] | None]
"""Called with each finished record; may be a coroutine function where answers are finished in an event loop."""

Completed = Callable[[RagAnswer], None]
"""Takes a finished record before it is logged, to put its case into the framework's own response."""

_CHECKED = (AnswerStatus.OK, AnswerStatus.NO_DOCUMENTS)
_SKIPPED = {
    AnswerStatus.NO_RETRIEVAL: "nothing was retrieved, or nothing of it could be captured",
    AnswerStatus.AMBIGUOUS: "the run gave several answers; name one, or watch each branch by itself",
    AnswerStatus.CLOSED_EARLY: "the stream was not read to its end, so the answer is not whole",
}


class Observer:
    """What handlers of all frameworks do with a captured answer.

    background    check in threads of its own, so that the answer is not delayed; `max_queue` answers may wait, one
                  more gets a record with an INDETERMINATE case at once
    also          a further receiver of finished records, which may block and does not raise
    raise_errors  let what `on_result` raises through, for hosts that stop on it; else it is logged

    Raises:
        InvalidInputError: for an unusable sample rate.
    """

    def __init__(
        self,
        check: GroundingCheck,
        *,
        on_result: OnResult | None = None,
        sample_rate: float = 1.0,
        background: bool = False,
        max_queue: int = 1000,
        max_records: int = 1000,
        raise_errors: bool = False,
        also: Callable[[RagAnswer], None] | None = None,
    ) -> None:
        self._check = check
        self._on_result = on_result
        self._sample_rate = checked_sample_rate(sample_rate)
        self._always_behind = background
        self._work = BackgroundWork(max_queue=max_queue)
        self._warned = False
        self._raise_errors = raise_errors
        self._also = also
        self.log = RecordLog(max_records)

    @property
    def on_result(self) -> OnResult | None:
        """What is called with each finished record."""
        return self._on_result

    def finish(
        self,
        record: RagAnswer,
        *,
        history: Sequence[Any] | None = None,
        background: bool | None = None,
        completed: Completed | None = None,
    ) -> RagAnswer | None:
        """Complete `record` (captured, without a case) and log it; None when that is left to the background.

        background: for this answer alone, another choice than the observer's. Never raises.
        """
        if not (self._always_behind if background is None else background):
            return self.finish_now(record, history=history, completed=completed)
        try:
            self._work.submit(lambda: self.finish_now(record, history=history, completed=completed))
        except Exception as error:  # noqa: BLE001 - a full queue or a closed observer is an outcome of the answer
            return self._finish_with(record, failed_case(error, case_id=record.run_id), completed)
        return None

    async def finish_async(
        self, record: RagAnswer, *, history: Sequence[Any] | None = None, completed: Completed | None = None
    ) -> RagAnswer | None:
        """As `finish`, without blocking the event loop; only cancellation passes through."""
        if self._always_behind:
            return self.finish(record, history=history, completed=completed)
        case = self._case_without_check(record)
        if case is None and _may_be_checked(record):
            case = await self._check.run_async(_draft(record, history), case_id=record.run_id)
        finished = _completed(record, case)
        _hand_over(finished, completed)
        self.log.add(finished)
        await self._report_async(finished)
        return finished

    def receive(self, record: RagAnswer, *, report: bool = True) -> None:
        """Log and report a record that is finished already; never raises."""
        self.log.add(record)
        if report:
            self._report(record)

    async def receive_async(self, record: RagAnswer, *, report: bool = True) -> None:
        """As `receive`; `on_result` may be a coroutine function."""
        self.log.add(record)
        if report:
            await self._report_async(record)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the background checks begun so far; False when `timeout` seconds pass first."""
        return self._work.wait(timeout)

    async def wait_async(self, timeout: float | None = None) -> bool:
        """As `wait`, without blocking the event loop."""
        return await self._work.wait_async(timeout)

    async def aclose(self) -> None:
        """Finish the background checks and end their threads, without blocking the event loop."""
        await self._work.wait_async()
        self._work.close()

    def close(self) -> None:
        """As `aclose`, from sync code."""
        self._work.wait()
        self._work.close()

    def finish_now(
        self, record: RagAnswer, *, history: Sequence[Any] | None = None, completed: Completed | None = None
    ) -> RagAnswer:
        """Complete `record` here and log it, wherever the observer does its checks otherwise."""
        case = self._case_without_check(record)
        if case is None and _may_be_checked(record):
            case = self._check.run(_draft(record, history), case_id=record.run_id)
        return self._finish_with(record, case, completed)

    def _finish_with(self, record: RagAnswer, case: CaseResult | None, completed: Completed | None = None) -> RagAnswer:
        finished = _completed(record, case)
        _hand_over(finished, completed)
        self.log.add(finished)
        self._report(finished)
        return finished

    def _case_without_check(self, record: RagAnswer) -> CaseResult | None:
        if record.case is not None:
            return record.case
        if record.status is AnswerStatus.NO_RETRIEVAL:
            self._warn_once()
        if record.status in _SKIPPED:
            return skipped_case(_SKIPPED[record.status], case_id=record.run_id)
        if _may_be_checked(record) and not is_sampled(record.run_id, self._sample_rate):
            return skipped_case("not among the answers that are sampled", case_id=record.run_id)
        return None

    def _warn_once(self) -> None:
        if not self._warned:
            self._warned = True
            logger.warning(
                "an answer came without any retrieved documents that could be seen, so that it cannot be checked; "
                "does the retriever run inside the watched pipeline? (said once)"
            )

    def _report(self, record: RagAnswer) -> None:
        if self._also is not None:
            self._also(record)
        if self._on_result is None:
            return
        try:
            returned = self._on_result(record)
            if inspect.isawaitable(returned):
                _close(returned)
                raise TypeError("on_result is a coroutine function, but the answer was finished outside an event loop")
        except Exception:  # the host goes on, whatever its own hook does
            logger.exception("on_result raised for run %s", record.run_id)
            if self._raise_errors:
                raise

    async def _report_async(self, record: RagAnswer) -> None:
        if self._also is not None:
            await asyncio.to_thread(self._also, record)
        if self._on_result is None:
            return
        try:
            returned = self._on_result(record)
            if inspect.isawaitable(returned):
                await returned
        except Exception:
            logger.exception("on_result raised for run %s", record.run_id)
            if self._raise_errors:
                raise


def _may_be_checked(record: RagAnswer) -> bool:
    return record.status in _CHECKED and record.answer is not None


def _draft(record: RagAnswer, history: Sequence[Any] | None) -> Draft:
    turns = history or record.history or None
    return Draft(answer=record.answer or "", documents=record.documents, question=record.question, history=turns)


def _completed(record: RagAnswer, case: CaseResult | None) -> RagAnswer:
    error = record.error if record.error is not None or case is None else case.error_message
    return replace(record, case=case, error=error)


def _hand_over(record: RagAnswer, completed: Completed | None) -> None:
    if completed is None:
        return
    try:
        completed(record)
    except Exception:
        logger.exception("the result of run %s could not be attached", record.run_id)


def _close(awaitable: Awaitable[None]) -> None:
    close = getattr(awaitable, "close", None)
    if callable(close):  # a coroutine that nobody awaits would warn
        close()

"""Waits for an evaluation, with a limit, in threads and in event loops."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from typing import TypeVar

from longtracer.contracts import EvaluationTimeoutError

__all__ = ["Abandon", "Deadline", "wait", "wait_async"]

_Result = TypeVar("_Result")


class Deadline:
    """A point in time `timeout` seconds after the call began; never, when `timeout` is None."""

    def __init__(self, timeout: float | None) -> None:
        self.timeout = timeout
        self._end = None if timeout is None else time.monotonic() + timeout

    def left(self) -> float | None:
        """Seconds left, 0.0 when it has passed, None without a limit; at most what a lock can wait."""
        return None if self._end is None else min(max(0.0, self._end - time.monotonic()), threading.TIMEOUT_MAX)

    def error(self) -> EvaluationTimeoutError:
        """The error to report once it has passed."""
        return EvaluationTimeoutError(f"the evaluation did not end within {self.timeout} seconds")


class Abandon:
    """Tells a running evaluation that nobody waits for it, so that it stops at its next stage."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def now(self) -> None:
        """Ask the evaluation to stop."""
        self._event.set()

    def checkpoint(self) -> None:
        """Raise `EvaluationTimeoutError` once the evaluation was abandoned."""
        if self._event.is_set():
            raise EvaluationTimeoutError("the evaluation was abandoned")


def wait(future: Future[_Result], deadline: Deadline, abandon: Callable[[], None]) -> _Result:
    """The result of `future`.

    Raises:
        EvaluationTimeoutError: when the deadline passes first; what waits is cancelled, what runs is abandoned.
        concurrent.futures.CancelledError: when the future itself was cancelled.
    """
    try:
        return future.result(deadline.left())
    except FutureTimeoutError as error:
        # An evaluation may itself end in a TimeoutError; only an unfinished one ran out of our time.
        if future.done():
            return future.result(0)
        future.cancel()
        abandon()
        raise deadline.error() from error
    except BaseException:
        if not future.done():  # KeyboardInterrupt while waiting
            future.cancel()
            abandon()
        raise


async def wait_async(future: Future[_Result], deadline: Deadline, abandon: Callable[[], None]) -> _Result:
    """As `wait`, without blocking the loop.

    Raises:
        asyncio.CancelledError: when the task that waits here is cancelled.
        concurrent.futures.CancelledError: when the future itself was cancelled.
    """
    done = asyncio.get_running_loop().create_future()
    _signal_when_done(future, done)
    try:
        # Not `wait_for`, which drops a cancellation that arrives together with the result (until Python 3.12).
        async with asyncio.timeout(deadline.left()):
            await done
    except TimeoutError as error:
        future.cancel()
        abandon()
        raise deadline.error() from error
    except asyncio.CancelledError:
        future.cancel()
        abandon()
        raise
    return future.result(0)


def _signal_when_done(future: Future[_Result], done: asyncio.Future[None]) -> None:
    loop = done.get_loop()

    def signal() -> None:
        if not done.done():
            done.set_result(None)

    def from_worker(_: Future[_Result]) -> None:
        # A loop that closed meanwhile has nobody waiting in it.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(signal)

    future.add_done_callback(from_worker)

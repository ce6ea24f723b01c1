"""A fixed number of worker threads behind a bounded queue."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from longtracer.contracts import EvaluationFailedError, InvalidInputError, QueueFullError

__all__ = ["WorkerPool"]

_Result = TypeVar("_Result")
_Job = Callable[[], Any]

_IDLE_SECONDS = 30.0


class WorkerPool:
    """Runs jobs on at most `max_workers` daemon threads; at most `max_queue` jobs wait (None: no bound).

    `concurrent.futures.ThreadPoolExecutor` does not fit: it has no queue bound, and the interpreter waits for
    its threads at exit, so that one stuck model would hang the application. Threads start on demand, end
    when idle for a while, and start anew in a forked child.
    """

    def __init__(self, max_workers: int | None = None, max_queue: int | None = None) -> None:
        self._max_workers = _positive("max_workers", max_workers) or max(2, min(4, os.cpu_count() or 1))
        self._max_queue = _positive("max_queue", max_queue)
        self._reset()

    def submit(self, job: Callable[[], _Result], *, bounded: bool = True) -> Future[_Result]:
        """Queue `job`; a future cancelled before a worker takes it never runs, and frees its place at once.

        `bounded=False` is for callers that keep no more than `width` jobs under way themselves: they wait for their
        turn even while jobs that nobody waits for any more still hold the workers.

        Raises:
            QueueFullError: when `max_queue` jobs are waiting already.
            RuntimeError: after `close()`, or when there is no worker and none can be started.
        """
        future: Future[_Result] = Future()
        with self._this_process():
            if self._closed:
                raise RuntimeError("the verifier is closed")
            # A job that an idle worker is about to take does not wait.
            full = self._max_queue is not None and len(self._waiting) - self._idle >= self._max_queue
            if bounded and full:
                raise QueueFullError(f"{self._max_queue} evaluations are waiting already (max_queue)")
            self._waiting[future] = job
            try:
                self._start_worker_if_needed()
            except RuntimeError:
                if not self._threads:
                    del self._waiting[future]
                    raise
            self._changed.notify()
        future.add_done_callback(self._forget)
        return future

    def close(self) -> None:
        """Cancel what waits and let the workers end; a job that runs is not interrupted, and not waited for."""
        with self._this_process():
            self._closed = True
            waiting = list(self._waiting)
            self._changed.notify_all()
        for future in waiting:
            future.cancel()

    @property
    def width(self) -> int:
        """How many jobs are worth having under way: enough to keep every worker busy, within the queue."""
        waiting = self._max_workers if self._max_queue is None else min(self._max_workers, self._max_queue)
        return self._max_workers + waiting

    @property
    def thread_count(self) -> int:
        """How many workers there are now."""
        return len(self._threads)

    def _reset(self) -> None:
        self._changed = threading.Condition()
        self._waiting: dict[Future[Any], _Job] = {}
        self._threads: list[threading.Thread] = []
        self._idle = 0
        self._closed = False
        # Last: whoever reads this process's id must find its lock, and not the one that the fork left behind.
        self._pid = os.getpid()

    def _this_process(self) -> threading.Condition:
        # Threads do not survive a fork, and the lock may have been held by one of them.
        if self._pid != os.getpid():
            self._reset()
        return self._changed

    def _forget(self, future: Future[Any]) -> None:
        with self._this_process():
            self._waiting.pop(future, None)

    def _start_worker_if_needed(self) -> None:
        if self._idle >= len(self._waiting) or len(self._threads) >= self._max_workers:
            return
        thread = threading.Thread(target=self._work, name="longtracer-worker", daemon=True)
        # The lock is held, so the thread counts itself in before it can look for work. It may fail to start.
        thread.start()
        self._threads.append(thread)
        self._idle += 1

    def _work(self) -> None:
        while (taken := self._take()) is not None:
            _run(*taken, self._free)
            del taken

    def _free(self) -> None:
        # Before the result is told: who starts the next job because of it must find this worker idle.
        with self._changed:
            self._idle += 1

    def _take(self) -> tuple[Future[Any], _Job] | None:
        with self._changed:
            while not self._waiting:
                # A notification may be lost to a worker that left meanwhile, so look again before leaving.
                if self._closed or not (self._changed.wait(_IDLE_SECONDS) or self._waiting):
                    self._leave()
                    return None
            future = next(iter(self._waiting))
            self._idle -= 1
            return future, self._waiting.pop(future)

    def _leave(self) -> None:
        self._idle -= 1
        self._threads.remove(threading.current_thread())


def _run(future: Future[Any], job: _Job, free: Callable[[], None]) -> None:
    if not future.set_running_or_notify_cancel():
        free()
        return
    try:
        result = job()
    except BaseException as error:  # noqa: BLE001 - it belongs to whoever waits for the future
        free()
        future.set_exception(_failure(error))
    else:
        free()
        future.set_result(result)


def _failure(error: BaseException) -> Exception:
    if isinstance(error, Exception):
        return error
    # A model's own exit, cancellation or panic must not end, or seem to cancel, whoever waits for the result.
    failure = EvaluationFailedError(f"the evaluation ended in {type(error).__name__}: {error}")
    failure.__cause__ = error
    return failure


def _positive(name: str, value: int | None) -> int | None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
        raise InvalidInputError(f"{name} must be a whole number above zero, not {value!r}")
    return value

"""Work done behind the application's back: a few threads, a bounded queue, and a way to wait for it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import wait as wait_for_futures

from longtracer.engine.pool import WorkerPool

__all__ = ["BackgroundWork"]


class BackgroundWork:
    """Runs jobs on `workers` threads; at most `max_queue` wait. Threads start with the first job."""

    def __init__(self, *, workers: int = 2, max_queue: int = 1000) -> None:
        self._pool = WorkerPool(workers, max_queue)
        self._open: set[Future[object]] = set()
        self._lock = threading.Lock()

    def submit(self, job: Callable[[], object]) -> None:
        """Queue `job`.

        Raises:
            QueueFullError: when `max_queue` jobs are waiting already.
            RuntimeError: after `close()`.
        """
        future = self._pool.submit(job)
        with self._lock:
            self._open.add(future)
        future.add_done_callback(self._forget)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until what was submitted so far has ended; False when `timeout` seconds pass first."""
        with self._lock:
            unfinished = set(self._open)
        return not wait_for_futures(unfinished, timeout).not_done

    async def wait_async(self, timeout: float | None = None) -> bool:
        """As `wait`, without blocking the event loop."""
        with self._lock:
            unfinished = [asyncio.wrap_future(future) for future in self._open]
        if not unfinished:
            return True
        return not (await asyncio.wait(unfinished, timeout=timeout))[1]

    def close(self) -> None:
        """Cancel what waits and let the threads end; later jobs are refused."""
        self._pool.close()

    def _forget(self, future: Future[object]) -> None:
        with self._lock:
            self._open.discard(future)

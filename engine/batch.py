"""Many evaluations, a bounded number under way, results in order."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import TypeVar

__all__ = ["Progress", "run_in_order", "run_in_order_async"]

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")

Progress = Callable[[int, int | None], None]
"""Called with the number of finished cases and the total (None when `items` has no length)."""


def run_in_order(
    items: Iterable[_Item],
    start: Callable[[_Item], Callable[[], _Result]],
    *,
    width: int,
    progress: Progress | None = None,
) -> Iterator[_Result]:
    """Start `width` items ahead and yield the results in the order of `items`.

    `start` begins the work and returns what waits for it.
    """
    total = _length(items)
    under_way: deque[Callable[[], _Result]] = deque()
    done = 0
    for item in items:
        under_way.append(start(item))
        if len(under_way) >= width:
            yield under_way.popleft()()
            done = _tell(progress, done, total)
    while under_way:
        yield under_way.popleft()()
        done = _tell(progress, done, total)


async def run_in_order_async(
    items: Iterable[_Item],
    run: Callable[[_Item], Awaitable[_Result]],
    *,
    width: int,
    progress: Progress | None = None,
) -> list[_Result]:
    """As `run_in_order`, in a running loop: items are drawn as they are needed, `width` at a time.

    The first exception cancels what is under way and is raised as it is.
    """
    total = _length(items)
    results: dict[int, _Result] = {}
    numbered = enumerate(items)
    done = 0

    async def work() -> None:
        nonlocal done
        for number, item in numbered:
            results[number] = await run(item)
            done = _tell(progress, done, total)

    workers = [asyncio.create_task(work()) for _ in range(width)]
    try:
        await asyncio.gather(*workers)
    finally:
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)
    return [results[number] for number in sorted(results)]


def _tell(progress: Progress | None, done: int, total: int | None) -> int:
    if progress is not None:
        progress(done + 1, total)
    return done + 1


def _length(items: object) -> int | None:
    return len(items) if hasattr(items, "__len__") else None

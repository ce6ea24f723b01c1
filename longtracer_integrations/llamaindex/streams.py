"""Tees: the reader gets every piece of a stream as it comes, and we learn how the stream ended."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Generator, Iterator
from dataclasses import dataclass

__all__ = ["StreamEnd", "tee", "tee_async"]


@dataclass(frozen=True, slots=True)
class StreamEnd:
    """How a stream ended: `text` is what was read. `error`: what the model raised; `closed`: the reader left."""

    text: str
    error: BaseException | None = None
    closed: bool = False


def tee(pieces: Iterator[str], ended: Callable[[StreamEnd], None]) -> Generator[str, None, None]:
    """Pass `pieces` on unchanged, then call `ended` once; a stream that is never started never ends."""
    read: list[str] = []
    try:
        for piece in pieces:
            read.append(piece or "")
            yield piece
    except GeneratorExit:
        ended(StreamEnd("".join(read), closed=True))
        raise
    except BaseException as error:
        ended(StreamEnd("".join(read), error=error))
        raise
    ended(StreamEnd("".join(read)))


async def tee_async(
    pieces: AsyncIterator[str],
    ended: Callable[[StreamEnd], None],
    completed: Callable[[StreamEnd], Awaitable[None]],
) -> AsyncGenerator[str, None]:
    """As `tee`; a stream that was read to its end awaits `completed`, any other end calls `ended`."""
    read: list[str] = []
    try:
        async for piece in pieces:
            read.append(piece or "")
            yield piece
    except GeneratorExit:
        ended(StreamEnd("".join(read), closed=True))
        raise
    except BaseException as error:
        ended(StreamEnd("".join(read), error=error))
        raise
    await completed(StreamEnd("".join(read)))

"""Runs a token stream through a guard, with and without an event loop."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator, Iterator
from typing import Any

from longtracer import CaseResult
from longtracer_integrations.guard import GuardCore
from longtracer_integrations.policy import GroundingBlocked
from longtracer_integrations.steps import AskAgain, AskAgainAsync, serve, serve_async
from longtracer_integrations.streaming import DraftOf

__all__ = ["guarded_pieces", "guarded_pieces_async"]

Judged = Callable[[CaseResult], None]


def guarded_pieces(
    guard: GuardCore, pieces: Iterator[str], draft_of: DraftOf, judged: Judged, again: AskAgain | None = None
) -> Generator[str, None, None]:
    """Yield what the guard lets out of `pieces`; `judged` gets the case, also when the answer is blocked.

    Raises:
        GroundingBlocked: when the policy says "raise".
    """
    stream = guard.open_stream(draft_of)
    try:
        for piece in pieces:
            yield from serve(stream.feed(piece or ""), guard.check)
            if stream.stopped:
                break
        else:
            yield from serve(stream.finish(can_retry=again is not None), guard.check, again)
    except GroundingBlocked as blocked:
        judged(blocked.case)
        raise
    finally:
        _close(pieces)
    judged(stream.outcome.case)


async def guarded_pieces_async(
    guard: GuardCore, pieces: AsyncIterator[str], draft_of: DraftOf, judged: Judged, again: AskAgainAsync | None = None
) -> AsyncGenerator[str, None]:
    """As `guarded_pieces`, without blocking the event loop."""
    stream = guard.open_stream(draft_of)
    try:
        async for piece in pieces:
            async for text in serve_async(stream.feed(piece or ""), guard.check):
                yield text
            if stream.stopped:
                break
        else:
            async for text in serve_async(stream.finish(can_retry=again is not None), guard.check, again):
                yield text
    except GroundingBlocked as blocked:
        judged(blocked.case)
        raise
    finally:
        await _close_async(pieces)
    judged(stream.outcome.case)


def _close(pieces: Any) -> None:
    if callable(close := getattr(pieces, "close", None)):
        close()


async def _close_async(pieces: Any) -> None:
    if callable(close := getattr(pieces, "aclose", None)):
        await close()

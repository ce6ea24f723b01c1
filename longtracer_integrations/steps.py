"""What a guard needs from outside while it works: requests, and loops that serve them with and without an event loop.

The rules of a guard are generators that yield requests, so that sync and async code run the same rules.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from .check import GroundingCheck
from .draft import Draft

__all__ = ["Again", "AskAgain", "AskAgainAsync", "Check", "Emit", "Steps", "mapped", "serve", "serve_async"]


@dataclass(frozen=True, slots=True)
class Check:
    """Asks for the `CaseResult` of a draft."""

    draft: Draft


@dataclass(frozen=True, slots=True)
class Again:
    """Asks for a new draft, made with `feedback` for the model."""

    feedback: str


@dataclass(frozen=True, slots=True)
class Emit:
    """Lets something out: text, or what a framework's stream is made of."""

    item: Any


Steps = Generator[Check | Again | Emit, Any, None]

AskAgain = Callable[[str], Draft]
AskAgainAsync = Callable[[str], Awaitable[Draft]]


def serve(steps: Steps, check: GroundingCheck, again: AskAgain | None = None) -> Iterator[Any]:
    """Run `steps`, yielding what is let out."""
    reply: Any = None
    while True:
        try:
            request = steps.send(reply)
        except StopIteration:
            return
        if isinstance(request, Emit):
            reply = None
            yield request.item
        elif isinstance(request, Check):
            reply = check.run(request.draft)
        else:
            reply = _able(again)(request.feedback)


async def serve_async(steps: Steps, check: GroundingCheck, again: AskAgainAsync | None = None) -> AsyncIterator[Any]:
    """As `serve`, without blocking the event loop."""
    reply: Any = None
    while True:
        try:
            request = steps.send(reply)
        except StopIteration:
            return
        if isinstance(request, Emit):
            reply = None
            yield request.item
        elif isinstance(request, Check):
            reply = await check.run_async(request.draft)
        else:
            reply = await _able(again)(request.feedback)


def mapped(steps: Steps, change: Callable[[Any], Iterable[Any]]) -> Steps:
    """`steps`, letting out what `change` makes of each item instead of the item; everything else is handed on."""
    reply: Any = None
    while True:
        try:
            request = steps.send(reply)
        except StopIteration:
            return
        if isinstance(request, Emit):
            reply = None
            for item in change(request.item):
                yield Emit(item)
        else:
            reply = yield request


def _able(again: Callable[[str], Any] | None) -> Callable[[str], Any]:
    if again is None:
        raise RuntimeError("a guard asked for a new answer where none can be had")
    return again

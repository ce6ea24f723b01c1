"""An answer that is complete, or will not come: what a capture hands on to be checked and recorded."""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.base.response.schema import AsyncStreamingResponse, StreamingResponse
from llama_index.core.memory import BaseMemory

from .nodes import Captured
from .streams import StreamEnd, tee, tee_async

__all__ = ["Asked", "Ended", "Listener", "is_cancellation", "tee_response"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is known of an answer when its call begins.

    blocking   the caller waits in a synchronous call, so that the check may run right there
    memory     of a chat engine: what the user said in earlier turns is evidence
    history    the earlier messages that the caller passed instead
    """

    run_id: str
    question: str | None
    blocking: bool
    memory: BaseMemory | None = None
    history: Sequence[ChatMessage] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """A call that is over.

    response   the framework's own object, to attach the result to; None when there is none
    metadata   that of the response, where a guard may have left its result
    closed     a stream whose reader left before its end
    partial    what a stream that did not come to its end had said
    """

    asked: Asked
    answer: str | None
    captured: Captured
    response: object | None = None
    metadata: Mapping[str, Any] | None = None
    error: BaseException | None = None
    closed: bool = False
    partial: str | None = None


class Listener(Protocol):
    """Takes the answers of finished calls."""

    @property
    def active(self) -> bool:
        """Whether anybody listens; streams are left alone otherwise."""
        ...

    def answered(self, ended: Ended) -> None:
        """Take an answer; must not block where an event loop runs, unless the caller blocks it anyway."""
        ...

    async def answered_async(self, ended: Ended) -> None:
        """Take the answer of an asynchronous stream that was read to its end."""
        ...


def is_cancellation(error: BaseException | None) -> bool:
    """Whether a call was given up rather than failed."""
    return isinstance(error, asyncio.CancelledError | GeneratorExit)


def tee_response(
    response: StreamingResponse | AsyncStreamingResponse, asked: Asked, captured: Captured, listener: Listener
) -> None:
    """Tell `listener` when `response` has been read; its reader notices nothing.

    All that is needed for it is in the tee: when nobody reads the stream, it vanishes with the response.
    """
    end = _StreamEnding(asked, captured, weakref.ref(response), response.metadata, listener)
    if isinstance(response, StreamingResponse):
        response.response_gen = tee(response.response_gen, end)
    else:
        response.response_gen = tee_async(response.response_gen, end, end.completed)


class _StreamEnding:
    def __init__(
        self,
        asked: Asked,
        captured: Captured,
        response: Callable[[], object | None],
        metadata: Mapping[str, Any] | None,
        listener: Listener,
    ) -> None:
        self._asked = asked
        self._captured = captured
        self._response = response
        self._metadata = metadata
        self._listener = listener

    def __call__(self, end: StreamEnd) -> None:
        self._listener.answered(self._ended(end))

    async def completed(self, end: StreamEnd) -> None:
        await self._listener.answered_async(self._ended(end))

    def _ended(self, end: StreamEnd) -> Ended:
        whole = end.error is None and not end.closed
        return Ended(
            asked=self._asked,
            answer=end.text if whole else None,
            partial=None if whole else end.text or None,
            captured=self._captured,
            response=self._response(),
            metadata=self._metadata,
            error=end.error,
            closed=end.closed,
        )

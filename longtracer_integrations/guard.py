"""The guard of one complete answer: check it, follow the policy, ask again where the policy says so."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from typing import Literal, get_args

from longtracer import InvalidInputError

from .check import GroundingCheck
from .draft import Draft
from .outcome import GuardOutcome
from .policy import GuardrailPolicy
from .sentence_stream import SentenceStream
from .steps import AskAgain, AskAgainAsync, serve, serve_async
from .streaming import AnswerStream, BufferStream, DraftOf

__all__ = ["GuardCore", "StreamMode"]

StreamMode = Literal["buffer", "sentence"]


class GuardCore:
    """Policy and check of one guard, free of any framework; safe to share between threads and event loops.

    Raises:
        InvalidInputError: for an unknown stream mode, before any traffic.
    """

    def __init__(
        self, check: GroundingCheck, policy: GuardrailPolicy | None = None, *, stream_mode: StreamMode = "buffer"
    ) -> None:
        if stream_mode not in get_args(StreamMode):
            raise InvalidInputError(f"stream_mode must be one of {get_args(StreamMode)}, not {stream_mode!r}")
        self.check = check
        self.policy = policy or GuardrailPolicy()
        self.stream_mode = stream_mode

    def run(self, draft: Draft, again: AskAgain | None = None, *, retries: int = 0) -> GuardOutcome:
        """Guard a complete answer.

        again: makes a new draft from a feedback message; without it "retry" is its fallback at once.
        retries: how many were used up before.

        Raises:
            GroundingBlocked: when the policy says "raise".
        """
        stream = BufferStream(self.policy)
        for _ in serve(stream.judge(draft, can_retry=again is not None, retries=retries), self.check, again):
            pass
        return stream.outcome

    async def run_async(self, draft: Draft, again: AskAgainAsync | None = None, *, retries: int = 0) -> GuardOutcome:
        """As `run`, without blocking the event loop."""
        stream = BufferStream(self.policy)
        steps = stream.judge(draft, can_retry=again is not None, retries=retries)
        async for _ in serve_async(steps, self.check, again):
            pass
        return stream.outcome

    @property
    def lets_sentences_out(self) -> bool:
        """Whether a stream leaves sentence by sentence.

        "retry" cannot take back what has been let out, so that a policy with it holds the whole answer.
        """
        return self.stream_mode == "sentence" and self.policy.on_fail != "retry"

    def open_stream(self, draft_of: DraftOf) -> AnswerStream:
        """A guard for one streamed answer.

        draft_of: makes the draft of a text with what is known by then; its documents are None while none have
        arrived. Called anew for every check.
        """
        if self.lets_sentences_out:
            return SentenceStream(self.policy, draft_of)
        return BufferStream(self.policy, draft_of)

    def stream(self, answer: AnswerStream, chunks: Iterable[str], again: AskAgain | None = None) -> Iterator[str]:
        """Guard the text `chunks` with `answer`, an open stream; yields what is let out, then `answer.outcome` is set.

        Raises:
            GroundingBlocked: when the policy says "raise".
        """
        for chunk in chunks:
            yield from serve(answer.feed(chunk), self.check)
            if answer.stopped:
                return
        yield from serve(answer.finish(can_retry=again is not None), self.check, again)

    async def stream_async(
        self, answer: AnswerStream, chunks: AsyncIterable[str], again: AskAgainAsync | None = None
    ) -> AsyncIterator[str]:
        """As `stream`, without blocking the event loop."""
        async for chunk in chunks:
            async for text in serve_async(answer.feed(chunk), self.check):
                yield text
            if answer.stopped:
                return
        async for text in serve_async(answer.finish(can_retry=again is not None), self.check, again):
            yield text

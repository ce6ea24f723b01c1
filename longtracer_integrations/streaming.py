"""Guards of a streamed answer, and the one that holds all of it until it was checked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from .draft import Draft
from .outcome import GuardOutcome, noted
from .policy import Action, GuardrailPolicy
from .steps import Again, Check, Emit, Steps

__all__ = ["AnswerStream", "BufferStream", "DraftOf", "known"]

DraftOf = Callable[[str], Draft]


class AnswerStream(Protocol):
    """One streamed answer under guard: `feed` its text, `finish` at its end, then read `outcome`.

    Both return steps, to be run with `serve` or `serve_async`, which yield the text that is let out. After a step
    that stopped the stream, `stopped` is true and the rest of the answer is not wanted.
    """

    @property
    def stopped(self) -> bool: ...

    @property
    def outcome(self) -> GuardOutcome: ...

    def feed(self, text: str) -> Steps: ...

    def finish(self, *, can_retry: bool = False) -> Steps: ...


class BufferStream:
    """Lets nothing out before the verdict on the whole answer."""

    stopped = False

    def __init__(self, policy: GuardrailPolicy, draft_of: DraftOf | None = None) -> None:
        self._policy = policy
        self._draft_of = draft_of
        self._texts: list[str] = []
        self._outcome: GuardOutcome | None = None

    @property
    def outcome(self) -> GuardOutcome:
        """What was decided; there once the steps of `finish` have run."""
        return known(self._outcome)

    def feed(self, text: str) -> Steps:
        """Hold `text`."""
        self._texts.append(text)
        yield from ()

    def finish(self, *, can_retry: bool = False) -> Steps:
        """Judge what was fed."""
        if self._draft_of is None:
            raise RuntimeError("this stream was opened without draft_of")
        yield from self.judge(self._draft_of("".join(self._texts)), can_retry=can_retry)

    def judge(self, draft: Draft, *, can_retry: bool, retries: int = 0) -> Steps:
        """Check `draft`, follow the policy, and let out what it gives. `retries`: how many were used up before.

        Raises:
            GroundingBlocked: when the policy says "raise".
        """
        while True:
            case = yield Check(draft)
            action: Action = self._policy.action_for(case)
            if action != "retry" or not can_retry or retries >= self._policy.max_retries:
                break
            retries += 1
            draft = yield Again(self._policy.feedback(case))
        done = self._policy.apply(case, draft.answer, draft.documents or (), retried=True)
        self._outcome = GuardOutcome([done.text], done.action, noted(case, done.action, retries), draft, retries)
        if done.text:
            yield Emit(done.text)


def known(outcome: GuardOutcome | None) -> GuardOutcome:
    """`outcome`, which is there once a stream has ended.

    Raises:
        RuntimeError: before the end.
    """
    if outcome is None:
        raise RuntimeError("the guarded answer has no outcome before its end")
    return outcome

"""The guard that lets a streamed answer out sentence by sentence."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from longtracer import AssessmentAvailability, CaseResult, ReasonCode

from .case_offsets import case_of_segment
from .draft import Draft
from .outcome import GuardOutcome, noted
from .policy import Action, GuardrailPolicy
from .redaction import redact
from .sentence_gate import Segment, SentenceGate
from .steps import Again, Check, Emit, Steps
from .streaming import DraftOf, known

__all__ = ["SentenceStream"]

_NEAR = 300


class SentenceStream:
    """Holds each sentence until it is checked, lets it out, and stops at the first that the policy does not allow.

    A stretch that says nothing assessable (a heading, code) waits for the next sentence. The last sentence leaves
    with a check of the whole answer, so that the verdict is the same as without streaming.

    The checks grow with the length of the answer: when much is held that says nothing, what follows is looked at by
    itself, and all that is held only once that says something.
    """

    def __init__(self, policy: GuardrailPolicy, draft_of: DraftOf) -> None:
        self._policy = policy
        self._draft_of = draft_of
        self._gate = SentenceGate()
        self._text = ""
        self._held: list[Segment] = []
        self._next_try = 0
        self._pieces: list[str] = []
        self._action: Action = "pass"
        self._outcome: GuardOutcome | None = None
        self.stopped = False

    @property
    def outcome(self) -> GuardOutcome:
        """What was decided; there once the stream has stopped or finished."""
        return known(self._outcome)

    def feed(self, text: str) -> Steps:
        """Take the next piece of the answer and let out the sentences that are complete and checked."""
        if self.stopped:
            return
        self._text += text
        for segment in self._gate.feed(text):
            self._held.append(segment)
            yield from self._try_held()
            if self.stopped:
                return

    def finish(self, *, can_retry: bool = False) -> Steps:
        """Judge the whole answer and let out its last part.

        Raises:
            GroundingBlocked: when the policy says "raise".
        """
        held = [*self._held, *self._gate.flush()]
        start = held[0].start if held else len(self._text)
        draft = self._draft_of(self._text)
        case = yield Check(draft)
        yield from self._let_out(case, draft, start, whole=True)
        self._end(case, draft)

    def _try_held(self) -> Steps:
        """Check what is held, in the context it needs; keep it while there is nothing to check it by."""
        length = self._held[-1].end - self._held[0].start
        if length > _NEAR and len(self._held) > 1:
            last = yield from self._checked(self._held[-1:])
            if last is None or _says_nothing(last[0]) or length < self._next_try:
                return
        checked = yield from self._checked(self._held)
        if checked is None:
            return
        case, draft = checked
        if _says_nothing(case):
            self._next_try = 2 * length
            return
        yield from self._let_out(case, draft, self._held[0].start, whole=False)
        self._held, self._next_try = [], 0
        if self.stopped:
            self._end(case, self._draft_of(self._text))

    def _checked(
        self, segments: list[Segment]
    ) -> Generator[Check | Again | Emit, Any, tuple[CaseResult, Draft] | None]:
        """The case of adjacent segments and the draft it is about; None while there is nothing to check them by."""
        start, context = segments[0].start, segments[0].context
        text = self._text[start : segments[-1].end]
        draft = self._draft_of((context + text).rstrip())  # offsets are counted from the front
        if draft.documents is None:
            return None
        case = yield Check(draft)
        return case_of_segment(case, context_length=len(context), start=start), draft

    def _let_out(self, case: CaseResult, draft: Draft, start: int, *, whole: bool) -> Steps:
        """Let out the text from `start` to the end of what `case` is about, as the policy has it."""
        ending = len(self._text) if whole else self._held[-1].end
        text = self._text[start:ending]
        action = self._policy.action_for(case)
        if action == "annotate" and whole:
            yield from self._emit(text + self._policy.note(case), action)
        elif action in ("pass", "annotate"):  # a note goes behind the whole answer only
            yield from self._emit(text, "pass")
        elif action == "redact" and (redacted := redact(self._text[:ending], case, start=start)) is not None:
            yield from self._emit(redacted, action)
        else:
            done = self._policy.apply(case, text, draft.documents or (), retried=True)
            self.stopped = True
            yield from self._emit(self._policy.blocked_text(case) if action == "redact" else done.text, action)

    def _emit(self, text: str, action: Action) -> Steps:
        if action != "pass":
            self._action = action
        if text:
            self._pieces.append(text)
            yield Emit(text)

    def _end(self, case: CaseResult, draft: Draft) -> None:
        self._outcome = GuardOutcome(self._pieces, self._action, noted(case, self._action, 0), draft)


def _says_nothing(case: CaseResult) -> bool:
    """Whether the text holds no claim at all; an honest refusal is something that may be let out."""
    return (
        case.availability is AssessmentAvailability.NO_ASSESSABLE_CLAIMS
        and case.reason is not ReasonCode.HONEST_UNCERTAINTY_ONLY
    )

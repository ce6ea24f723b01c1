"""Guards the stream of a chain: chunks in, chunks out, of whatever type the chain streams."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.runnables.utils import AddableDict

from longtracer_integrations.draft import Draft
from longtracer_integrations.guard import GuardCore
from longtracer_integrations.outcome import GuardOutcome
from longtracer_integrations.steps import Emit, Steps, mapped
from longtracer_integrations.streaming import BufferStream

from .answer import FoundAnswer
from .capture_options import CaptureOptions
from .chunks import added, answer_key_of, answer_text, harmless_part
from .guard_draft import found_answer
from .guarded_messages import METADATA_KEY, guarded_message
from .guarded_outputs import guarded_output

__all__ = ["ChunkGuard", "MakeDraft"]

MakeDraft = Callable[[str, Any], Draft]
"""Makes the draft of an answer text, given the output it is part of, as far as that is known."""


class ChunkGuard:
    """One guarded stream. Its steps let chunks out: what holds no answer text at once, the rest by the verdict.

    Where the answer cannot be told from the rest of a chunk, all of it waits for the end.
    """

    def __init__(self, core: GuardCore, options: CaptureOptions, make_draft: MakeDraft, inputs: object = None) -> None:
        self._policy = core.policy
        self._options = options
        self._make_draft = make_draft
        self._inputs = inputs
        self._sentences = core.lets_sentences_out
        self._answer = core.open_stream(lambda text: make_draft(text, self._total))
        self._total: Any = None
        self._held: list[Any] = []
        self._shown: set[str] = set()
        self._form: Any = None
        self.outcome: GuardOutcome | None = None

    @property
    def stopped(self) -> bool:
        """Whether the rest of the stream is not wanted."""
        return self._answer.stopped

    def feed(self, chunk: Any) -> Steps:
        """Take a chunk."""
        self._total = added(self._total, chunk)
        part = harmless_part(chunk, self._options.context_key)
        if part:
            self._shown |= part.keys()
            yield Emit(AddableDict(part))
        text = answer_text(chunk, self._options.answer_key) if self._sentences else None
        if text:
            self._form = chunk
            yield from self._formed(self._answer.feed(text))
        elif not part or part.keys() != chunk.keys():
            self._held.append(chunk)

    def finish(self, output: Any = None, *, can_retry: bool = False) -> Steps:
        """Judge the whole. `output`: of the chain, where its chunks do not add up to it.

        Raises:
            GroundingBlocked: when the policy says "raise".
            InvalidInputError: when no answer can be found.
        """
        if self._form is not None:
            yield from self._finish_sentences()
            return
        output = self._total if output is None else output
        found = found_answer(output, self._options, self._inputs)
        if found is None:  # a tool call, or a stop for a human: not an answer yet
            yield from self._let_held_out()
            return
        judge = BufferStream(self._policy)
        steps = judge.judge(self._make_draft(found.text or "", output), can_retry=can_retry)
        yield from mapped(steps, lambda _: [])  # the text is put into chunks below
        self.outcome = judge.outcome
        yield from self._let_out(judge.outcome)

    def _let_out(self, outcome: GuardOutcome) -> Steps:
        if not outcome.changed and outcome.retries == 0:
            yield from self._let_held_out()
            yield from self._metadata(outcome)
            return
        output = outcome.draft.output
        found = found_answer(output, self._options, self._inputs) or FoundAnswer()
        yield Emit(self._unshown(guarded_output(output, found, outcome)))

    def _let_held_out(self) -> Steps:
        for chunk in self._held:
            yield Emit(self._unshown(chunk))

    def _metadata(self, outcome: GuardOutcome) -> Steps:
        """A last chunk that only carries the result."""
        if isinstance(self._total, Mapping):
            yield Emit(AddableDict({METADATA_KEY: outcome.case}))
        elif isinstance(self._total, BaseMessage):
            empty = AIMessageChunk(content="", id=self._total.id)
            yield Emit(guarded_message(empty, outcome))

    def _finish_sentences(self) -> Steps:
        if not self.stopped:
            yield from self._formed(self._answer.finish())
        outcome = self.outcome = self._answer.outcome
        if isinstance(self._total, Mapping):
            rest = {} if outcome.changed else self._unshown(self._total)
            rest.pop(answer_key_of(self._form, self._options.answer_key), None)
            yield Emit(AddableDict({**rest, METADATA_KEY: outcome.case}))
        elif isinstance(self._total, BaseMessage):
            yield Emit(guarded_message(self._total, outcome).model_copy(update={"content": ""}))

    def _formed(self, steps: Steps) -> Steps:
        """`steps`, with the text they let out in chunks like the ones that came in."""
        return mapped(steps, lambda text: [self._like(self._form, text)])

    def _like(self, form: Any, text: str) -> Any:
        if isinstance(form, BaseMessage):
            return AIMessageChunk(content=text, id=form.id)
        if isinstance(form, Mapping):
            key = answer_key_of(form, self._options.answer_key) or ""
            return AddableDict({key: self._like(form[key], text)})
        return text

    def _unshown(self, chunk: Any) -> Any:
        if not isinstance(chunk, Mapping):
            return chunk
        return AddableDict({key: value for key, value in chunk.items() if key not in self._shown})

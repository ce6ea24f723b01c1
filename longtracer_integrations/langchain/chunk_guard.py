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
from .chunks import added, alike, answer_key_of, answer_text, joined, remaining, unshown, without_case
from .early_entries import EarlyEntries
from .graph_chunks import StateParts
from .guard_draft import found_answer
from .guarded_messages import METADATA_KEY, guarded_message
from .guarded_outputs import guarded_output

__all__ = ["ChunkGuard", "MakeDraft"]

MakeDraft = Callable[[str, Any], Draft]
"""Makes the draft of an answer text, given the output it is part of, as far as that is known."""


class ChunkGuard:
    """One guarded stream. Its steps let chunks out: what holds no answer text at once, the rest by the verdict.

    What is judged is the sum of the chunks, as LangChain adds them, and nothing else leaves: where chunks do not add
    up, the whole that was judged leaves instead of them, once. The chunks of a graph are judged by its state.

    inputs: of the chain; `knows_inputs=False` where they cannot be seen.
    """

    def __init__(
        self,
        core: GuardCore,
        options: CaptureOptions,
        make_draft: MakeDraft,
        inputs: object = None,
        *,
        knows_inputs: bool = True,
        of_graph: bool = False,
    ) -> None:
        self._policy = core.policy
        self._options = options
        self._make_draft = make_draft
        self._inputs = inputs
        self._early = EarlyEntries(options, inputs, knows_inputs=knows_inputs)
        self._parts = StateParts(inputs) if of_graph else None
        self._sentences = core.lets_sentences_out and not of_graph
        self._answer = core.open_stream(lambda text: make_draft(text, self._total))
        self._total: Any = None
        self._adds_up = True
        self._held: list[Any] = []
        self._shown: dict[str, Any] = {}
        self._form: Any = None
        self._fed = ""
        self._released = ""
        self.outcome: GuardOutcome | None = None

    @property
    def stopped(self) -> bool:
        """Whether the rest of the stream is not wanted."""
        return self._answer.stopped

    def feed(self, chunk: Any) -> Steps:
        """Take a chunk."""
        part = self._take_early(chunk)
        self._add(chunk)
        if part:
            yield Emit(AddableDict(part))
        text = answer_text(chunk, self._options.answer_key) if self._carries_on(chunk) else None
        if text:
            self._form = chunk
            self._fed += text
            yield from self._formed(self._answer.feed(text))
        elif not part:
            self._held.append(chunk)
        elif part.keys() != chunk.keys():
            self._held.append(AddableDict({key: value for key, value in chunk.items() if key not in part}))

    def finish(self, state: Any = None, *, can_retry: bool = False) -> Steps:
        """Judge the whole. `state`: of a graph, at its end.

        Raises:
            GroundingBlocked: when the policy says "raise".
            InvalidInputError: when no answer can be found.
        """
        output = self._total if state is None else state
        if self._form is not None and (self.stopped or self._was_fed(output)):
            yield from self._finish_sentences()
            return
        found = found_answer(output, self._options, self._inputs)
        if found is None:  # a tool call, or a stop for a human: not an answer yet
            yield from self._let_held_out(output)
            return
        judge = BufferStream(self._policy)
        steps = judge.judge(self._make_draft(found.text or "", output), can_retry=can_retry)
        yield from mapped(steps, lambda _: [])  # the text is put into chunks below
        outcome = self.outcome = judge.outcome
        guarded = self._guarded(outcome)
        if outcome.changed or outcome.retries > 0:
            yield from self._let_rest_out(guarded)
        else:
            yield from self._let_held_out(guarded, outcome)

    def _take_early(self, chunk: Any) -> dict[str, Any]:
        """What of a chunk leaves at once; an entry that comes again and cannot be added stays for the end."""
        part = self._early.of(chunk)
        if not isinstance(chunk, AddableDict):
            part = {key: value for key, value in part.items() if key not in self._shown}
        for key, value in part.items():
            self._shown[key] = added(self._shown.get(key), value)
        return part

    def _add(self, chunk: Any) -> None:
        if self._parts is not None:
            self._total = chunk  # the state is what counts
            return
        total, whole = joined(self._total, chunk)
        if not whole:
            self._adds_up = False
            if isinstance(total, Mapping):  # what was shown is still part of the whole
                total = {**self._shown, **total}
        self._total = total

    def _carries_on(self, chunk: Any) -> bool:
        """Whether the text of a chunk is the next piece of the answer."""
        if not self._sentences or not self._adds_up:
            return False
        if self._form is None or not isinstance(chunk, Mapping):
            return True
        key = answer_key_of(chunk, self._options.answer_key)
        return key == answer_key_of(self._form, self._options.answer_key)

    def _was_fed(self, output: Any) -> bool:
        """Whether the answer is the text that was checked sentence by sentence."""
        if not self._adds_up:
            return False
        found = found_answer(output, self._options, self._inputs)
        return found is None or found.text == self._fed

    def _guarded(self, outcome: GuardOutcome) -> Any:
        output = outcome.draft.output
        found = found_answer(output, self._options, self._inputs) or FoundAnswer()
        return guarded_output(output, found, outcome)

    def _let_held_out(self, judged: Any, outcome: GuardOutcome | None = None) -> Steps:
        """Let the chunks out as they came, where they are what was judged; else that, once."""
        if self._parts is not None:
            self._parts.note(without_case(judged))
            yield from map(Emit, self._parts.of(self._held, self._shown))
        elif self._adds_up and alike(without_case(judged), without_case(self._total)):
            yield from map(Emit, self._held)
        else:
            yield from self._let_rest_out(judged)
            return
        if outcome is not None:
            yield from self._metadata(outcome)

    def _let_rest_out(self, judged: Any) -> Steps:
        """Let out what was judged, without what left before."""
        if isinstance(judged, Mapping):
            yield Emit(unshown(judged, self._shown))
        elif not self._released:
            yield Emit(judged)
        elif (rest := remaining(judged, self._released)) is not None:
            yield Emit(rest)

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
            rest = {} if outcome.changed else unshown(self._guarded(outcome), self._shown)
            rest.pop(answer_key_of(self._form, self._options.answer_key) or "", None)
            yield Emit(AddableDict({**rest, METADATA_KEY: outcome.case}))
        elif isinstance(self._total, BaseMessage):
            yield Emit(guarded_message(self._total, outcome).model_copy(update={"content": ""}))

    def _formed(self, steps: Steps) -> Steps:
        """`steps`, with the text they let out in chunks like the ones that came in."""
        return mapped(steps, lambda text: [self._like(self._form, text)])

    def _like(self, form: Any, text: str) -> Any:
        if isinstance(form, Mapping):
            key = answer_key_of(form, self._options.answer_key) or ""
            self._shown[key] = self._shown.get(key, "") + text
            return AddableDict({key: _text_like(form[key], text)})
        self._released += text
        return _text_like(form, text)


def _text_like(form: Any, text: str) -> Any:
    return AIMessageChunk(content=text, id=form.id) if isinstance(form, BaseMessage) else text

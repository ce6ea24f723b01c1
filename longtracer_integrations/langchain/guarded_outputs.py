"""Puts the text that a guard lets out into the output of a pipeline, whatever its type."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from langchain_core.documents import Document
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, Generation, LLMResult
from pydantic import BaseModel

from longtracer import InvalidInputError
from longtracer_integrations.outcome import GuardOutcome
from longtracer_integrations.redaction import redact
from longtracer_integrations.withheld import Withheld, blanked, with_fields

from .answer import FoundAnswer, find_answer, generation_texts, is_message_list, joined_texts
from .guarded_messages import METADATA_KEY, guarded_message
from .keys import CONTEXT_KEYS
from .messages import message_text, spoken_in_turn, turn_start

__all__ = ["guarded_output", "guarded_result", "guarded_value"]


def guarded_output(output: Any, found: FoundAnswer, outcome: GuardOutcome) -> Any:
    """`output`, of the same type, with the guarded text in the place of the answer that was `found` in it.

    A mapping gains the key `longtracer`, a message the same key in its `response_metadata`. When the model's text
    was withheld, it goes wherever else the output repeats it, except from documents and from what the user said.

    Raises:
        InvalidInputError: when the text is another one, and no place for it can be found.
    """
    if isinstance(output, Mapping):
        return {**_Places(outcome).in_mapping(output, found), METADATA_KEY: outcome.case}
    return guarded_value(output, found.key, outcome)


def guarded_value(value: Any, key: str | None, outcome: GuardOutcome) -> Any:
    """`value`, which is the answer or holds it under `key` (None: where answers usually are), guarded.

    Raises:
        InvalidInputError: as `guarded_output`.
    """
    return _Places(outcome).put(value, key)


def guarded_result(messages: Sequence[BaseMessage], outcome: GuardOutcome) -> list[BaseMessage]:
    """The messages of one model call, guarded; the last one in which the model speaks carries the case."""
    return list(_Places(outcome).in_messages(messages))


class _Places:
    """The places of one output that hold what the model said."""

    def __init__(self, outcome: GuardOutcome) -> None:
        self._outcome = outcome
        self._withheld = Withheld(outcome)

    def in_mapping(self, output: Mapping[str, Any], found: FoundAnswer) -> dict[str, Any]:
        """A mapping whose entry `found.key` holds the answer."""
        if found.key is None or found.key not in output:
            return dict(self._unchanged(output))
        if {"raw", "parsed"} <= output.keys() and isinstance(output["raw"], BaseMessage):
            # The raw message spells the structured answer out again, as JSON or as a tool call.
            placed = {"raw": guarded_message(output["raw"], self._outcome)}
            if output["parsed"] is not None:
                placed["parsed"] = self.put(output["parsed"], None)
        else:
            placed = {found.key: self.put(output[found.key], None)}
        if not self._outcome.changed:
            return {**output, **placed}
        rest = {key: value for key, value in output.items() if key not in placed}
        cleaned = {key: self._scrubbed(value, context=key in CONTEXT_KEYS) for key, value in rest.items()}
        return {key: placed[key] if key in placed else cleaned[key] for key in output}

    def put(self, value: Any, key: str | None) -> Any:
        """The guarded text in the place of the answer that is, or is in, `value`."""
        outcome = self._outcome
        if isinstance(value, str):
            return outcome.text
        if isinstance(value, BaseMessage):
            return guarded_message(value, outcome)
        if isinstance(value, Mapping):
            return self.in_mapping(value, find_answer(value, answer_key=key, whole=True))
        if isinstance(value, LLMResult):
            return self._in_generations(value)
        if is_message_list(value):
            return self.in_messages(value)
        if isinstance(value, list | tuple) and value and all(isinstance(entry, str) for entry in value):
            return _like(value, self._shares(value))
        return self._in_fields(value, key)

    def in_messages(self, messages: Sequence[Any]) -> Any:
        """What the model says in this turn, guarded; earlier turns have been shown already."""
        spoken = spoken_in_turn(messages) or [len(messages) - 1]
        if not self._outcome.changed:
            last = {spoken[-1]: guarded_message(messages[spoken[-1]], self._outcome)}
            return _like(messages, [last.get(index, message) for index, message in enumerate(messages)])
        shares = self._shares([message_text(messages[index]) for index in spoken])
        placed = dict(zip(spoken, shares, strict=True))
        start = turn_start(messages)
        guarded = []
        for index, message in enumerate(messages):
            if index in placed:
                guarded.append(guarded_message(message, self._outcome, placed[index]))
            else:
                guarded.append(message if index < start else self._scrubbed(message))
        return _like(messages, guarded)

    def _in_generations(self, result: LLMResult) -> LLMResult:
        if not self._outcome.changed:
            return self._each_generation(result, lambda one: self._generation(one, None))
        shares = iter(self._shares(generation_texts(result), first=True))
        guarded = self._each_generation(result, lambda one: self._generation(one, next(shares)))
        return guarded.model_copy(update={"llm_output": self._scrubbed(result.llm_output)})

    def _each_generation(self, result: LLMResult, change: Callable[[Any], Any]) -> LLMResult:
        return result.model_copy(update={"generations": [[change(one) for one in each] for each in result.generations]})

    def _generation(self, one: Generation, text: str | None) -> Generation:
        if isinstance(one, ChatGeneration):
            message = guarded_message(one.message, self._outcome, text)
            update: dict[str, Any] = {"message": message, "text": message_text(message)}
        else:
            update = {} if text is None else {"text": text}
        if self._outcome.changed and self._outcome.action != "annotate":
            update["generation_info"] = None  # log probabilities spell the text out
        return one.model_copy(update=update)

    def _in_fields(self, value: Any, key: str | None) -> Any:
        """A structured output with another answer; when that was blocked, its other texts are withheld as well."""
        outcome = self._outcome
        if not outcome.changed:
            return value
        if isinstance(value, Generation):
            return self._generation(value, outcome.text)
        is_structured = isinstance(value, BaseModel) or (
            dataclasses.is_dataclass(value) and not isinstance(value, type)
        )
        found = FoundAnswer(key=key) if key is not None else find_answer(value, whole=True)
        if not is_structured or found.key is None:
            return self._unchanged(value)
        rest = self._scrubbed(value) if outcome.action in ("annotate", "redact") else blanked(value, self._handled)
        return with_fields(rest, {found.key: outcome.text})

    def _unchanged(self, value: Any) -> Any:
        if self._outcome.changed:
            kind = type(value).__name__
            raise InvalidInputError(f"the answer must not leave, and its place in the {kind} was not found")
        return value

    def _shares(self, texts: Sequence[str], *, first: bool = False) -> list[str]:
        """What was let out, divided among the `texts` that were checked together.

        Where no text can be said to come from one of them, the last takes all of it (or the `first`).
        """
        outcome, present = self._outcome, [text for text in texts if text]
        whole = joined_texts(present)
        place = 0 if first else len(texts) - 1
        if len(present) > 1 and whole == outcome.draft.answer:
            if outcome.action == "annotate" and outcome.text.startswith(whole):
                note = outcome.text[len(whole) :]
                return [text + note if index == place else text for index, text in enumerate(texts)]
            if outcome.action == "redact" and outcome.text == redact(whole, outcome.case):
                return self._redacted(texts)
        return [outcome.text if index == place else "" for index in range(len(texts))]

    def _redacted(self, texts: Sequence[str]) -> list[str]:
        claims = self._outcome.case.unsupported_claims
        spans = [(c.char_start, c.char_end) for c in claims if c.char_start is not None and c.char_end is not None]
        kept, start = [], 0
        for text in texts:
            removed = {at - start for left, right in spans for at in range(left, right)}
            kept.append("".join(letter for at, letter in enumerate(text) if at not in removed))
            start += len(text) + len(joined_texts(["", ""])) if text else 0
        return kept

    def _scrubbed(self, value: Any, *, context: bool = False) -> Any:
        return self._withheld.scrub(value, self._handled, context=context)

    def _handled(self, value: Any) -> Any:
        if isinstance(value, Document):
            return value
        if isinstance(value, AIMessage):
            return self._message(value)
        if isinstance(value, ToolMessage):
            return self._tool_message(value)
        if isinstance(value, BaseMessage):
            return value  # what the user said, and the system's own
        if isinstance(value, tuple) and len(value) == 2 and value[0] in ("human", "user", "system"):
            return value
        return NotImplemented

    def _message(self, message: AIMessage) -> AIMessage:
        """A message of the model that is not the answer, but may repeat it, in its text or in what it asks tools."""
        text = message_text(message)
        shown = self._withheld.text(text)
        if shown != text and not message.tool_calls:
            return guarded_message(message, self._outcome, shown)
        calls = [{**call, "args": self._withheld.scrub(call["args"])} for call in message.tool_calls]
        more = (str(message.content), str(message.additional_kwargs))  # reasoning, blocks of another kind
        if shown == text and calls == message.tool_calls and not any(map(self._withheld.holds, more)):
            return message
        guarded = guarded_message(message, self._outcome, shown if shown == text else "")
        return guarded.model_copy(update={"tool_calls": calls})

    def _tool_message(self, message: ToolMessage) -> ToolMessage:
        """What a tool found stays; what it echoes of the answer (a structured response does) goes."""
        text = message_text(message)
        if not self._withheld.holds(text) or self._withheld.is_document(text):
            return message
        return message.model_copy(update={"content": "", "artifact": self._scrubbed(message.artifact)})


def _like(value: Sequence[Any], entries: Sequence[Any]) -> Any:
    if hasattr(value, "_make"):
        return value._make(entries)
    return tuple(entries) if isinstance(value, tuple) else list(entries)

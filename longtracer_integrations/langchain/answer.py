"""Finds the answer in the output of a pipeline."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, Generation, LLMResult
from pydantic import BaseModel

from .keys import ANSWER_KEYS, CONTEXT_KEYS, QUESTION_KEYS
from .messages import final_message, is_tool_call, message_text

__all__ = ["FoundAnswer", "find_answer"]


@dataclass(frozen=True, slots=True)
class FoundAnswer:
    """`text` is None when there is no answer.

    key        the key of a mapping (or the field of a structured output) that holds it
    several    names of the keys that could each be the answer, when no choice can be made
    unfinished the pipeline stopped to wait for a human, or for a tool
    """

    text: str | None = None
    key: str | None = None
    several: tuple[str, ...] = ()
    unfinished: bool = False


def find_answer(output: object, *, answer_key: str | None = None, inputs: object = None) -> FoundAnswer:
    """Find the answer in `output`: text, a message, a mapping, a structured output, or messages of an agent.

    answer_key  the key or field that holds it, if it is none of the usual ones
    inputs      of the same run; what was only passed through is no answer
    """
    if isinstance(output, str):
        return FoundAnswer(str(output))
    if isinstance(output, BaseMessage):
        return _of_message(output)
    if isinstance(output, Mapping):
        return _of_mapping(output, answer_key, inputs)
    if isinstance(output, LLMResult):
        return _of_generations(output)
    if isinstance(output, BaseModel) or (dataclasses.is_dataclass(output) and not isinstance(output, type)):
        return _of_fields(output, answer_key)
    if isinstance(output, Sequence) and output and isinstance(output[-1], BaseMessage):
        return _of_messages(output)
    return FoundAnswer()


def _of_message(message: BaseMessage) -> FoundAnswer:
    if is_tool_call(message):
        return FoundAnswer(unfinished=True)
    return FoundAnswer(message_text(message))


def _of_messages(messages: Sequence[object]) -> FoundAnswer:
    final = final_message(messages)
    if final is not None:
        return FoundAnswer(message_text(final), "messages")
    waiting = isinstance(messages[-1], AIMessage) if messages else False
    return FoundAnswer(unfinished=waiting)


def _of_generations(result: LLMResult) -> FoundAnswer:
    first = result.generations[0][0] if result.generations and result.generations[0] else None
    if isinstance(first, ChatGeneration):
        return _of_message(first.message)
    return FoundAnswer(first.text if isinstance(first, Generation) else None)


def _of_mapping(output: Mapping[str, object], answer_key: str | None, inputs: object) -> FoundAnswer:
    if output.get("__interrupt__"):
        return FoundAnswer(unfinished=True)
    if answer_key is not None and answer_key in output:
        return _under(answer_key, output[answer_key])
    if {"raw", "parsed"} <= output.keys():
        return _of_raw_and_parsed(output)
    structured = output.get("structured_response")
    if structured is not None and (found := find_answer(structured, answer_key=answer_key)).text is not None:
        return FoundAnswer(found.text, "structured_response")
    for key in ANSWER_KEYS:
        if key in output and (found := _under(key, output[key])).text is not None:
            return found
    messages = output.get("messages")
    if isinstance(messages, Sequence) and not isinstance(messages, str) and messages:
        return _of_messages(messages)
    return _only_text(output, inputs)


def _of_raw_and_parsed(output: Mapping[str, object]) -> FoundAnswer:
    parsed = output.get("parsed")
    if parsed is not None:
        return FoundAnswer(find_answer(parsed).text, "parsed")
    return FoundAnswer(find_answer(output.get("raw")).text, "raw")


def _under(key: str, value: object) -> FoundAnswer:
    if isinstance(value, Mapping):
        return FoundAnswer()
    found = find_answer(value)
    return FoundAnswer(found.text, key, found.several, found.unfinished)


def _only_text(output: Mapping[str, object], inputs: object) -> FoundAnswer:
    """The only entry that is text and was not passed through; several cannot be told apart."""
    given = inputs if isinstance(inputs, Mapping) else {}
    passed = inputs if isinstance(inputs, str) else None
    found = {
        key: answer
        for key, value in output.items()
        if key not in (*CONTEXT_KEYS, *QUESTION_KEYS)
        and not (key in given and given[key] == value)
        and not (passed is not None and value == passed)
        and (answer := _branch(value)).text is not None
    }
    if len(found) == 1:
        key, answer = next(iter(found.items()))
        return FoundAnswer(answer.text, key)
    return FoundAnswer(several=tuple(map(str, found)))


def _branch(value: object) -> FoundAnswer:
    is_chain_output = isinstance(value, Mapping) and any(key in value for key in (*ANSWER_KEYS, "messages"))
    if is_chain_output or isinstance(value, str | AIMessage | BaseModel):
        return find_answer(value)
    return FoundAnswer()


def _of_fields(output: object, answer_key: str | None) -> FoundAnswer:
    fields = _fields(output)
    for key in (answer_key, *ANSWER_KEYS):
        if key is not None and isinstance(value := fields.get(key), str):
            return FoundAnswer(value, key)
    texts = {key: value for key, value in fields.items() if isinstance(value, str)}
    if len(texts) == 1:
        key, text = next(iter(texts.items()))
        return FoundAnswer(text, key)
    return FoundAnswer(several=tuple(texts))


def _fields(output: object) -> dict[str, object]:
    if isinstance(output, BaseModel):
        return {name: getattr(output, name) for name in type(output).model_fields}
    return {field.name: getattr(output, field.name) for field in dataclasses.fields(output)}  # type: ignore[arg-type]

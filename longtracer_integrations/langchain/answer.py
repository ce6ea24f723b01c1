"""Finds the answer in the output of a pipeline."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, Generation, LLMResult
from pydantic import BaseModel

from .keys import ANSWER_KEYS, CONTEXT_KEYS, QUESTION_KEYS
from .messages import final_message, is_tool_call, message_text, spoken_in_turn

__all__ = ["FoundAnswer", "find_answer", "generation_texts", "is_message_list", "joined_texts"]


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


def find_answer(
    output: object, *, answer_key: str | None = None, inputs: object = None, whole: bool = False
) -> FoundAnswer:
    """Find the answer in `output`: text, a message, a mapping, a structured output, or messages of an agent.

    answer_key  the key or field that holds it, if it is none of the usual ones
    inputs      of the same run; what was only passed through is no answer
    whole       all that the model says in this turn, for a guard: it must not let out what nobody has read. Else the
                last message, and the first of several generations, is the answer
    """
    if isinstance(output, str):
        return FoundAnswer(str(output))
    if isinstance(output, BaseMessage):
        return _of_message(output)
    if isinstance(output, Mapping):
        return _of_mapping(output, answer_key, inputs, whole)
    if isinstance(output, LLMResult):
        return _of_generations(output, whole)
    if isinstance(output, BaseModel) or (dataclasses.is_dataclass(output) and not isinstance(output, type)):
        return _of_fields(output, answer_key)
    if is_message_list(output):
        return _of_messages(output, whole)
    return FoundAnswer()


def is_message_list(value: object) -> bool:
    """Whether `value` is a sequence of messages with one at its end."""
    is_sequence = isinstance(value, Sequence) and not isinstance(value, str | bytes)
    return is_sequence and bool(value) and isinstance(value[-1], BaseMessage)  # type: ignore[index]


def joined_texts(texts: Sequence[str]) -> str:
    """Several texts that are checked as one answer."""
    return "\n\n".join(texts)


def _of_message(message: BaseMessage) -> FoundAnswer:
    if is_tool_call(message):
        return FoundAnswer(unfinished=True)
    return FoundAnswer(message_text(message))


def _of_messages(messages: object, whole: bool) -> FoundAnswer:
    assert isinstance(messages, Sequence)
    final = final_message(messages)
    if final is not None:
        said = [message_text(messages[index]) for index in spoken_in_turn(messages)] if whole else []
        return FoundAnswer(joined_texts(said) or message_text(final), "messages")
    waiting = isinstance(messages[-1], AIMessage) if messages else False
    return FoundAnswer(unfinished=waiting)


def _of_generations(result: LLMResult, whole: bool) -> FoundAnswer:
    first = result.generations[0][0] if result.generations and result.generations[0] else None
    if isinstance(first, ChatGeneration) and is_tool_call(first.message):
        return FoundAnswer(unfinished=True)
    if not isinstance(first, Generation):
        return FoundAnswer()
    texts = generation_texts(result)
    return FoundAnswer(joined_texts([text for text in texts if text]) if whole else texts[0])


def generation_texts(result: LLMResult) -> list[str]:
    """The text of each generation, in order."""
    return [
        message_text(one.message) if isinstance(one, ChatGeneration) else one.text
        for several in result.generations
        for one in several
    ]


def _of_mapping(output: Mapping[str, object], answer_key: str | None, inputs: object, whole: bool) -> FoundAnswer:
    if output.get("__interrupt__"):
        return FoundAnswer(unfinished=True)
    if answer_key is not None and answer_key in output:
        return _under(answer_key, output[answer_key], whole)
    if {"raw", "parsed"} <= output.keys():
        return _of_raw_and_parsed(output)
    structured = output.get("structured_response")
    if structured is not None:
        found = find_answer(structured, answer_key=answer_key, whole=whole)
        if found.text is not None:
            return FoundAnswer(found.text, "structured_response")
    if (usual := _under_usual_keys(output, inputs, whole)) is not None:
        return usual
    messages = output.get("messages")
    if isinstance(messages, Sequence) and not isinstance(messages, str) and messages:
        return _of_messages(messages, whole)
    return _only_text(output, inputs, whole)


def _under_usual_keys(output: Mapping[str, object], inputs: object, whole: bool) -> FoundAnswer | None:
    """The answer under the usual keys; when they hold different texts, none can be chosen."""
    answers = {key: _under(key, output[key], whole) for key in ANSWER_KEYS if key in output}
    found = {key: answer for key, answer in answers.items() if answer.text is not None or answer.several}
    if not found:
        return None
    new = {key: answer for key, answer in found.items() if not _was_given(key, output[key], inputs)} or found
    first = next(iter(new.values()))
    if len({(answer.text or "").strip() for answer in new.values()}) > 1:
        return FoundAnswer(several=tuple(new))
    if whole and first.text is not None and _says_more(output, first.text, inputs):
        return FoundAnswer(several=(*new, "messages"))
    return first


def _says_more(output: Mapping[str, object], answer: str, inputs: object) -> bool:
    """Whether the model says something else in the messages of this turn, beside the `answer`."""
    messages = output.get("messages")
    if not isinstance(messages, Sequence) or isinstance(messages, str) or _was_given("messages", messages, inputs):
        return False
    return any(message_text(messages[index]).strip() != answer.strip() for index in spoken_in_turn(messages))


def _was_given(key: str, value: object, inputs: object) -> bool:
    """Whether an entry of an output was only passed through."""
    if isinstance(inputs, Mapping):
        return key in inputs and inputs[key] == value
    return isinstance(inputs, str) and value == inputs


def _of_raw_and_parsed(output: Mapping[str, object]) -> FoundAnswer:
    parsed = output.get("parsed")
    if parsed is not None:
        return FoundAnswer(find_answer(parsed).text, "parsed")
    return FoundAnswer(find_answer(output.get("raw")).text, "raw")


def _under(key: str, value: object, whole: bool) -> FoundAnswer:
    if isinstance(value, list | tuple) and value and all(isinstance(entry, str) for entry in value):
        return FoundAnswer(joined_texts(value), key)
    found = find_answer(value, whole=whole)
    return FoundAnswer(found.text, key, found.several, found.unfinished)


def _only_text(output: Mapping[str, object], inputs: object, whole: bool) -> FoundAnswer:
    """The only entry that is text and was not passed through; several cannot be told apart."""
    given = inputs if isinstance(inputs, Mapping) else {}
    passed = inputs if isinstance(inputs, str) else None
    found = {
        key: answer
        for key, value in output.items()
        if key not in (*CONTEXT_KEYS, *QUESTION_KEYS)
        and not (key in given and given[key] == value)
        and not (passed is not None and value == passed)
        and (answer := _branch(value, whole)).text is not None
    }
    if len(found) == 1:
        key, answer = next(iter(found.items()))
        return FoundAnswer(answer.text, key)
    return FoundAnswer(several=tuple(map(str, found)))


def _branch(value: object, whole: bool) -> FoundAnswer:
    is_chain_output = isinstance(value, Mapping) and any(key in value for key in (*ANSWER_KEYS, "messages"))
    if is_chain_output or isinstance(value, str | AIMessage | BaseModel):
        return find_answer(value, whole=whole)
    return FoundAnswer()


def _of_fields(output: object, answer_key: str | None) -> FoundAnswer:
    fields = _fields(output)
    if answer_key is not None and isinstance(value := fields.get(answer_key), str):
        return FoundAnswer(value, answer_key)
    texts = {key: value for key, value in fields.items() if isinstance(value, str)}
    usual = {key: texts[key] for key in ANSWER_KEYS if key in texts}
    if len({text.strip() for text in usual.values()}) == 1 or len(texts) == 1:
        key, text = next(iter((usual or texts).items()))
        return FoundAnswer(text, key)
    return FoundAnswer(several=tuple(usual or texts))


def _fields(output: object) -> dict[str, object]:
    if isinstance(output, BaseModel):
        return {name: getattr(output, name) for name in type(output).model_fields}
    return {field.name: getattr(output, field.name) for field in dataclasses.fields(output)}  # type: ignore[arg-type]

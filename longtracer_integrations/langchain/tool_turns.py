"""What the model says in a turn that is not over: beside a call of a tool, or before a stop for a human."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, LLMResult

from longtracer_integrations.draft import Draft
from longtracer_integrations.policy import GuardrailPolicy
from longtracer_integrations.steps import Check, Emit, Steps

from .answer import is_message_list, joined_texts
from .messages import message_text, turn_start

__all__ = ["checked_turn", "without_text"]

_TEXT_BLOCKS = ("text", "output_text", "refusal")

_Change = Callable[[AIMessage], AIMessage]


def checked_turn(output: Any, make_draft: Callable[[str, Any], Draft], policy: GuardrailPolicy) -> Steps:
    """Let `output` out, an output without an answer; text in its messages only when that passes the check.

    Such text is no answer, so that no other policy applies to it: the calls must go on.
    """
    texts: list[str] = []

    def note(message: AIMessage) -> AIMessage:
        texts.append(message_text(message))
        return message

    _each(output, note)
    said = joined_texts([text for text in texts if text.strip()])
    if said:
        draft = make_draft(said, output)
        # Nothing was looked up yet, so that nothing supports a statement about it.
        case = yield Check(replace(draft, documents=draft.documents or ()))
        if policy.action_for(case) != "pass":
            output = _each(output, without_text)
    yield Emit(output)


def without_text(message: AIMessage) -> AIMessage:
    """`message` with its calls alone; reasoning stays, which models want back."""
    content: Any = ""
    if isinstance(message.content, list):
        blocks = [block for block in message.content if isinstance(block, dict)]
        content = [block for block in blocks if block.get("type") not in _TEXT_BLOCKS]
    metadata = {key: value for key, value in message.response_metadata.items() if key != "logprobs"}
    return message.model_copy(update={"content": content, "response_metadata": metadata})


def _each(output: Any, change: _Change) -> Any:
    """`output` with `change` made to each message of the model in this turn; itself where nothing changes."""
    if isinstance(output, AIMessage):
        return change(output)
    if is_message_list(output):
        start = turn_start(output)
        changed = [_each(one, change) if index >= start else one for index, one in enumerate(output)]
        if all(new is old for new, old in zip(changed, output, strict=True)):
            return output
        return output._make(changed) if hasattr(output, "_make") else type(output)(changed)
    if isinstance(output, Mapping):
        entries = {key: _each(value, change) for key, value in output.items() if key != "chat_history"}
        return output if all(entries[key] is output[key] for key in entries) else {**output, **entries}
    if isinstance(output, LLMResult):
        each = [[_generation(one, change) for one in several] for several in output.generations]
        return output.model_copy(update={"generations": each})
    return output


def _generation(one: Any, change: _Change) -> Any:
    if not isinstance(one, ChatGeneration) or not isinstance(one.message, AIMessage):
        return one
    message = change(one.message)
    return one if message is one.message else one.model_copy(update={"message": message, "text": message_text(message)})

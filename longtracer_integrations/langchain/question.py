"""What the user asked, read from the inputs of a pipeline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from langchain_core.messages import BaseMessage
from langchain_core.prompt_values import PromptValue

from .keys import QUESTION_KEYS
from .messages import last_question, message_text

__all__ = ["read_question"]


def read_question(inputs: object, *, question_key: str | None = None) -> str | None:
    """The question in `inputs`: a str, a mapping, messages or a prompt; None when there is none to be seen."""
    if isinstance(inputs, Mapping):
        return _from_mapping(inputs, question_key)
    if isinstance(inputs, str):
        return inputs or None
    if isinstance(inputs, PromptValue):
        return last_question(inputs.to_messages())
    if isinstance(inputs, BaseMessage):
        return message_text(inputs) or None
    if isinstance(inputs, Sequence):
        return last_question(inputs)
    return None


def _from_mapping(inputs: Mapping[str, object], question_key: str | None) -> str | None:
    for key in (question_key, *QUESTION_KEYS):
        if key is not None and (found := _text(inputs.get(key))):
            return found
    messages = inputs.get("messages")
    if isinstance(messages, Sequence) and (found := _text(messages)):
        return found
    texts = [value for value in inputs.values() if isinstance(value, str) and value]
    return texts[0] if len(texts) == 1 else None


def _text(value: object) -> str | None:
    if isinstance(value, str):
        return value or None
    if isinstance(value, BaseMessage):
        return message_text(value) or None
    if isinstance(value, Sequence) and value:
        return last_question(value)
    return None

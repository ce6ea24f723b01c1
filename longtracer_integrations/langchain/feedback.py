"""Puts the feedback of a failed check into the input of a chain, to ask again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from langchain_core.messages import HumanMessage
from langchain_core.prompt_values import PromptValue

from longtracer import InvalidInputError

from .question import read_question

__all__ = ["WithFeedback", "with_feedback"]

WithFeedback = Callable[[Any, str], Any] | str | None
"""How to ask again: `(input, feedback) -> input`, or the key of a mapping input that takes the feedback."""


def with_feedback(value: Any, feedback: str, how: WithFeedback = None) -> Any:
    """The input for another attempt. Without `how`, messages gain a message and a question gains a paragraph.

    Raises:
        InvalidInputError: when the input is of a kind that takes no feedback without `how`.
    """
    if callable(how):
        return how(value, feedback)
    if isinstance(value, Mapping):
        return _in_mapping(value, feedback, how)
    if isinstance(value, str):
        return f"{value}\n\n{feedback}"
    if isinstance(value, PromptValue):
        return [*value.to_messages(), HumanMessage(feedback)]
    if isinstance(value, list):
        return [*value, HumanMessage(feedback)]
    raise InvalidInputError(f"say how {type(value).__name__} takes feedback (feedback=)")


def _in_mapping(value: Mapping[str, Any], feedback: str, key: str | None) -> dict[str, Any]:
    if key is not None:
        return {**value, key: feedback}
    if isinstance(messages := value.get("messages"), list):
        return {**value, "messages": [*messages, HumanMessage(feedback)]}
    question = read_question(value)
    for name, text in value.items():
        if isinstance(text, str) and text == question:
            return {**value, name: f"{text}\n\n{feedback}"}
    raise InvalidInputError(f"say which of {sorted(map(str, value))} takes the feedback (feedback=)")

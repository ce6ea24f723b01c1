"""The text of messages, and the turn that an answer belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

__all__ = [
    "final_message",
    "is_tool_call",
    "last_question",
    "message_text",
    "spoken_in_turn",
    "this_turn",
    "turn_start",
]


def message_text(message: BaseMessage) -> str:
    """The text of a message: its text blocks, without reasoning, images or tool calls."""
    return str(message.text)


def is_tool_call(message: BaseMessage) -> bool:
    """Whether the message asks for a tool, so that it is no final answer."""
    return isinstance(message, AIMessage) and bool(message.tool_calls)


def final_message(messages: Sequence[Any]) -> AIMessage | None:
    """The last message if it is a final answer of the model."""
    last = messages[-1] if messages else None
    return last if isinstance(last, AIMessage) and not is_tool_call(last) else None


def last_question(messages: Sequence[Any]) -> str | None:
    """The text of the last message of the user; (role, text) pairs and {"role", "content"} mappings are read too."""
    for message in reversed(messages):
        role, text = _role_and_text(message)
        if role in ("human", "user"):
            return text
    return None


def this_turn(messages: Sequence[Any]) -> list[Any]:
    """The messages behind the last one of the user."""
    return list(messages[turn_start(messages) :])


def turn_start(messages: Sequence[Any]) -> int:
    """The place behind the last message of the user; 0 without one."""
    places = (index for index in range(len(messages) - 1, -1, -1) if isinstance(messages[index], HumanMessage))
    return next(places, -1) + 1


def spoken_in_turn(messages: Sequence[Any]) -> list[int]:
    """The places of the messages in which the model says something in this turn, other than beside a tool call."""
    return [
        index
        for index in range(turn_start(messages), len(messages))
        if isinstance(message := messages[index], AIMessage) and not is_tool_call(message) and message_text(message)
    ]


def _role_and_text(message: object) -> tuple[object, str | None]:
    if isinstance(message, BaseMessage):
        return message.type, message_text(message)
    if isinstance(message, str):
        return "user", message
    if isinstance(message, dict):
        role, content = message.get("role", message.get("type")), message.get("content")
    elif isinstance(message, tuple) and len(message) == 2:
        role, content = message
    else:
        return None, None
    return role, content if isinstance(content, str) else None

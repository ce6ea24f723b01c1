"""The turns of a conversation before the current one, as (role, text) pairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from langchain_core.messages import BaseMessage, HumanMessage

from longtracer_integrations.records import RetrievedDocument

from .messages import message_text

__all__ = ["Turns", "brings_facts", "earlier_turns", "evidence_with"]

Turns = tuple[tuple[str, str], ...]
Documents = Sequence[RetrievedDocument]

_ROLES = {"human": "user", "ai": "assistant", "tool": "tool", "system": "system"}


def earlier_turns(inputs: object, output: object = None) -> Turns:
    """What was said before the question of `inputs`: messages before the last one of the user, or a `chat_history`.

    output: of the same run; an agent with a checkpointer is given the new message only, but returns all of them.
    """
    messages = _messages(output) or _messages(inputs)
    if messages:
        return tuple(_pairs(_before_the_last_question(messages)))
    history = inputs.get("chat_history") if isinstance(inputs, Mapping) else None
    return tuple(_pairs(history)) if isinstance(history, Sequence) and not isinstance(history, str) else ()


def brings_facts(turns: Turns) -> bool:
    """Whether a tool said something: evidence for a turn that retrieves nothing itself."""
    return any(role == "tool" for role, _ in turns)


def evidence_with(documents: Documents | None, turns: Turns) -> Documents | None:
    """`documents`, where None (no retrieval) becomes none at all when the turns bring facts to check against."""
    return () if documents is None and brings_facts(turns) else documents


def _messages(value: object) -> Sequence[Any]:
    found = value.get("messages") if isinstance(value, Mapping) else value
    if isinstance(found, Sequence) and found and all(isinstance(message, BaseMessage) for message in found):
        return found
    return ()


def _before_the_last_question(messages: Sequence[Any]) -> Sequence[Any]:
    questions = [index for index, message in enumerate(messages) if isinstance(message, HumanMessage)]
    return messages[: questions[-1]] if questions else ()


def _pairs(turns: Sequence[Any]) -> Iterator[tuple[str, str]]:
    for turn in turns:
        if isinstance(turn, BaseMessage) and (text := message_text(turn)).strip():
            yield _ROLES.get(turn.type, turn.type), text
        elif isinstance(turn, tuple) and len(turn) == 2 and all(isinstance(part, str) for part in turn):
            yield from (turn,) if turn[0] in _ROLES.values() else (("user", turn[0]), ("assistant", turn[1]))

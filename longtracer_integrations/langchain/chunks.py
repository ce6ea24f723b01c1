"""Adds streamed chunks up, and tells what of a chunk may be shown before the verdict."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langchain_core.messages import BaseMessage

from .keys import ANSWER_KEYS, QUESTION_KEYS
from .lists import is_document_list
from .messages import message_text

__all__ = ["added", "answer_key_of", "answer_text", "harmless_part"]


def added(total: Any, chunk: Any) -> Any:
    """`total` with `chunk` behind it; what cannot be added is replaced, as LangChain does."""
    if total is None:
        return chunk
    if isinstance(total, Mapping) and isinstance(chunk, Mapping):
        return {**total, **{key: added(total.get(key), value) for key, value in chunk.items()}}
    try:
        return total + chunk
    except TypeError:
        return chunk


def harmless_part(chunk: object, context_key: str | None = None) -> dict[str, Any]:
    """The entries of a mapping chunk that hold documents or what the user said.

    A mapping under such a key is none of these: in the stream of a graph, keys are the names of nodes.
    """
    if not isinstance(chunk, Mapping):
        return {}
    return {key: value for key, value in chunk.items() if _is_harmless(key, value, context_key)}


def _is_harmless(key: object, value: object, context_key: str | None) -> bool:
    if isinstance(value, Mapping):
        return False
    if is_document_list(value) or key == (context_key or "context"):
        return True
    return key in (*QUESTION_KEYS, "chat_history") and isinstance(value, str | BaseMessage | list)


def answer_key_of(chunk: Mapping[str, Any], answer_key: str | None) -> str | None:
    """The key under which a mapping chunk carries the answer on; None when it does not, or that cannot be told."""
    keys = ANSWER_KEYS if answer_key is None else (answer_key,)
    present = [key for key in keys if isinstance(chunk.get(key), str | BaseMessage)]
    return present[0] if len(present) == 1 else None


def answer_text(chunk: object, answer_key: str | None) -> str | None:
    """The text of the answer that a chunk carries on with; None when it cannot be told, or is not text."""
    if isinstance(chunk, str):
        return chunk
    if isinstance(chunk, BaseMessage):
        return message_text(chunk)
    if isinstance(chunk, Mapping) and (key := answer_key_of(chunk, answer_key)) is not None:
        return answer_text(chunk[key], None)
    return None

"""Adds streamed chunks up, and reads them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langchain_core.messages import BaseMessage, BaseMessageChunk
from langchain_core.runnables.utils import AddableDict

from .guarded_messages import METADATA_KEY
from .keys import ANSWER_KEYS
from .messages import message_text

__all__ = ["added", "alike", "answer_key_of", "answer_text", "joined", "remaining", "unshown", "without_case"]


def added(total: Any, chunk: Any) -> Any:
    """`total` with `chunk` behind it; what cannot be added replaces what was there, as in LangChain."""
    return joined(total, chunk)[0]


def joined(total: Any, chunk: Any) -> tuple[Any, bool]:
    """As `added`, and whether the whole of `total` and `chunk` is in the sum.

    A plain dict cannot be added: a parser of JSON, say, streams the whole object again and again as it grows.
    """
    if total is None:
        return chunk, True
    if isinstance(total, Mapping) and isinstance(chunk, Mapping):
        if isinstance(total, AddableDict) or isinstance(chunk, AddableDict):
            return _joined_entries(total, chunk)
    elif isinstance(total, Mapping) or isinstance(chunk, Mapping):
        return chunk, False
    if isinstance(total, BaseMessage) and not isinstance(total, BaseMessageChunk):
        return chunk, False  # whole messages add up to a prompt
    try:
        return total + chunk, True
    except TypeError:
        return chunk, False


def _joined_entries(total: Mapping[str, Any], chunk: Mapping[str, Any]) -> tuple[AddableDict, bool]:
    """Entry by entry; LangChain drops all other entries as well where the values of one cannot be added."""
    entries, whole = AddableDict(total), True
    for key, value in chunk.items():
        if value is not None or key not in entries:
            entries[key], kept = joined(entries.get(key), value)
            whole = whole and kept
    return entries, whole


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


def alike(one: Any, other: Any) -> bool:
    """Whether two values are equal; values that cannot be compared are not."""
    if one is other:
        return True
    try:
        return bool(one == other)
    except Exception:  # noqa: BLE001  an array, say, has no single answer
        return False


def remaining(value: Any, shown: Any) -> Any:
    """What of `value` is still to be shown where `shown` was; None when that is all of it."""
    if alike(value, shown):
        return None
    for kind in (str, list):
        if isinstance(value, kind) and isinstance(shown, kind) and alike(value[: len(shown)], shown):
            return value[len(shown) :]
    if isinstance(value, BaseMessage) and isinstance(shown, str) and isinstance(value.content, str):
        return value.model_copy(update={"content": remaining(value.content, shown) or ""})
    return value


def unshown(entries: Mapping[str, Any], shown: Mapping[str, Any]) -> AddableDict:
    """The entries of a mapping without what was shown of them."""
    left = {
        key: remaining(value, shown[key]) if key in shown else value
        for key, value in entries.items()
        if key not in shown or remaining(value, shown[key]) is not None
    }
    return AddableDict(left)


def without_case(value: Any) -> Any:
    """`value` without the result that a guard put into it."""
    if isinstance(value, BaseMessage):
        metadata = {key: entry for key, entry in value.response_metadata.items() if key != METADATA_KEY}
        return value.model_copy(update={"response_metadata": metadata})
    if isinstance(value, Mapping):
        return {key: without_case(entry) for key, entry in value.items() if key != METADATA_KEY}
    return [without_case(entry) for entry in value] if isinstance(value, list) else value

"""What of a graph's stream may leave once its state was judged: the stream shows drafts that the state has lost."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import Any

from langchain_core.documents import Document
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.runnables import Runnable
from langchain_core.runnables.base import RunnableBindingBase

from .chunks import alike, unshown
from .messages import message_text

__all__ = ["StateParts", "is_graph"]

_INTERRUPT = "__interrupt__"
_MODES = {"values", "updates", "messages", "custom", "debug", "tasks", "checkpoints"}
_WITHHELD: Any = object()


def is_graph(runnable: Runnable[Any, Any]) -> bool:
    """Whether `runnable` is a LangGraph graph: the first run below its caller is its own and ends with its state."""
    while isinstance(runnable, RunnableBindingBase):
        runnable = runnable.bound
    pregel = getattr(sys.modules.get("langgraph.pregel"), "Pregel", None)  # loaded when there is a graph
    return pregel is not None and isinstance(runnable, pregel)


class StateParts:
    """Lets through what is in the state that may leave, or was in the input; other texts and objects stay behind.

    What names nodes, modes and places in the graph is no content, nor are documents and numbers.
    """

    def __init__(self, inputs: Any) -> None:
        self._texts = {""}
        self._objects: list[Any] = []
        self.note(inputs)

    def note(self, state: Any) -> None:
        """Remember what `state` holds."""
        if isinstance(state, str):
            self._texts.add(state.strip())
        elif isinstance(state, BaseMessage):
            self._texts.add(message_text(state).strip())
            self._objects.append(state)
        elif isinstance(state, Mapping):
            for value in state.values():
                self.note(value)
        elif isinstance(state, list | tuple):
            for value in state:
                self.note(value)
        elif state is not None:
            self._objects.append(state)

    def of(self, chunks: list[Any], shown: Mapping[str, Any]) -> Iterator[Any]:
        """The chunks, each without what may not leave and what of the state was shown before."""
        for chunk in map(self._of_chunk, chunks):
            left = unshown(chunk, shown) if isinstance(chunk, Mapping) else chunk
            if left is not _WITHHELD and left != {}:
                yield left

    def _of_chunk(self, chunk: Any) -> Any:
        if isinstance(chunk, Mapping) and chunk.keys() >= {"type", "ns", "data"} and chunk["type"] in _MODES:
            data = self._of_chunk(chunk["data"])
            return _WITHHELD if data is _WITHHELD else {**self._of_entries(chunk), "type": chunk["type"], "data": data}
        if not isinstance(chunk, tuple) or not chunk:
            return self._of(chunk)
        if isinstance(chunk[0], BaseMessage):  # with the metadata of its node
            return _WITHHELD if self._of(chunk[0]) is _WITHHELD else chunk
        if not all(_names_a_place(entry) for entry in chunk[:-1]):
            return self._of(chunk)
        payload = self._of_chunk(chunk[-1])
        return _WITHHELD if payload is _WITHHELD else (*chunk[:-1], payload)

    def _of(self, value: Any) -> Any:
        if value is None or isinstance(value, int | float | Document):
            return value
        if isinstance(value, str):
            return value if value.strip() in self._texts else _WITHHELD
        if isinstance(value, BaseMessage):
            return value if self._has_message(value) else _WITHHELD
        if isinstance(value, Mapping):
            return self._of_entries(value)
        if isinstance(value, list | tuple):
            entries = [self._of(entry) for entry in value]
            kept = [entry for entry in entries if entry is not _WITHHELD]
            return tuple(kept) if isinstance(value, tuple) else kept
        return value if any(alike(value, known) for known in self._objects) else _WITHHELD

    def _has_message(self, message: BaseMessage) -> bool:
        """Whether the state has `message`, or one that says the same where it holds nothing but text."""
        if any(alike(message, known) for known in self._objects):
            return True
        is_text = isinstance(message.content, str) and not message.additional_kwargs
        calls = isinstance(message, AIMessage) and (message.tool_calls or message.invalid_tool_calls)
        return is_text and not calls and message_text(message).strip() in self._texts

    def _of_entries(self, entries: Mapping[str, Any]) -> dict[str, Any]:
        left = {key: value if key == _INTERRUPT else self._of(value) for key, value in entries.items()}
        return {key: value for key, value in left.items() if value is not _WITHHELD}


def _names_a_place(entry: Any) -> bool:
    """Whether `entry` is the mode of a chunk or the namespace of a subgraph."""
    if isinstance(entry, str):
        return entry in _MODES
    return isinstance(entry, tuple) and all(isinstance(name, str) and not name.count(" ") for name in entry)

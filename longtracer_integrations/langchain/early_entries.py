"""What of a streamed mapping may be shown before the verdict on its answer: documents, and what the user said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.documents import Document
from langchain_core.messages import BaseMessage, HumanMessage
from langchain_core.runnables.utils import AddableDict

from .capture_options import CaptureOptions
from .keys import QUESTION_KEYS

__all__ = ["EarlyEntries"]

_HISTORY_KEY = "chat_history"


class EarlyEntries:
    """Picks the entries of chunks that hold no answer, whatever their names promise.

    Documents are objects of that class: a mapping with their fields may be the model's own. What is under the name of
    a question or of a history is what the user said when the chain was given the same; a chain may put its answer
    there as well, as LangChain's memories do with the very list they were given.

    inputs: of the chain, read now, before it runs; without them (`knows_inputs=False`), a question is what a chain
        that streams in parts sends under that name.
    """

    def __init__(self, options: CaptureOptions, inputs: object = None, *, knows_inputs: bool = True) -> None:
        self._options = options
        self._question_keys = (*QUESTION_KEYS, *((options.question_key,) if options.question_key else ()))
        self._given = self._said(inputs) if knows_inputs else None

    def of(self, chunk: object) -> dict[str, Any]:
        """The entries of `chunk` that may be shown at once."""
        if not isinstance(chunk, Mapping):
            return {}
        streams_in_parts = isinstance(chunk, AddableDict)
        found: dict[str, Any] = {}
        for key, value in chunk.items():
            if key == self._options.answer_key:
                continue
            if self._is_documents(key, value, streams_in_parts=streams_in_parts):
                found[key] = value
            elif self._is_question(key, value, streams_in_parts=streams_in_parts):
                # The chain may still change its own object after it was shown.
                found[key] = value if self._given is None else self._given[key]
        return found

    def _is_documents(self, key: str, value: object, *, streams_in_parts: bool) -> bool:
        if isinstance(value, Sequence) and value and all(isinstance(entry, Document) for entry in value):
            return True
        named = key == self._options.context_key and isinstance(value, str | list | tuple)
        return named and streams_in_parts

    def _is_question(self, key: str, value: object, *, streams_in_parts: bool) -> bool:
        if self._given is None:
            return streams_in_parts and key in self._question_keys and isinstance(value, str | HumanMessage)
        return isinstance(value, str | BaseMessage | list) and key in self._given and value == self._given[key]

    def _said(self, inputs: object) -> dict[str, Any]:
        """A copy of what the user said: a chain may change what it is given."""
        if isinstance(inputs, Mapping):
            return {key: _copied(inputs[key]) for key in (*self._question_keys, _HISTORY_KEY) if key in inputs}
        return dict.fromkeys(self._question_keys, inputs) if isinstance(inputs, str) else {}


def _copied(value: Any) -> Any:
    if isinstance(value, BaseMessage):
        return value.model_copy(deep=True)
    return [_copied(entry) for entry in value] if isinstance(value, list) else value

"""Puts the text that a guard lets out into the output of a pipeline, whatever its type."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from enum import Enum
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage
from pydantic import BaseModel

from longtracer_integrations.outcome import GuardOutcome

from .answer import FoundAnswer, find_answer
from .guarded_messages import METADATA_KEY, guarded_message
from .messages import message_text

__all__ = ["guarded_output", "guarded_value"]


def guarded_output(output: Any, found: FoundAnswer, outcome: GuardOutcome) -> Any:
    """`output`, of the same type, with the guarded text in the place of the answer that was `found` in it.

    A mapping gains the key `longtracer`, a message the same key in its `response_metadata`. When the model's text
    was withheld, it is also replaced wherever else a mapping or its messages repeat it.
    """
    if isinstance(output, Mapping):
        return _in_mapping(output, found, outcome) | {METADATA_KEY: outcome.case}
    return guarded_value(output, found.key, outcome)


def _in_mapping(output: Mapping[str, Any], found: FoundAnswer, outcome: GuardOutcome) -> dict[str, Any]:
    entries = dict(output)
    if {"raw", "parsed"} <= entries.keys() and isinstance(entries["raw"], BaseMessage):
        # The raw message spells the structured answer out again, as JSON or as a tool call.
        raw = guarded_message(entries["raw"], outcome)
        return entries | {"raw": raw, "parsed": guarded_value(entries["parsed"], None, outcome)}
    if outcome.changed:
        entries = {key: _scrubbed(value, outcome) for key, value in entries.items()}
    if found.key is not None:
        entries[found.key] = guarded_value(entries[found.key], None, outcome)
    return entries


def guarded_value(value: Any, key: str | None, outcome: GuardOutcome) -> Any:
    """`value`, which is the answer or holds it under `key` (None: where answers usually are), guarded."""
    if isinstance(value, str):
        return outcome.text
    if isinstance(value, BaseMessage):
        return guarded_message(value, outcome)
    if isinstance(value, list) and value and isinstance(value[-1], BaseMessage):
        return [*value[:-1], guarded_message(value[-1], outcome)]
    if isinstance(value, Mapping):
        return _in_mapping(value, find_answer(value), outcome)
    return _in_fields(value, key or find_answer(value).key, outcome)


def _in_fields(value: Any, key: str | None, outcome: GuardOutcome) -> Any:
    """A structured output with another answer; when that was withheld, its other texts are withheld as well."""
    if key is None or not outcome.changed:
        return value
    update = {key: outcome.text}
    if outcome.action in ("block", "replace"):
        update = {name: "" for name, text in _texts(value).items()} | update
    if isinstance(value, BaseModel):
        return value.model_copy(update=update)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.replace(value, **update)
    return value


def _texts(value: Any) -> dict[str, str]:
    names = (
        list(type(value).model_fields)
        if isinstance(value, BaseModel)
        else [field.name for field in dataclasses.fields(value)]
    )
    found = {name: getattr(value, name) for name in names}
    return {name: text for name, text in found.items() if isinstance(text, str) and not isinstance(text, Enum)}


def _scrubbed(value: Any, outcome: GuardOutcome) -> Any:
    """`value` without the withheld answer."""
    answer = outcome.draft.answer
    if isinstance(value, str):
        return outcome.text if value.strip() == answer.strip() and answer.strip() else value
    if isinstance(value, AIMessage):
        return guarded_message(value, outcome) if message_text(value).strip() == answer.strip() else value
    if isinstance(value, list):
        return [_scrubbed(entry, outcome) for entry in value]
    if isinstance(value, dict):
        return {key: _scrubbed(entry, outcome) for key, entry in value.items()}
    return value

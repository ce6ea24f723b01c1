"""Puts the text that a guard lets out into a message."""

from __future__ import annotations

from typing import Any, TypeVar

from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage

from longtracer import CaseResult
from longtracer_integrations.outcome import GuardOutcome

__all__ = ["METADATA_KEY", "case_json", "guarded_message"]

METADATA_KEY = "longtracer"

# What describes the call and not the answer; log probabilities, for one, would spell a withheld answer out.
_HARMLESS_METADATA = (
    "model_name",
    "model_provider",
    "model",
    "finish_reason",
    "stop_reason",
    "system_fingerprint",
    "id",
)

_Message = TypeVar("_Message", bound=BaseMessage)


def case_json(case: CaseResult) -> dict[str, Any]:
    """The JSON form of a case, for places that a framework serialises."""
    return case.model_dump(mode="json")


def guarded_message(message: _Message, outcome: GuardOutcome, text: str | None = None) -> _Message:
    """A copy of `message`, same class and id, with the guarded text and its case in `response_metadata`.

    text: the part of what was let out that is this message's; by default all of it.

    When the model's text is withheld or cut, so is everything that may repeat it: reasoning, tool calls, log
    probabilities.
    """
    case = {METADATA_KEY: case_json(outcome.case)}
    if not outcome.changed:
        return message.model_copy(update={"response_metadata": {**message.response_metadata, **case}})
    content = outcome.text if text is None else text
    if outcome.action == "annotate":
        metadata = {**message.response_metadata, **case}
        return message.model_copy(update={"content": content, "response_metadata": metadata})
    kept = {key: value for key, value in message.response_metadata.items() if key in _HARMLESS_METADATA}
    update: dict[str, Any] = {"content": content, "additional_kwargs": {}, "response_metadata": {**kept, **case}}
    if isinstance(message, AIMessage):
        update |= {"tool_calls": [], "invalid_tool_calls": []}
    if isinstance(message, AIMessageChunk):
        update |= {"tool_call_chunks": []}
    return message.model_copy(update=update)

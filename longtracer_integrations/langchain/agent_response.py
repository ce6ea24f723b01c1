"""The final answer in what a model call of an agent returns, and the guarded answer in its place."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from langchain.agents.middleware import ModelResponse
from langchain_core.messages import AIMessage, BaseMessage

from longtracer import InvalidInputError
from longtracer_integrations.outcome import GuardOutcome

from .answer import find_answer, joined_texts
from .guarded_messages import guarded_message
from .guarded_outputs import guarded_result, guarded_value
from .messages import is_tool_call, message_text

__all__ = ["AgentAnswer", "agent_answer", "response_with", "with_response_metadata"]


@dataclass(frozen=True, slots=True)
class AgentAnswer:
    """`text` is what the user would read; `structured` tells that it comes from the structured response."""

    text: str
    structured: bool


def agent_answer(response: ModelResponse[Any], answer_key: str | None = None) -> AgentAnswer | None:
    """The final answer in `response`; None for a turn that calls tools.

    Raises:
        InvalidInputError: when a structured response has no field, or several, that could be the answer.
    """
    if response.structured_response is not None:
        found = find_answer(response.structured_response, answer_key=answer_key, whole=True)
        if found.text is None:
            fields = ", ".join(found.several) or "none"
            raise InvalidInputError(f"no answer in the structured response (texts: {fields}); set answer_key=")
        return AgentAnswer(found.text, structured=True)
    message = _model_message(response)
    if message is None or is_tool_call(message):
        return None
    return AgentAnswer(joined_texts(_spoken(response)), structured=False)


def response_with(response: ModelResponse[Any], outcome: GuardOutcome, answer_key: str | None = None) -> Any:
    """`response` with the guarded answer; the message keeps its id and carries the case.

    When a structured answer is changed, the tool call and the tool message that spell it out go as well.
    """
    message = _model_message(response)
    if message is None:
        return response
    if response.structured_response is None:
        return replace(response, result=guarded_result(response.result, outcome))
    guarded = guarded_message(message, outcome)
    if not outcome.changed:
        result: list[BaseMessage] = [guarded if entry is message else entry for entry in response.result]
        return replace(response, result=result)
    structured = guarded_value(response.structured_response, answer_key, outcome)
    return replace(response, result=[guarded], structured_response=structured)


def with_response_metadata(response: ModelResponse[Any], **entries: Any) -> ModelResponse[Any]:
    """`response` with more in the `response_metadata` of the model's message."""
    message = _model_message(response)
    if message is None:
        return response
    noted = message.model_copy(update={"response_metadata": {**message.response_metadata, **entries}})
    return replace(response, result=[noted if entry is message else entry for entry in response.result])


def _spoken(response: ModelResponse[Any]) -> list[str]:
    texts = [message_text(entry) for entry in response.result if isinstance(entry, AIMessage)]
    return [text for text in texts if text]


def _model_message(response: ModelResponse[Any]) -> AIMessage | None:
    return next((entry for entry in reversed(response.result) if isinstance(entry, AIMessage)), None)

"""Reads what a LlamaIndex pipeline returned: the text of the answer, and the nodes that came with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from llama_index.core.agent.workflow import AgentOutput
from llama_index.core.base.llms.types import ChatMessage, ChatResponse, CompletionResponse
from llama_index.core.base.response.schema import (
    AsyncStreamingResponse,
    PydanticResponse,
    Response,
    StreamingResponse,
)
from llama_index.core.chat_engine.types import AgentChatResponse, StreamingAgentChatResponse
from llama_index.core.schema import NodeWithScore, QueryBundle
from llama_index.core.tools import ToolOutput
from llama_index.core.workflow import StartEvent, StopEvent
from pydantic import BaseModel

__all__ = [
    "Result",
    "Stream",
    "final_value",
    "is_response",
    "model_text",
    "question_of",
    "read_for_guard",
    "read_result",
]

Stream = StreamingResponse | AsyncStreamingResponse

_ANSWER_KEYS = ("answer", "response", "output", "result", "text", "content")
_QUESTION_KEYS = ("user_msg", "question", "query", "query_str", "message", "input", "str_or_query_bundle")


@dataclass(frozen=True, slots=True)
class Result:
    """A finished answer: its text (None when there is none) and its source nodes, post-processed."""

    text: str | None
    nodes: tuple[NodeWithScore, ...] = ()


def final_value(value: object) -> object:
    """`value`, or what the stop event of a workflow carries: its result, or the fields of its own class."""
    if not isinstance(value, StopEvent):
        return value
    if type(value) is StopEvent:
        return value.result
    return {name: getattr(value, name) for name in type(value).model_fields}


def is_response(value: object) -> bool:
    """Whether `value` is what a query engine returns."""
    return isinstance(value, Response | PydanticResponse | Stream)


def read_result(value: object) -> Result | None:
    """Read a finished result; None for something that is no answer, such as a list of nodes."""
    if isinstance(value, Response):
        return Result(value.response, tuple(value.source_nodes))
    if isinstance(value, PydanticResponse):
        return Result(model_text(value.response), tuple(value.source_nodes))
    if isinstance(value, AgentChatResponse | StreamingAgentChatResponse):
        return Result(value.response, _chat_nodes(value))
    if isinstance(value, ToolOutput):
        return read_result(value.raw_output) if is_response(value.raw_output) else None
    text = _plain_text(value)
    return None if text is None else Result(text, _field_nodes(value))


def read_for_guard(value: object) -> Result | None:
    """As `read_result`; of a structured response all texts, since all of them are shown to the user."""
    result = read_result(value)
    structured: object = None
    if isinstance(value, PydanticResponse):
        structured = value.response
    elif isinstance(value, AgentOutput):
        structured = getattr(value, "structured_response", None)
    if result is None or structured is None:
        return result
    return replace(result, text=_whole_text(structured, result.text or ""))


def _whole_text(structured: object, answer: str) -> str:
    """The `answer` and every other text that is `structured`; a single word is a label or an id, and says nothing."""
    found = [answer] if answer else []
    for text in _texts(structured):
        if len(text.split()) > 1 and not any(text.strip() in earlier for earlier in found):
            found.append(text)
    return "\n\n".join(found)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, Enum):
        return
    if isinstance(value, str):
        yield value
    elif isinstance(value, BaseModel):
        for name in type(value).model_fields:
            yield from _texts(getattr(value, name))
    elif isinstance(value, Mapping):
        yield from (text for entry in value.values() for text in _texts(entry))
    elif isinstance(value, list | tuple | set | frozenset):
        yield from (text for entry in value for text in _texts(entry))


def _chat_nodes(response: AgentChatResponse | StreamingAgentChatResponse) -> tuple[NodeWithScore, ...]:
    if response.source_nodes:
        return tuple(response.source_nodes)
    # The class itself fills `source_nodes` from its sources, but overlooks asynchronous streams.
    outputs = [source.raw_output for source in response.sources]
    return tuple(node for output in outputs if is_response(output) for node in output.source_nodes)


def _field_nodes(value: object) -> tuple[NodeWithScore, ...]:
    nodes = value.get("source_nodes") if isinstance(value, Mapping) else None
    return tuple(each for each in nodes or () if isinstance(each, NodeWithScore))


def _plain_text(value: object) -> str | None:
    if isinstance(value, str):
        return value
    if isinstance(value, AgentOutput):
        return value.response.content or ""
    if isinstance(value, ChatMessage):
        return value.content or ""
    if isinstance(value, ChatResponse):
        return value.message.content or ""
    if isinstance(value, CompletionResponse):
        return value.text
    if isinstance(value, Mapping):
        return next((str(value[key]) for key in _ANSWER_KEYS if isinstance(value.get(key), str)), None)
    return None


def model_text(model: BaseModel | None) -> str | None:
    """The answer in a structured response: its answer field, its only text, else `field: value` lines."""
    if model is None:
        return None
    values = {name: getattr(model, name) for name in type(model).model_fields}
    texts = {name: value for name, value in values.items() if isinstance(value, str)}
    named = next((texts[key] for key in _ANSWER_KEYS if key in texts), None)
    if named is not None:
        return named
    if len(texts) == 1:
        return next(iter(texts.values()))
    return "\n".join(f"{name}: {value}" for name, value in values.items())


def question_of(arguments: Mapping[str, Any]) -> str | None:
    """The question among the arguments of a root call, as text; None when there is none."""
    start = arguments.get("start_event")
    if isinstance(start, StartEvent):
        return _first_question(start)
    keyed = [arguments[key] for key in _QUESTION_KEYS if key in arguments]
    for value in (*keyed, *arguments.values()):
        if (text := _question_text(value)) is not None:
            return text
    return None


def _first_question(start: StartEvent) -> str | None:
    values: Mapping[str, Any] = dict(start.items())
    declared = {name: getattr(start, name) for name in type(start).model_fields}
    known = {**declared, **values}
    named = [known[key] for key in _QUESTION_KEYS if key in known]
    texts = (_question_text(value) for value in (*named, *known.values()))
    return next((text for text in texts if text is not None), None) or _last_user_text(known.get("chat_history"))


def _question_text(value: object) -> str | None:
    if isinstance(value, str):
        return value
    if isinstance(value, QueryBundle):
        return value.query_str
    if isinstance(value, ChatMessage):
        return value.content or None
    return None


def _last_user_text(messages: object) -> str | None:
    if not isinstance(messages, Sequence):
        return None
    texts = [message.content for message in messages if isinstance(message, ChatMessage) and message.role == "user"]
    return texts[-1] if texts else None

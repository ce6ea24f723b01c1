"""Follows spans and events of the root dispatcher, and says when a root span has given its answer."""

from __future__ import annotations

import asyncio
import inspect
import threading
import weakref
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.base.response.schema import AsyncStreamingResponse, StreamingResponse
from llama_index.core.chat_engine.types import BaseChatEngine, StreamingAgentChatResponse
from llama_index.core.instrumentation.events.chat_engine import StreamChatDeltaReceivedEvent
from llama_index.core.instrumentation.events.retrieval import RetrievalEndEvent
from llama_index.core.memory import BaseMemory
from llama_index.core.response_synthesizers import BaseSynthesizer
from llama_index.core.tools import BaseTool, ToolOutput
from llama_index.core.workflow import Workflow

from .ended import Asked, Ended, Listener, tee_response
from .nodes import captured_below
from .results import final_value, question_of, read_result
from .streams import StreamEnd
from .tool_outputs import evidence_text
from .trace import NestedAnswer, Retrieval, Span, SpanKind, ToolText, Trace, TraceTable

__all__ = ["Capture"]

_UUID_SUFFIX = 37


@dataclass(eq=False, slots=True)
class _Root:
    """What is kept with an open trace: the question, and how its chat stream is going."""

    asked: Asked
    answering: bool
    cancelled: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)
    said: dict[str, list[str]] = field(default_factory=dict)
    written: dict[int, StreamEnd] = field(default_factory=dict)
    awaited: weakref.ref[StreamingAgentChatResponse] | None = None


class Capture:
    """The state behind the handlers; every method may be called from any thread."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self.traces = TraceTable()

    # Spans ---------------------------------------------------------------------------------------------------

    def enter(
        self,
        span_id: str,
        arguments: inspect.BoundArguments,
        instance: object,
        parent_id: str | None,
        tags: Mapping[str, Any] | None,
    ) -> None:
        """A span begins."""
        span = self.traces.enter(span_id, parent_id, _kind(span_id, instance))
        if span.parent is None:
            span.trace.info = _Root(
                Asked(
                    run_id=str((tags or {}).get("longtracer_run_id") or span_id),
                    question=question_of(arguments.arguments),
                    blocking=_is_blocking(span_id, instance),
                    memory=_memory(instance),
                    history=arguments.arguments.get("chat_history"),
                ),
                answering=_answers(span_id, instance),
            )

    def exit(self, span_id: str, instance: object, result: object) -> None:
        """A span has returned `result`."""
        span = self.traces.find(span_id)
        if span is None:
            return
        _note_tool(span, instance, result)
        _note_nested_answer(span, result)
        if isinstance(instance, StreamingAgentChatResponse):
            self._written(span, instance, None)
        if span.parent is None:
            self._root_returned(span.trace, result)

    def drop(self, span_id: str, instance: object, error: BaseException | None) -> None:
        """A span has raised `error`."""
        span = self.traces.find(span_id)
        if span is None:
            return
        if isinstance(instance, StreamingAgentChatResponse):
            self._written(span, instance, error or RuntimeError("the stream failed"))
        if span.parent is None:
            self._failed(span.trace, error or RuntimeError("the span was dropped"))

    def event(self, event: object) -> None:
        """An event was sent from inside a span."""
        span = self.traces.find(getattr(event, "span_id", None))
        if span is None:
            return
        if isinstance(event, RetrievalEndEvent):
            span.trace.retrievals.append(Retrieval(span, tuple(event.nodes)))
            for around in (span, *span.ancestors()):
                around.holds_retrieval = True
        elif isinstance(event, StreamChatDeltaReceivedEvent):
            _root(span.trace).said.setdefault(span.id, []).append(event.delta)
        elif type(event).__name__ == "SpanCancelledEvent" and span.parent is None:
            _root(span.trace).cancelled = True

    # Roots ---------------------------------------------------------------------------------------------------

    def _root_returned(self, trace: Trace, result: object) -> None:
        value = final_value(result)
        if isinstance(value, StreamingAgentChatResponse):
            self._await_writer(trace, value)
        elif not self._listener.active:
            self.traces.close(trace)
        elif _root(trace).cancelled:
            self._failed(trace, asyncio.CancelledError("the workflow was cancelled"))
        elif isinstance(value, StreamingResponse | AsyncStreamingResponse):
            self._tee(trace, value)
        else:
            self._finished(trace, value)

    def _finished(self, trace: Trace, value: object, *, text: str | None = None) -> None:
        result = read_result(value)
        root = _root(trace)
        if result is None or not (root.answering or trace.retrievals):
            self.traces.close(trace)
            return
        captured = captured_below(trace.root, result.nodes)
        self.traces.close(trace)
        response = value.raw_output if isinstance(value, ToolOutput) else value
        answer = result.text if text is None else text
        self._listener.answered(Ended(asked=root.asked, answer=answer, captured=captured, response=response))

    def _failed(self, trace: Trace, error: BaseException, *, partial: str | None = None) -> None:
        """The root raised, or its chat stream did, after it had said `partial`."""
        root = _root(trace)
        captured = captured_below(trace.root, ())
        self.traces.close(trace)
        if root.answering and self._listener.active:
            self._listener.answered(
                Ended(asked=root.asked, answer=None, captured=captured, error=error, partial=partial)
            )

    # Streams -------------------------------------------------------------------------------------------------

    def _tee(self, trace: Trace, response: StreamingResponse | AsyncStreamingResponse) -> None:
        root = _root(trace)
        captured = captured_below(trace.root, response.source_nodes)
        self.traces.close(trace)
        tee_response(response, root.asked, captured, self._listener)

    def _await_writer(self, trace: Trace, response: StreamingAgentChatResponse) -> None:
        root = _root(trace)
        with root.lock:
            written = root.written.get(id(response))
            if written is None:
                root.awaited = weakref.ref(response)
        if written is not None:
            self._chat_ended(trace, response, written)
        else:
            weakref.finalize(response, self.traces.close, trace)

    def _written(self, span: Span, response: StreamingAgentChatResponse, error: BaseException | None) -> None:
        """The writer of a chat stream, in a thread or task of its own, is done."""
        root = _root(span.trace)
        # Not `response.response`: older versions of LlamaIndex leave that to whoever reads the stream.
        written = StreamEnd("".join(root.said.pop(span.id, ())), error)
        with root.lock:
            root.written[id(response)] = written
            waiting = root.awaited is not None and root.awaited() is response
        if waiting:
            self._chat_ended(span.trace, response, written)

    def _chat_ended(self, trace: Trace, response: StreamingAgentChatResponse, written: StreamEnd) -> None:
        if written.error is not None:
            self._failed(trace, written.error, partial=written.text or None)
        elif self._listener.active:
            self._finished(trace, response, text=written.text.strip())
        else:
            self.traces.close(trace)


def _root(trace: Trace) -> _Root:
    root = trace.info
    assert isinstance(root, _Root)
    return root


def _method(span_id: str) -> str:
    """The method of a span id `Class.method-<uuid>`."""
    return span_id[:-_UUID_SUFFIX].rpartition(".")[2]


def _kind(span_id: str, instance: object) -> SpanKind:
    if isinstance(instance, BaseRetriever) and _method(span_id) in ("retrieve", "aretrieve"):
        return SpanKind.RETRIEVAL
    if isinstance(instance, BaseQueryEngine) and _method(span_id) in ("query", "aquery"):
        return SpanKind.QUERY
    if isinstance(instance, Workflow) and _method(span_id) == "run":
        return SpanKind.RUN
    return SpanKind.TOOL if isinstance(instance, BaseTool) else SpanKind.OTHER


def _answers(span_id: str, instance: object) -> bool:
    """Whether a root is known to give answers; an LLM, a retriever or a user's own function is not."""
    if isinstance(instance, BaseSynthesizer):
        return _method(span_id) in ("synthesize", "asynthesize")
    return isinstance(instance, BaseQueryEngine | BaseChatEngine | Workflow | BaseTool)


def _is_blocking(span_id: str, instance: object) -> bool:
    """Whether a root blocks its thread anyway; without certainty, an event loop in this thread decides."""
    if isinstance(instance, BaseQueryEngine | BaseChatEngine | BaseSynthesizer):
        return not inspect.iscoroutinefunction(getattr(type(instance), _method(span_id), None))
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return True
    return False


def _memory(instance: object) -> BaseMemory | None:
    """The memory of a chat engine, where those of llama-index-core keep it."""
    memory = getattr(instance, "_memory", None) if isinstance(instance, BaseChatEngine) else None
    return memory if isinstance(memory, BaseMemory) else None


def _note_tool(span: Span, instance: object, result: object) -> None:
    if not (isinstance(instance, BaseTool) and isinstance(result, ToolOutput)) or span.holds_retrieval:
        return
    if (text := evidence_text(result)) is not None:
        span.trace.tool_texts.append(ToolText(span, result.tool_name, text))


def _note_nested_answer(span: Span, result: object) -> None:
    if span.kind is not SpanKind.QUERY or not any(each.kind is SpanKind.RETRIEVAL for each in span.ancestors()):
        return
    answer = read_result(result)
    if answer is not None:
        span.trace.nested_answers.append(NestedAnswer(span, str(result), answer.nodes))

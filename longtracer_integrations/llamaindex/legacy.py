"""For applications still on the legacy `CallbackManager`; new ones use `instrument`."""

from __future__ import annotations

from typing import Any

from llama_index.core.base.response.schema import AsyncStreamingResponse, StreamingResponse
from llama_index.core.callbacks.base_handler import BaseCallbackHandler
from llama_index.core.callbacks.schema import CBEventType, EventPayload
from llama_index.core.schema import QueryBundle

from longtracer_integrations.check import GroundingCheck, Verifier
from longtracer_integrations.observer import Observer, OnResult
from longtracer_integrations.records import RagAnswer

from .delivery import Delivery, logged
from .ended import Asked, Ended, tee_response
from .nodes import captured_below
from .results import read_result
from .trace import NestedAnswer, Retrieval, Span, SpanKind, Trace, TraceTable

__all__ = ["LongTracerCallbackHandler"]

_KINDS = {CBEventType.RETRIEVE: SpanKind.RETRIEVAL, CBEventType.QUERY: SpanKind.QUERY}
_ANSWERING = (CBEventType.QUERY, CBEventType.SYNTHESIZE)
_Payload = dict[str, Any] | None


class LongTracerCallbackHandler(BaseCallbackHandler):
    """Checks what query engines and synthesizers answer; never breaks or changes a query.

    The legacy events know no agents, no chat engines as such (their query engine or synthesizer is seen) and no
    custom query engines. The result is in `records`, in `on_result`, and in `response.metadata["longtracer"]`;
    inside an event loop it follows the answer, see `wait_async`.

    Args:
        verifier, on_result, timeout, detect_conflicts, sample_rate, background, max_queue, max_records: as for
            `instrument`.

    Raises:
        InvalidInputError: for an unusable option.
    """

    def __init__(
        self,
        *,
        verifier: Verifier | None = None,
        on_result: OnResult | None = None,
        timeout: float | None = None,
        detect_conflicts: bool = False,
        sample_rate: float = 1.0,
        background: bool = False,
        max_queue: int = 1000,
        max_records: int = 1000,
    ) -> None:
        super().__init__([], [])
        self.observer = Observer(
            GroundingCheck(verifier, timeout=timeout, detect_conflicts=detect_conflicts),
            on_result=on_result,
            sample_rate=sample_rate,
            background=background,
            max_queue=max_queue,
            max_records=max_records,
        )
        self._delivery = Delivery()
        self._traces = TraceTable()

    active = True

    @property
    def records(self) -> tuple[RagAnswer, ...]:
        """The records that are kept, newest last."""
        return self.observer.log.records

    @property
    def last(self) -> RagAnswer | None:
        """The newest record, or None."""
        return self.observer.log.last

    def result_for(self, run_id: object) -> RagAnswer | None:
        """The record of a run, by the id of its event; else None."""
        return self.observer.log.result_for(run_id)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until every answer given so far has its record; False when `timeout` seconds pass first.

        In an event loop, use `wait_async`: this blocks it.
        """
        self._delivery.settle()
        return self.observer.wait(timeout)

    async def wait_async(self) -> None:
        """Wait until every answer given so far has its record."""
        await self._delivery.wait_async()
        await self.observer.wait_async()

    def answered(self, ended: Ended) -> None:
        """Take an answer."""
        self._delivery.answered(ended, (self,))

    async def answered_async(self, ended: Ended) -> None:
        """As `answered`, awaiting the check."""
        await self._delivery.answered_async(ended, (self,))

    # What the callback manager calls -------------------------------------------------------------------------

    def on_event_start(
        self, event_type: CBEventType, payload: _Payload = None, event_id: str = "", parent_id: str = "", **_: Any
    ) -> str:
        """An event begins."""
        logged(lambda: self._start(event_type, payload or {}, event_id, parent_id), str(event_type))
        return event_id

    def on_event_end(self, event_type: CBEventType, payload: _Payload = None, event_id: str = "", **_: Any) -> None:
        """An event is over; without a payload it was given up."""
        logged(lambda: self._stop(event_type, payload or {}, event_id), str(event_type))

    def start_trace(self, trace_id: str | None = None) -> None:
        """Nothing to do: events know their parents."""

    def end_trace(self, trace_id: str | None = None, trace_map: dict[str, list[str]] | None = None) -> None:
        """Nothing to do, as `start_trace`."""

    def _start(self, event_type: CBEventType, payload: dict[str, Any], event_id: str, parent_id: str) -> None:
        span = self._traces.enter(event_id, parent_id, _KINDS.get(event_type, SpanKind.OTHER))
        if span.parent is None:
            # Whether the caller blocks cannot be seen here: without an event loop it does.
            span.trace.info = Asked(run_id=event_id, question=_question(payload), blocking=False)

    def _stop(self, event_type: CBEventType, payload: dict[str, Any], event_id: str) -> None:
        span = self._traces.find(event_id)
        if span is None:
            return
        if event_type is CBEventType.RETRIEVE and EventPayload.NODES in payload:
            span.trace.retrievals.append(Retrieval(span, tuple(payload[EventPayload.NODES])))
        # Only the innermost event says what was raised; those around it end without a payload.
        span.trace.error = payload.get(EventPayload.EXCEPTION) or span.trace.error
        response = payload.get(EventPayload.RESPONSE)
        if span.parent is None:
            self._root_stopped(span.trace, event_type, response)
        elif event_type is CBEventType.QUERY and _is_in_retriever(span) and (nested := read_result(response)):
            span.trace.nested_answers.append(NestedAnswer(span, str(response), nested.nodes))

    def _root_stopped(self, trace: Trace, event_type: CBEventType, response: object) -> None:
        asked = trace.info
        captured = captured_below(trace.root, getattr(response, "source_nodes", None) or ())
        self._traces.close(trace)
        if event_type not in _ANSWERING:
            return
        if isinstance(response, StreamingResponse | AsyncStreamingResponse):
            tee_response(response, asked, captured, self)
        elif (result := read_result(response)) is not None:
            self.answered(Ended(asked=asked, answer=result.text, captured=captured, response=response))
        else:
            error = trace.error or GeneratorExit("given up")
            self.answered(Ended(asked=asked, answer=None, captured=captured, error=error))


def _question(payload: dict[str, Any]) -> str | None:
    asked = payload.get(EventPayload.QUERY_STR)
    return asked.query_str if isinstance(asked, QueryBundle) else asked


def _is_in_retriever(span: Span) -> bool:
    return any(each.kind is SpanKind.RETRIEVAL for each in span.ancestors())

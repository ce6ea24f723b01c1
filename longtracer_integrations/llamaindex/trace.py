"""What happened below one root span: its spans, its retrievals, and the texts that tools returned."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any

from llama_index.core.schema import NodeWithScore

__all__ = ["NestedAnswer", "Retrieval", "Span", "SpanKind", "ToolText", "Trace", "TraceTable"]


class SpanKind(Enum):
    """The kinds of span that decide what counts as a document."""

    RETRIEVAL = auto()
    QUERY = auto()
    TOOL = auto()
    RUN = auto()
    OTHER = auto()


@dataclass(eq=False, slots=True)
class Span:
    """An entered span. `holds_retrieval`: a retrieval ended somewhere below it."""

    id: str
    trace: Trace
    parent: Span | None = None
    kind: SpanKind = SpanKind.OTHER
    holds_retrieval: bool = False

    def ancestors(self) -> Iterator[Span]:
        """The spans around this one, the nearest first."""
        span = self.parent
        while span is not None:
            yield span
            span = span.parent

    def is_below(self, other: Span) -> bool:
        """Whether `other` is around this span."""
        return any(span is other for span in self.ancestors())


@dataclass(frozen=True, slots=True)
class Retrieval:
    """The nodes that a retriever returned, at the end of `span`."""

    span: Span
    nodes: tuple[NodeWithScore, ...]

    def is_outermost_in(self, scope: Span) -> bool:
        """Whether no other retriever between this one and `scope` passed these nodes on."""
        for span in self.span.ancestors():
            if span is scope:
                return True
            if span.kind is SpanKind.RETRIEVAL:
                return False
        return self.span is scope


@dataclass(frozen=True, slots=True)
class NestedAnswer:
    """What a query engine inside a retriever answered: LLM-written text that the retriever returns as a node."""

    span: Span
    text: str
    nodes: tuple[NodeWithScore, ...]


@dataclass(frozen=True, slots=True)
class ToolText:
    """Text that a tool of an agent returned without retrieving any node."""

    span: Span
    tool: str
    text: str


@dataclass(eq=False, slots=True)
class Trace:
    """The state of one root span; `info` is what the observer keeps with it, `error` what was raised inside."""

    root_id: str
    spans: dict[str, Span] = field(default_factory=dict)
    retrievals: list[Retrieval] = field(default_factory=list)
    nested_answers: list[NestedAnswer] = field(default_factory=list)
    tool_texts: list[ToolText] = field(default_factory=list)
    info: Any = None
    error: BaseException | None = None

    @property
    def root(self) -> Span:
        """The root span."""
        return self.spans[self.root_id]


class TraceTable:
    """The traces that are open, by span; safe for many threads.

    At most `capacity` are kept: a span that never ends (a thread that died) must not hold memory for ever.
    """

    def __init__(self, capacity: int = 10_000) -> None:
        self._capacity = capacity
        # Re-entrant: a garbage collection in here may end a stream, and with it a trace.
        self._lock = threading.RLock()
        self._traces: OrderedDict[str, Trace] = OrderedDict()
        self._spans: dict[str, Span] = {}

    def __len__(self) -> int:
        return len(self._traces)

    def enter(self, span_id: str, parent_id: str | None, kind: SpanKind) -> Span:
        """Note a span; one whose parent was never seen is the root of a new trace."""
        with self._lock:
            parent = self._spans.get(parent_id) if parent_id is not None else None
            trace = parent.trace if parent is not None else self._open(span_id)
            span = Span(span_id, trace, parent, kind)
            trace.spans[span_id] = span
            self._spans[span_id] = span
            return span

    def find(self, span_id: str | None) -> Span | None:
        """The span of an open trace, or None."""
        with self._lock:
            return self._spans.get(span_id) if span_id is not None else None

    def close(self, trace: Trace) -> None:
        """Forget a trace and all its spans; a second time is harmless."""
        with self._lock:
            self._forget(trace)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._traces.clear()
            self._spans.clear()

    def _open(self, root_id: str) -> Trace:
        while len(self._traces) >= self._capacity:
            self._forget(next(iter(self._traces.values())))
        trace = self._traces[root_id] = Trace(root_id)
        return trace

    def _forget(self, trace: Trace) -> None:
        if self._traces.get(trace.root_id) is trace:
            del self._traces[trace.root_id]
        for span_id in trace.spans:
            self._spans.pop(span_id, None)

"""Turns callback events into records; the same for every kind of handler. Only bookkeeping, nothing slow."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from langchain_core.callbacks import AsyncCallbackManager
from langchain_core.messages import ToolMessage
from langchain_core.outputs import LLMResult
from langchain_core.runnables.config import var_child_runnable_config

from longtracer.contracts import failed_case
from longtracer_integrations.records import AnswerStatus, RagAnswer

from .answer import find_answer
from .capture import given_up, record_of_end, record_of_error
from .capture_options import CaptureOptions
from .lists import documents_in
from .run_table import RunTable
from .run_tree import Run, RunKind, RunTree

__all__ = ["Recorder"]

logger = logging.getLogger("longtracer")

# What LangGraph raises to stop for a human or to leave a subgraph; neither is a failure of the node.
_INTERRUPTS = {"GraphInterrupt", "NodeInterrupt"}
_DETOURS = {"GraphBubbleUp", "ParentCommand"}


class Recorder:
    """Keeps the open requests of one handler; safe for many threads."""

    def __init__(self, options: CaptureOptions, table: RunTable | None = None) -> None:
        self.options = options
        self.table = table if table is not None else RunTable()

    def started(
        self,
        kind: RunKind,
        run_id: UUID,
        parent_id: UUID | None,
        *,
        inputs: object = None,
        name: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> list[RagAnswer]:
        """Note the start of a run; returns records of requests that were given up."""
        where = metadata or {}
        node, step = where.get("langgraph_node"), where.get("langgraph_step")
        run = Run(
            run_id=run_id,
            parent_id=parent_id,
            kind=kind,
            name=name,
            node=node if isinstance(node, str) else None,
            step=step if isinstance(step, int) else None,
            taken=documents_in(inputs) if kind == "chain" and isinstance(inputs, list) else None,
        )
        enclosing = _enclosing_run()
        old = self.table.start(run, inputs, enclosing.run_id)
        if enclosing.is_async and (found := self.table.find(run_id)) is not None:
            root = found[1].root
            root.is_async = root.is_async or root.run_id == enclosing.run_id
        records = (given_up(tree, self.options) for tree in old)
        return [record for record in records if record is not None]

    def ended(self, run_id: UUID, output: object, *, streamed_inputs: object = None) -> RagAnswer | None:
        """Note the end of a run; returns the record when it was the root of a request that gave an answer."""
        found = self.table.find(run_id)
        if found is None:
            return None
        run, tree = found
        run.ended = True
        if run is not tree.root:
            self._note_output(run, output, streamed_inputs)
            return None
        return self._closed(tree, lambda: record_of_end(tree, output, self.options, streamed_inputs=streamed_inputs))

    def failed(
        self, run_id: UUID, error: BaseException, *, partial: str | None = None, streamed_inputs: object = None
    ) -> RagAnswer | None:
        """Note that a run raised; returns the record when it was the root of a request."""
        found = self.table.find(run_id)
        if found is None:
            return None
        run, tree = found
        kinds = {kind.__name__ for kind in type(error).__mro__}
        run.interrupted = bool(kinds & _INTERRUPTS)
        run.failed = not kinds & (_INTERRUPTS | _DETOURS)
        run.ended = True
        run.text = partial or run.text
        if run is not tree.root:
            return None
        return self._closed(tree, lambda: record_of_error(tree, error, self.options, streamed_inputs=streamed_inputs))

    def _note_output(self, run: Run, output: object, streamed_inputs: object) -> None:
        if run.kind == "tool":
            self._note_tool_output(run, output)
        elif run.kind == "retriever":
            run.documents = documents_in(output, id_key=self.options.id_key, mappings=True) or ()
        elif run.kind == "chain":
            if isinstance(streamed_inputs, list):
                run.taken = documents_in(streamed_inputs)
            run.documents = documents_in(output, id_key=self.options.id_key)

    def _note_tool_output(self, run: Run, output: object) -> None:
        if isinstance(output, ToolMessage):
            run.artifact = documents_in(output.artifact, id_key=self.options.id_key, mappings=True)
            run.text, run.tool_call_id, run.name = str(output.text), output.tool_call_id, output.name or run.name
        elif output is not None:
            run.artifact = documents_in(output, id_key=self.options.id_key, mappings=True)
            run.text = output if isinstance(output, str) else str(output)

    def _closed(self, tree: RunTree, make: Callable[[], RagAnswer | None]) -> RagAnswer | None:
        """Forget the request, then make its record: whatever goes wrong there, no state is left."""
        if not self.table.close(tree):
            return None
        try:
            return make()
        except Exception as error:
            logger.exception("the answer of run %s could not be captured", tree.root.run_id)
            return RagAnswer(
                question=None,
                answer=None,
                documents=(),
                status=AnswerStatus.ERROR,
                run_id=str(tree.root.run_id),
                case=failed_case(error),
                error=f"capture failed: {type(error).__name__}: {error}",
            )


def partial_text(response: LLMResult | None) -> str | None:
    """What a model had said when it failed."""
    return find_answer(response).text if isinstance(response, LLMResult) else None


@dataclass(frozen=True, slots=True)
class _Enclosing:
    run_id: UUID | None
    is_async: bool


def _enclosing_run() -> _Enclosing:
    """The run in whose context we are: `with_fallbacks` starts its attempts without naming their parent."""
    config = var_child_runnable_config.get()
    callbacks = (config or {}).get("callbacks")
    parent = getattr(callbacks, "parent_run_id", None)
    return _Enclosing(parent if isinstance(parent, UUID) else None, isinstance(callbacks, AsyncCallbackManager))

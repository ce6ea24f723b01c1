"""Catches the documents of one call of a chain, for the guard around it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from longtracer_integrations.records import RagAnswer, RetrievedDocument

from .capture_options import CaptureOptions
from .events import RecordingHandler
from .recorder import Recorder
from .run_tree import RunTree
from .seen_documents import seen_documents

__all__ = ["DocumentCapture"]


class DocumentCapture(RecordingHandler):
    """A handler for one call below the run `guard_run_id`; whatever it hears belongs to that call.

    output  of the first chain run, once it has ended: of a graph its state, of a chain without a run of its own that
            of a step
    """

    run_inline = True  # bookkeeping only, and complete before the chain returns

    def __init__(self, guard_run_id: UUID, inputs: object, options: CaptureOptions) -> None:
        self.recorder = Recorder(options)
        self.output: Any = None
        self._guard_run_id = guard_run_id
        self._chain_run_id: UUID | None = None
        self.recorder.started("chain", guard_run_id, None, inputs=inputs)
        found = self.recorder.table.find(guard_run_id)
        assert found is not None  # it was started in the line above
        self._tree: RunTree = found[1]

    def documents(self, output: object) -> tuple[RetrievedDocument, ...] | None:
        """The documents that were seen so far; None when there was no retrieval. `output` may name them itself."""
        return seen_documents(self._tree, output, self.recorder.options)

    @property
    def interrupted(self) -> bool:
        """Whether a graph stopped to wait for a human."""
        return any(run.interrupted for run in list(self._tree.runs.values()))

    def receive(self, record: RagAnswer) -> None:
        """The guard checks the answer itself."""

    def on_chain_start(
        self, serialized: dict[str, Any], inputs: Any, *, run_id: UUID, parent_run_id: UUID | None = None, **kwargs: Any
    ) -> None:
        if self._chain_run_id is None and parent_run_id == self._guard_run_id:
            self._chain_run_id = run_id
        super().on_chain_start(serialized, inputs, run_id=run_id, parent_run_id=parent_run_id, **kwargs)

    def on_chain_end(self, outputs: Any, *, run_id: UUID, inputs: Any = None, **kwargs: Any) -> None:
        if run_id == self._chain_run_id:
            self.output = outputs
        super().on_chain_end(outputs, run_id=run_id, inputs=inputs, **kwargs)

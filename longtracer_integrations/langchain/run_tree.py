"""The runs of one request: a root and all that runs below it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal
from uuid import UUID

from longtracer_integrations.records import RetrievedDocument

__all__ = ["Run", "RunKind", "RunTree"]

RunKind = Literal["chain", "llm", "retriever", "tool"]

Documents = tuple[RetrievedDocument, ...]


@dataclass(slots=True)
class Run:
    """One run. Only what capture needs is kept, and documents are copies.

    taken      documents that a chain run was given as its input
    documents  what a retriever returned, or a chain run that returned documents; None: neither
    artifact   documents that came as the artifact of a tool
    text       the text result of a tool, or what a model had said when it failed
    node, step where in a LangGraph graph the run stands
    is_async   whether it runs in async code, as far as the runs below it show
    """

    run_id: UUID
    parent_id: UUID | None
    kind: RunKind
    name: str | None = None
    node: str | None = None
    step: int | None = None
    taken: Documents | None = None
    documents: Documents | None = None
    artifact: Documents | None = None
    text: str | None = None
    tool_call_id: str | None = None
    ended: bool = False
    failed: bool = False
    interrupted: bool = False
    is_async: bool = False


@dataclass(slots=True)
class RunTree:
    """All runs below one root, in the order they started."""

    root: Run
    inputs: Any
    runs: dict[UUID, Run] = field(default_factory=dict)
    began: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self.runs[self.root.run_id] = self.root

    def ancestors(self, run: Run) -> Iterator[Run]:
        """The runs above `run`, nearest first, up to the root."""
        above = self.runs.get(run.parent_id) if run.parent_id is not None else None
        while above is not None:
            yield above
            above = self.runs.get(above.parent_id) if above.parent_id is not None else None

    def standing(self) -> list[Run]:
        """The runs that count: not failed, and not below a run that failed (an attempt that was tried again)."""
        return [
            run
            for run in list(self.runs.values())  # another thread may add to it
            if run is not self.root
            and not run.failed
            and not any(above.failed for above in self.ancestors(run) if above is not self.root)
        ]

    @property
    def has_open_runs(self) -> bool:
        """Whether something below the root has neither ended nor failed."""
        return any(not run.ended and not run.failed for run in self.runs.values() if run is not self.root)

"""The requests that are under way, by root run id; bounded in number and age."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from uuid import UUID

from .run_tree import Run, RunTree

__all__ = ["RunTable"]


class RunTable:
    """Trees of runs, safe for many threads.

    max_open   how many requests may be open; the oldest beyond that is given up
    max_age    seconds after which a request that never ended is given up
    """

    def __init__(self, *, max_open: int = 10_000, max_age: float = 3600.0, max_remembered: int = 10_000) -> None:
        self._max_open = max_open
        self._max_age = max_age
        self._max_remembered = max_remembered
        self._trees: OrderedDict[UUID, RunTree] = OrderedDict()
        self._root_of: dict[UUID, UUID] = {}
        # Runs of closed requests: what they still start must not look like a request of its own.
        self._closed: OrderedDict[UUID, None] = OrderedDict()
        self._lock = threading.RLock()

    def __len__(self) -> int:
        """How many requests are open."""
        with self._lock:
            return len(self._trees)

    def start(self, run: Run, inputs: object, enclosing: UUID | None) -> list[RunTree]:
        """Note the start of `run`; returns the requests that were given up to keep the bounds.

        enclosing: the run in whose context this one started, for a run that names no parent of ours.
        """
        with self._lock:
            if run.run_id in self._root_of:
                return []  # the same handler, registered twice, hears of a root twice
            self._closed.pop(run.run_id, None)  # a caller may use a run id of its own again
            parent = self._known(run.parent_id, enclosing)
            if parent is not None:
                run.parent_id = parent
                tree = self._trees[self._root_of[parent]]
                tree.runs[run.run_id] = run
                self._root_of[run.run_id] = tree.root.run_id
                return []
            if run.parent_id in self._closed:
                self._remember(run.run_id)
                return []
            self._trees[run.run_id] = RunTree(run, inputs)
            self._root_of[run.run_id] = run.run_id
            return self._give_up_old()

    def find(self, run_id: UUID) -> tuple[Run, RunTree] | None:
        """The run and its request, while that is open."""
        with self._lock:
            root_id = self._root_of.get(run_id)
            if root_id is None:
                return None
            tree = self._trees[root_id]
            return tree.runs[run_id], tree

    def close(self, tree: RunTree) -> bool:
        """Forget a request; False when it was closed before."""
        with self._lock:
            if self._trees.pop(tree.root.run_id, None) is None:
                return False
            for run_id in tree.runs:
                self._root_of.pop(run_id, None)
                self._remember(run_id)
            return True

    def _known(self, parent_id: UUID | None, enclosing: UUID | None) -> UUID | None:
        for candidate in (parent_id, enclosing):
            if candidate is not None and candidate in self._root_of:
                return candidate
        return None

    def _remember(self, run_id: UUID) -> None:
        self._closed[run_id] = None
        while len(self._closed) > self._max_remembered:
            self._closed.popitem(last=False)

    def _give_up_old(self) -> list[RunTree]:
        given_up: list[RunTree] = []
        oldest_allowed = time.monotonic() - self._max_age
        while self._trees:
            oldest = next(iter(self._trees.values()))
            if len(self._trees) <= self._max_open and oldest.began >= oldest_allowed:
                break
            self.close(oldest)
            given_up.append(oldest)
        return given_up

"""The newest records of a handler, by run id."""

from __future__ import annotations

import threading
from collections import OrderedDict

from .records import RagAnswer

__all__ = ["RecordLog"]


class RecordLog:
    """A bounded log of `RagAnswer`, newest last; safe for many threads.

    A record with the run id of an earlier one replaces it (its place becomes the newest).
    """

    def __init__(self, capacity: int = 1000) -> None:
        self._capacity = capacity
        self._records: OrderedDict[str, RagAnswer] = OrderedDict()
        self._lock = threading.Lock()

    def add(self, record: RagAnswer) -> None:
        """Append `record`, dropping the oldest beyond the capacity."""
        with self._lock:
            self._records.pop(record.run_id, None)
            self._records[record.run_id] = record
            while len(self._records) > self._capacity:
                self._records.popitem(last=False)

    @property
    def last(self) -> RagAnswer | None:
        """The newest record, or None."""
        with self._lock:
            return next(reversed(self._records.values()), None)

    @property
    def records(self) -> tuple[RagAnswer, ...]:
        """All records that are kept, newest last."""
        with self._lock:
            return tuple(self._records.values())

    def result_for(self, run_id: object) -> RagAnswer | None:
        """The record of a run, or None; `run_id` may be a UUID or its text."""
        with self._lock:
            return self._records.get(str(run_id))

    def clear(self) -> None:
        """Forget all records."""
        with self._lock:
            self._records.clear()

"""Watches every LlamaIndex pipeline of the process, through the instrumentation dispatcher."""

from __future__ import annotations

from typing import Self

from longtracer_integrations.check import GroundingCheck, Verifier
from longtracer_integrations.observer import Observer, OnResult
from longtracer_integrations.records import RagAnswer

from .hub import Hub, attached_hub, hub_on_root

__all__ = ["InstrumentHandle", "instrument", "uninstrument"]


class InstrumentHandle:
    """What `instrument` returns: the records made while it is open. A context manager, sync and async."""

    def __init__(self, observer: Observer) -> None:
        self.observer = observer
        self._hub: Hub | None = hub_on_root(lambda hub: hub.open(self))

    @property
    def records(self) -> tuple[RagAnswer, ...]:
        """The records that are kept, newest last."""
        return self.observer.log.records

    @property
    def last(self) -> RagAnswer | None:
        """The newest record, or None."""
        return self.observer.log.last

    def result_for(self, run_id: object) -> RagAnswer | None:
        """The record of a run, by its root span id or the `longtracer_run_id` of `instrument_tags`; else None."""
        return self.observer.log.result_for(run_id)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until every answer given so far has its record; False when `timeout` seconds pass first.

        In an event loop, use `wait_async`: this blocks it.
        """
        if self._hub is not None:
            self._hub.settle()
        return self.observer.wait(timeout)

    async def wait_async(self) -> None:
        """Wait until every answer given so far has its record."""
        if self._hub is not None:
            await self._hub.wait_async()
        await self.observer.wait_async()

    def close(self) -> None:
        """Stop watching, after every answer given so far has its record. A second time is harmless.

        In an event loop, use `aclose`: this blocks it.
        """
        if self._hub is not None:
            self._hub.settle()
            self._hub.close(self)
            self._hub = None
            self.observer.close()

    async def aclose(self) -> None:
        """As `close`, after every answer given so far has its record."""
        await self.wait_async()
        if self._hub is not None:
            self._hub.close(self)
            self._hub = None
            await self.observer.aclose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


def instrument(
    *,
    verifier: Verifier | None = None,
    on_result: OnResult | None = None,
    timeout: float | None = None,
    detect_conflicts: bool = False,
    sample_rate: float = 1.0,
    background: bool = False,
    max_queue: int = 1000,
    max_records: int = 1000,
) -> InstrumentHandle:
    """Check the answers of all query engines, chat engines, agents and workflows of this process.

    Every answer gets a `RagAnswer` record, and a response with metadata gets `response.metadata["longtracer"]`.
    A synchronous call returns with its result in place. An asynchronous call is not delayed: its result follows,
    see `InstrumentHandle.wait_async`. Streams reach their reader unchanged and are checked at their end.

    Args:
        verifier: a `CitationVerifier`, or anything with its two methods; None: one that the process shares.
        on_result: called with each record; may be a coroutine function in asynchronous applications.
        timeout: seconds for one check.
        detect_conflicts: also look for documents that disagree.
        sample_rate: the share of answers that is checked; the others get a record with a SKIPPED case.
        background: check on threads also in synchronous calls; `max_queue` answers may wait for that.
        max_records: how many records are kept.

    With several handles open there is one check and one record: the newest handle checks, all of them show the
    record, and each different `on_result` is called once. Closing one leaves the others as they are.

    Raises:
        InvalidInputError: for an unusable option.
    """
    check = GroundingCheck(verifier, timeout=timeout, detect_conflicts=detect_conflicts)
    observer = Observer(
        check,
        on_result=on_result,
        sample_rate=sample_rate,
        background=background,
        max_queue=max_queue,
        max_records=max_records,
    )
    return InstrumentHandle(observer)


def uninstrument() -> None:
    """Close every open handle."""
    hub = attached_hub()
    for handle in hub.handles if hub is not None else ():
        handle.close()

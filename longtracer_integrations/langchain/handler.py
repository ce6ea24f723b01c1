"""The handler for sync and async code."""

from __future__ import annotations

import asyncio

from longtracer_integrations.records import RagAnswer

from .events import RecordingHandler
from .handler_base import HandlerBase

__all__ = ["LongTracerCallbackHandler"]


class LongTracerCallbackHandler(HandlerBase, RecordingHandler):
    """Watches pipelines and checks their answers, without changing what they return.

    Pass it with a call, `chain.invoke(q, config={"callbacks": [handler]})`, or bind it with `with_config`. Under
    `ainvoke` LangChain runs it in a worker thread. When it is made to run on the event loop itself (`run_inline`), or
    with `background=True`, checks happen in threads of the handler: `wait()` or `aclose()` wait for them.
    """

    def receive(self, record: RagAnswer) -> None:
        """Finish a captured record."""
        # On the loop's own thread a check would stop every other task; in a sync call that happens to be made
        # there (a notebook) the caller waits anyway, and wants the record when the call returns.
        behind = True if self.run_inline and _on_event_loop() else None
        self._observer.finish(record, background=behind)


def _on_event_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True

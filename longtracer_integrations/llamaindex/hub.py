"""The one pair of handlers on the root dispatcher, shared by all open handles and guards."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from llama_index_instrumentation import get_dispatcher
from llama_index_instrumentation.event_handlers import BaseEventHandler
from llama_index_instrumentation.span import BaseSpan
from llama_index_instrumentation.span_handlers import BaseSpanHandler
from pydantic import PrivateAttr

from .capture import Capture
from .delivery import Delivery, logged
from .ended import Ended
from .trace import Span

if TYPE_CHECKING:
    from .instrument import InstrumentHandle

__all__ = ["Hub", "attached_hub", "hub_on_root"]

# Re-entrant, as the other locks here: a garbage collection inside them may end a guard or a stream.
_ATTACHING = threading.RLock()


class Hub:
    """Gives each finished answer to the open handles: the newest checks it, all of them get the record."""

    def __init__(self) -> None:
        self.capture = Capture(self)
        self._lock = threading.RLock()
        self._handles: tuple[InstrumentHandle, ...] = ()
        self._guards = 0
        self._delivery = Delivery()

    # Life cycle ----------------------------------------------------------------------------------------------

    @property
    def handles(self) -> tuple[InstrumentHandle, ...]:
        """The open handles, newest last."""
        return self._handles

    @property
    def active(self) -> bool:
        """Whether anybody wants records."""
        return bool(self._handles)

    @property
    def in_use(self) -> bool:
        """Whether a handle or a guard needs the handlers."""
        return bool(self._handles or self._guards)

    def open(self, handle: InstrumentHandle) -> None:
        """Add a handle."""
        with self._lock:
            self._handles = (*self._handles, handle)

    def close(self, handle: InstrumentHandle) -> None:
        """Remove a handle; the last one to leave takes the handlers off the dispatcher."""
        with self._lock:
            self._handles = tuple(each for each in self._handles if each is not handle)
        _detach_unused(self)

    def serve_guard(self, guard: object) -> None:
        """Keep following spans for as long as `guard` lives: it asks which documents were retrieved inside it."""
        with self._lock:
            self._guards += 1
        weakref.finalize(guard, self._guard_gone).atexit = False

    def _guard_gone(self) -> None:
        with self._lock:
            self._guards -= 1
        _detach_unused(self)

    def find(self, span_id: str | None) -> Span | None:
        """The open span of this id."""
        return self.capture.traces.find(span_id)

    # Answers -------------------------------------------------------------------------------------------------

    def answered(self, ended: Ended) -> None:
        """Take an answer."""
        self._delivery.answered(ended, self._handles)

    async def answered_async(self, ended: Ended) -> None:
        """As `answered`, awaiting the check."""
        await self._delivery.answered_async(ended, self._handles)

    async def wait_async(self) -> None:
        """Wait for the checks that are under way in this event loop."""
        await self._delivery.wait_async()

    def settle(self) -> None:
        """Finish the checks of this thread's event loop, and of loops that have stopped, right here."""
        self._delivery.settle()


class LongTracerSpanHandler(BaseSpanHandler[BaseSpan]):
    """Tells the capture about every span; our own errors are logged, because a dispatcher drops them silently."""

    _hub: Hub = PrivateAttr()

    def __init__(self, hub: Hub) -> None:
        super().__init__()
        self._hub = hub

    @property
    def hub(self) -> Hub:
        """The state behind this handler."""
        return self._hub

    @classmethod
    def class_name(cls) -> str:
        """The name of this class."""
        return "LongTracerSpanHandler"

    def span_enter(
        self,
        id_: str,
        bound_args: Any,
        instance: Any | None = None,
        parent_id: str | None = None,
        tags: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """A span begins."""
        logged(lambda: self._hub.capture.enter(id_, bound_args, instance, parent_id, tags), id_)

    def span_exit(
        self, id_: str, bound_args: Any, instance: Any | None = None, result: Any | None = None, **kwargs: Any
    ) -> None:
        """A span has returned."""
        logged(lambda: self._hub.capture.exit(id_, instance, result), id_)

    def span_drop(
        self, id_: str, bound_args: Any, instance: Any | None = None, err: BaseException | None = None, **kwargs: Any
    ) -> None:
        """A span has raised."""
        logged(lambda: self._hub.capture.drop(id_, instance, err), id_)

    def new_span(self, *_: Any, **__: Any) -> None:
        """Not used: this handler keeps no spans of its own."""

    def prepare_to_exit_span(self, *_: Any, **__: Any) -> None:
        """Not used, as `new_span`."""

    def prepare_to_drop_span(self, *_: Any, **__: Any) -> None:
        """Not used, as `new_span`."""


class LongTracerEventHandler(BaseEventHandler):
    """Tells the capture about events."""

    _hub: Hub = PrivateAttr()

    def __init__(self, hub: Hub) -> None:
        super().__init__()
        self._hub = hub

    @classmethod
    def class_name(cls) -> str:
        """The name of this class."""
        return "LongTracerEventHandler"

    def handle(self, event: Any, **kwargs: Any) -> None:
        """An event was sent."""
        logged(lambda: self._hub.capture.event(event), type(event).__name__)


def attached_hub() -> Hub | None:
    """The hub on the root dispatcher, if there is one."""
    handlers = get_dispatcher().span_handlers
    return next((each.hub for each in handlers if isinstance(each, LongTracerSpanHandler)), None)


def hub_on_root(use: Callable[[Hub], None]) -> Hub:
    """The hub on the root dispatcher, attached if need be; `use` registers a user of it first."""
    dispatcher = get_dispatcher()
    with _ATTACHING:
        hub = attached_hub() or Hub()
        use(hub)
        if attached_hub() is not hub:
            # New lists: a thread that is walking the old ones must not skip another library's handler.
            dispatcher.span_handlers = [*dispatcher.span_handlers, LongTracerSpanHandler(hub)]
            dispatcher.event_handlers = [*dispatcher.event_handlers, LongTracerEventHandler(hub)]
    return hub


def _detach_unused(hub: Hub) -> None:
    dispatcher = get_dispatcher()
    with _ATTACHING:
        if hub.in_use:
            return
        dispatcher.span_handlers = [
            each
            for each in dispatcher.span_handlers
            if not (isinstance(each, LongTracerSpanHandler) and each.hub is hub)
        ]
        dispatcher.event_handlers = [
            each for each in dispatcher.event_handlers if not isinstance(each, LongTracerEventHandler)
        ]
        hub.capture.traces.clear()

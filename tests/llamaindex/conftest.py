"""Fixtures of the LlamaIndex tests."""

from __future__ import annotations

import asyncio
import gc
import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest
from llama_index.core.instrumentation import get_dispatcher

from longtracer import CitationVerifier
from longtracer_integrations.llamaindex import InstrumentHandle, instrument, uninstrument
from longtracer_integrations.llamaindex.hub import attached_hub

# Workflows look for their steps with inspect.getmembers, and agents are pydantic models with deprecated attributes.
_LOOKING_FOR_STEPS = "ignore::pydantic.warnings.PydanticDeprecationWarning:inspect"
# The base class of agents asks its context something that workflows no longer like to be asked.
_ASKING_IN_A_STEP = "ignore:is_running called from within a step:DeprecationWarning"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let those warnings pass in the tests of this folder."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.filterwarnings(_LOOKING_FOR_STEPS))
            item.add_marker(pytest.mark.filterwarnings(_ASKING_IN_A_STEP))


@pytest.fixture(autouse=True)
def _nothing_left_behind(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every test begins with a dispatcher without our handlers, and leaves no handle open and no trace."""
    dispatcher = get_dispatcher()
    # Guards of other tests keep the handlers for as long as they live.
    for attribute in ("span_handlers", "event_handlers"):
        others = [each for each in getattr(dispatcher, attribute) if not type(each).__name__.startswith("LongTracer")]
        monkeypatch.setattr(dispatcher, attribute, others)
    yield
    uninstrument()
    hub = attached_hub()
    if hub is not None and len(hub.capture.traces) > 0:
        gc.collect()
    assert hub is None or len(hub.capture.traces) == 0


@pytest.fixture
def handle(verifier: CitationVerifier) -> Iterator[InstrumentHandle]:
    """An open handle on the real embedded models."""
    with instrument(verifier=verifier) as opened:
        yield opened


@pytest.fixture
def open_traces(handle: InstrumentHandle) -> Iterator[object]:
    """Counts the traces that are open now."""
    hub = attached_hub()
    assert hub is not None
    return lambda: len(hub.capture.traces)  # type: ignore[return-value]


@pytest.fixture(autouse=True)
def _current_loop(request: pytest.FixtureRequest) -> Iterator[None]:
    """The current event loop of a synchronous test: LlamaIndex would make one itself, and leave it open."""
    if inspect.iscoroutinefunction(request.function):
        yield
        return
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    yield
    asyncio.set_event_loop(None)
    loop.close()

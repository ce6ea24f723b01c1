"""Watches and guards LangChain pipelines.

Handlers observe: `chain.invoke(q, config={"callbacks": [handler]})`, then `handler.last`. Guards decide what leaves:
`rag_chain | GroundingGuardrail(...)`, `GroundingGuardrail.around(chain)`, and in an agent
`create_agent(middleware=[GroundingMiddleware()])`.

Names are resolved when they are used: handlers and guards need langchain-core, the middleware also langchain.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .async_handler import AsyncLongTracerCallbackHandler
    from .graph import GroundingGraphState, grounding_node, grounding_router
    from .guarded_chain import GuardedChain
    from .guardrail import GroundingGuardrail
    from .handler import LongTracerCallbackHandler
    from .middleware import GroundingMiddleware

__all__ = [
    "AsyncLongTracerCallbackHandler",
    "GroundingGraphState",
    "GroundingGuardrail",
    "GroundingMiddleware",
    "GuardedChain",
    "LongTracerCallbackHandler",
    "grounding_node",
    "grounding_router",
]

_HOME = {
    "AsyncLongTracerCallbackHandler": "async_handler",
    "GroundingGraphState": "graph",
    "GroundingGuardrail": "guardrail",
    "GroundingMiddleware": "middleware",
    "GuardedChain": "guarded_chain",
    "LongTracerCallbackHandler": "handler",
    "grounding_node": "graph",
    "grounding_router": "graph",
}


try:
    import langchain_core  # noqa: F401
except ImportError as error:
    raise ImportError(
        "longtracer_integrations.langchain needs langchain-core: pip install 'longtracer-integrations[langchain]'"
    ) from error


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOME[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(__all__)

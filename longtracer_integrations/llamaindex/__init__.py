"""Checks and guards the answers of LlamaIndex query engines, chat engines, agents and workflows.

from longtracer_integrations.llamaindex import instrument

with instrument() as handle:
    response = index.as_query_engine().query("...")
response.metadata["longtracer"], handle.last
"""

from __future__ import annotations

from . import _installed  # noqa: F401 - says what is missing before anything else fails
from .chat_guard import GuardedChatEngine, GuardedStreamingChatResponse
from .citations import CitationCheck, CitationFinding, CitationReport
from .evaluator import GroundingEvaluationResult, GroundingEvaluator
from .instrument import InstrumentHandle, instrument, uninstrument
from .legacy import LongTracerCallbackHandler
from .query_guard import GuardedQueryEngine
from .workflow_guard import GroundingStep, guard_agent_output

__all__ = [
    "CitationCheck",
    "CitationFinding",
    "CitationReport",
    "GroundingEvaluationResult",
    "GroundingEvaluator",
    "GroundingStep",
    "GuardedChatEngine",
    "GuardedQueryEngine",
    "GuardedStreamingChatResponse",
    "InstrumentHandle",
    "LongTracerCallbackHandler",
    "guard_agent_output",
    "instrument",
    "uninstrument",
]

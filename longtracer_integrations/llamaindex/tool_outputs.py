"""The documents among the tool calls that an agent lists with its answer."""

from __future__ import annotations

from collections.abc import Iterator

from llama_index.core.agent.workflow import AgentOutput
from llama_index.core.schema import NodeWithScore
from llama_index.core.tools import ToolOutput

from longtracer_integrations.documents import read_documents, unique_documents
from longtracer_integrations.records import RetrievedDocument

from .nodes import node_documents
from .results import is_response

__all__ = ["HANDOFF", "evidence_text", "tool_documents"]

HANDOFF = "handoff"
"""The tool by which one agent hands over to another; it says nothing about the world."""


def tool_documents(output: AgentOutput) -> tuple[RetrievedDocument, ...]:
    """What the tools of a run returned: nodes as they are, a query engine's source nodes, other tools' texts."""
    listed = [getattr(call, "tool_output", None) for call in output.tool_calls]
    outputs = [each for each in listed if isinstance(each, ToolOutput)]
    found = [document for each in outputs for document in _documents(each)]
    # A tool that returns directly leaves only its raw output.
    return unique_documents(found or _raw_documents(output.raw))


def evidence_text(output: ToolOutput) -> str | None:
    """The text of a tool's output if it is evidence: not written by a model, no error, no handover."""
    if output.is_error or output.tool_name == HANDOFF or is_response(output.raw_output):
        return None
    return output.content if isinstance(output.content, str) and output.content.strip() else None


def _documents(output: ToolOutput) -> Iterator[RetrievedDocument]:
    nodes = _raw_documents(output.raw_output)
    yield from nodes
    text = None if nodes else evidence_text(output)
    if text is not None:
        yield from read_documents({"text": text, "metadata": {"tool": output.tool_name}})


def _raw_documents(raw: object) -> list[RetrievedDocument]:
    nodes = getattr(raw, "source_nodes", None) if is_response(raw) else raw
    if not isinstance(nodes, list | tuple):
        return []
    return node_documents(node for node in nodes if isinstance(node, NodeWithScore))

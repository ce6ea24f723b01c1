"""What an agent's answer of this turn is based on, read from its messages."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from langchain_core.messages import ToolMessage
from langchain_core.tools import BaseTool
from langchain_core.tools.retriever import RetrieverInput

from longtracer_integrations.documents import read_documents, unique_documents
from longtracer_integrations.records import RetrievedDocument

from .capture_options import CaptureOptions
from .lists import documents_in
from .messages import message_text, this_turn
from .seen_documents import tool_document

__all__ = ["agent_documents", "retriever_tool_names"]


def agent_documents(
    state: Mapping[str, Any], messages: Sequence[Any], retriever_tools: Collection[str], options: CaptureOptions
) -> tuple[RetrievedDocument, ...] | None:
    """The documents behind the answer to the last message of the user; None when there was no retrieval.

    Documents in the state under `context_key`, and those of the tools that were called since that message: their
    artifacts, or the text of a retriever tool. With "tool" as evidence, the text of every tool counts.
    """
    named = state.get(options.context_key) if options.context_key is not None else None
    found: list[RetrievedDocument] | None = None if named is None else [*read_documents(named, id_key=options.id_key)]
    for message in this_turn(messages):
        if isinstance(message, ToolMessage):
            documents = _of_tool(message, retriever_tools, options)
            if documents is not None:
                found = [*(found or ()), *documents]
    return None if found is None else unique_documents(found)


def retriever_tool_names(tools: Iterable[object]) -> frozenset[str]:
    """The names of the tools that `create_retriever_tool` made."""
    return frozenset(tool.name for tool in tools if isinstance(tool, BaseTool) and tool.args_schema is RetrieverInput)


def _of_tool(
    message: ToolMessage, retriever_tools: Collection[str], options: CaptureOptions
) -> Sequence[RetrievedDocument] | None:
    if message.status == "error":
        return None
    wants_retrieval = "retriever" in options.evidence
    artifact = documents_in(message.artifact, id_key=options.id_key, mappings=True)
    if wants_retrieval and artifact is not None:
        return artifact
    is_retrieval = wants_retrieval and (message.name in retriever_tools or message.artifact == [])
    if not is_retrieval and "tool" not in options.evidence:
        return None
    text = message_text(message)
    return [tool_document(text, name=message.name, call_id=message.tool_call_id)] if text.strip() else []

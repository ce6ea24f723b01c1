"""Which documents the model saw, from the runs of a request and its output."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from langchain_core.messages import ToolMessage

from longtracer_integrations.documents import unique_documents
from longtracer_integrations.records import RetrievedDocument

from .capture_options import CaptureOptions
from .lists import context_of, documents_in
from .messages import this_turn
from .recovered_ids import with_recovered_ids
from .run_tree import Run, RunTree

__all__ = ["seen_documents"]

Documents = tuple[RetrievedDocument, ...]


def seen_documents(tree: RunTree, output: object, options: CaptureOptions) -> Documents | None:
    """The documents behind the answer, once each; None when there was no retrieval at all.

    What the output itself names comes first, unless the model alone wrote it (see `context_of`). Else it is what the
    outermost retrievers returned and what tools brought as artifacts; else what chain runs returned (a search without
    a retriever). Attempts that failed do not count. Documents that a later step reordered, filtered or shortened
    count as that step left them.
    """
    standing = tree.standing()
    everything = [document for run in standing for document in _all_of(run)]
    given = documents_in(tree.inputs, id_key=options.id_key, mappings=True) or ()
    found = _from_output(tree, output, options, standing, retrieved=(*everything, *given))
    if found is None:
        found = _after_transformers(_from_runs(standing, tree), standing, tree)
    if found is None:
        found = _from_messages(output, options)
    if "tool" in options.evidence:
        texts = _tool_texts(standing, tree)
        found = (*(found or ()), *texts) if texts else found
    return None if found is None else unique_documents(with_recovered_ids(found, everything))


def _all_of(run: Run) -> Documents:
    return (*(run.documents or ()), *(run.artifact or ()))


def _from_output(
    tree: RunTree, output: object, options: CaptureOptions, standing: Sequence[Run], *, retrieved: Documents
) -> Documents | None:
    if "retriever" not in options.evidence:
        return None
    found = context_of(output, context_key=options.context_key, id_key=options.id_key, retrieved=retrieved)
    if found and _is_left_from_before(tree, found, standing):
        return None
    return found


def _is_left_from_before(tree: RunTree, found: Iterable[RetrievedDocument], standing: Sequence[Run]) -> bool:
    """Whether a graph with a checkpoint shows the documents of an earlier turn: no run of this one brought any.

    A turn that goes on after a human's decision is still the turn that retrieved.
    """
    inside = [run for run in standing if run.node is not None]
    if not inside or type(tree.inputs).__name__ == "Command":
        return False
    given = documents_in(tree.inputs, mappings=True) or ()
    texts = {document.text for document in given}
    texts.update(document.text for run in inside for document in _all_of(run))
    return not any(document.text in texts for document in found)


def _from_runs(standing: Sequence[Run], tree: RunTree) -> Documents | None:
    retrievers = [run for run in standing if run.kind == "retriever" and run.documents is not None]
    outermost = [run for run in retrievers if not any(above.kind == "retriever" for above in tree.ancestors(run))]
    latest = [run for run in outermost if not _is_superseded(run, outermost, tree)]
    found = [document for run in latest for document in run.documents or ()]
    found.extend(document for run in standing if run.kind == "tool" for document in run.artifact or ())
    if found or latest:
        return tuple(found)
    searches = [run for run in standing if run.kind == "chain" and run.documents]
    if not searches:
        return None
    return tuple(document for run in _outputs_that_count(searches, tree) for document in run.documents or ())


def _is_superseded(run: Run, others: Sequence[Run], tree: RunTree) -> bool:
    """Whether a graph came by the same node again later; what tools retrieve adds up instead."""
    if run.node is None or any(above.kind == "tool" for above in tree.ancestors(run)):
        return False
    return any(other.node == run.node and (other.step or 0) > (run.step or 0) for other in others)


def _outputs_that_count(searches: Sequence[Run], tree: RunTree) -> list[Run]:
    """The chain runs that brought documents; in a graph the last pass through a node."""
    return [run for run in searches if not _is_superseded(run, searches, tree)]


def _after_transformers(found: Documents | None, standing: Sequence[Run], tree: RunTree) -> Documents | None:
    """Replace what a run took by what it made of it, for runs from documents to documents."""
    if not found:
        return found
    pool = list(found)
    for run in standing:
        inside_retriever = any(above.kind == "retriever" for above in tree.ancestors(run))
        if run.kind != "chain" or not run.taken or run.documents is None or inside_retriever:
            continue
        taken = {document.text for document in run.taken}
        if taken <= {document.text for document in pool}:
            pool = [document for document in pool if document.text not in taken]
            pool.extend(with_recovered_ids(run.documents, found))
    return tuple(pool)


def _from_messages(output: object, options: CaptureOptions) -> Documents | None:
    """The artifacts of this turn's tool messages, for a turn that went on after an interruption."""
    messages = output.get("messages") if isinstance(output, Mapping) else None
    if not isinstance(messages, Sequence) or "retriever" not in options.evidence:
        return None
    artifacts = [
        documents_in(message.artifact, id_key=options.id_key, mappings=True)
        for message in this_turn(messages)
        if isinstance(message, ToolMessage)
    ]
    found = [document for artifact in artifacts for document in artifact or ()]
    return tuple(found) or None


def _tool_texts(standing: Sequence[Run], tree: RunTree) -> list[RetrievedDocument]:
    """The text results of tools that did not bring documents another way."""
    retrieving = {above.run_id for run in standing if run.kind == "retriever" for above in tree.ancestors(run)}
    return [
        tool_document(run.text, name=run.name, call_id=run.tool_call_id or str(run.run_id))
        for run in standing
        if run.kind == "tool" and run.text and not run.artifact and run.run_id not in retrieving
    ]


def tool_document(text: str, *, name: str | None, call_id: str) -> RetrievedDocument:
    """The result of a tool as a document, named by its call."""
    metadata: dict[str, Any] = {"tool_call_id": call_id} | ({"tool": name} if name else {})
    return RetrievedDocument(id=call_id, text=text, metadata=metadata, id_from="metadata.tool_call_id")

"""Which nodes of a trace are documents: what the model read, without what a model wrote."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from llama_index.core.schema import NodeWithScore

from longtracer_integrations.documents import read_document, read_documents, unique_documents
from longtracer_integrations.records import RetrievedDocument

from .trace import NestedAnswer, Retrieval, Span, ToolText

__all__ = ["Captured", "captured_below", "is_intermediate", "node_documents"]

_CITATION_HEAD = re.compile(r"\ASource \d+:\n")
# How sub-question and multi-step engines head the intermediate answers that they put among the source nodes.
_INTERMEDIATE = re.compile(r"\A(?:Sub question: .*?\nResponse: |\nQuestion: .*?\nAnswer: )", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Captured:
    """The documents of an answer; `retrieved` says whether anything was looked up at all."""

    documents: tuple[RetrievedDocument, ...]
    retrieved: bool


def captured_below(scope: Span | None, source_nodes: Sequence[NodeWithScore]) -> Captured:
    """The documents of an answer with `source_nodes`, given inside `scope`.

    Source nodes are post-processed: what the model read. Where a pipeline returns none (agents, custom engines) it
    is what the outermost retrievers returned, and the texts of tools that retrieve nothing.
    """
    seen = _Seen.below(scope)
    documents = seen.documents(source_nodes)
    if not documents:
        documents = seen.retrieved_documents()
    retrieved = bool(documents or source_nodes or seen.retrievals)
    return Captured(unique_documents(documents), retrieved)


def node_documents(nodes: Iterable[NodeWithScore]) -> list[RetrievedDocument]:
    """The documents among `nodes`, in order: without a model's intermediate answers and nodes without text.

    The heading that citation engines write before a text is removed.
    """
    return [document for node in nodes if not is_intermediate(node) and (document := _document(node)) is not None]


def is_intermediate(node: NodeWithScore) -> bool:
    """Whether `node` is an intermediate answer that an engine has put among its source nodes."""
    return node.node.ref_doc_id is None and _INTERMEDIATE.match(node.node.get_content()) is not None


def _document(node: NodeWithScore) -> RetrievedDocument | None:
    document = read_document(node)
    if document is None:
        return None
    return replace(document, text=_text(node))


def _text(node: NodeWithScore) -> str:
    """The text of a node, without the heading and the line break at the end that a citation engine adds."""
    text = str(node.node.get_content())
    head = _CITATION_HEAD.match(text)
    return text[head.end() :].removesuffix("\n") if head else text


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a trace knows about the nodes below one of its spans."""

    scope: Span | None
    retrievals: tuple[Retrieval, ...]
    nested: tuple[NestedAnswer, ...]
    tool_texts: tuple[ToolText, ...]

    @classmethod
    def below(cls, scope: Span | None) -> _Seen:
        if scope is None:
            return cls(None, (), (), ())
        trace = scope.trace
        return cls(
            scope,
            tuple(each for each in trace.retrievals if each.span.is_below(scope)),
            tuple(each for each in trace.nested_answers if each.span.is_below(scope)),
            tuple(each for each in trace.tool_texts if each.span.is_below(scope)),
        )

    def documents(self, nodes: Iterable[NodeWithScore]) -> list[RetrievedDocument]:
        found: list[RetrievedDocument] = []
        for node in nodes:
            if (nested := self._nested_answer(node)) is not None:
                found += self.documents(nested.nodes) or self._retrieved_in(nested.span)
            elif not self._written_by_a_model(node):
                found += self._with_origin(node)
        return found

    def retrieved_documents(self) -> list[RetrievedDocument]:
        if self.scope is None:
            return []
        return [
            *self._retrieved_in(self.scope),
            *read_documents({"text": each.text, "metadata": {"tool": each.tool}} for each in self.tool_texts),
        ]

    def _retrieved_in(self, scope: Span) -> list[RetrievedDocument]:
        outermost = [each for each in self.retrievals if each.span.is_below(scope) and each.is_outermost_in(scope)]
        return self.documents(node for each in outermost for node in each.nodes)

    def _nested_answer(self, node: NodeWithScore) -> NestedAnswer | None:
        if node.node.ref_doc_id is not None:
            return None
        text = node.node.get_content()
        return next((each for each in self.nested if each.text == text), None)

    def _written_by_a_model(self, node: NodeWithScore) -> bool:
        if is_intermediate(node):
            return True
        if node.node.ref_doc_id is not None or not self.retrievals:
            return False
        return self._origin(node, _text(node)) is None

    def _with_origin(self, node: NodeWithScore) -> list[RetrievedDocument]:
        document = _document(node)
        if document is None:
            return []
        origin = self._origin(node, document.text)
        if origin is None or origin.node.node_id == document.id:
            return [document]
        return [replace(document, id=origin.node.node_id)]

    def _origin(self, node: NodeWithScore, text: str) -> NodeWithScore | None:
        """The retrieved node that `node` is, or was cut from (citation engines give each piece a new id)."""
        retrieved = [each for retrieval in self.retrievals for each in retrieval.nodes]
        same = next((each for each in retrieved if each.node.node_id == node.node.node_id), None)
        if same is not None:
            return same
        kin = [each for each in retrieved if each.node.ref_doc_id == node.node.ref_doc_id]
        return next((each for each in kin if _contains(each.node.get_content(), text)), None)


def _contains(whole: str, part: str) -> bool:
    return bool(part.strip()) and " ".join(part.split()) in " ".join(whole.split())

"""What a LlamaIndex response holds beside its answer, without text that a guard has withheld."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.schema import BaseNode, NodeWithScore, TextNode

from longtracer import CaseResult
from longtracer_integrations.outcome import GuardOutcome
from longtracer_integrations.withheld import Withheld

from .attach_result import RESULT_KEY, with_case
from .nodes import is_intermediate

__all__ = ["Leftovers", "StreamLeftovers"]


class Leftovers:
    """The rest of the response that `outcome` is about: sub-answers, tool calls, raw replies of a model.

    Where nothing was withheld, everything stays as it is. Documents always stay.
    """

    def __init__(self, outcome: GuardOutcome) -> None:
        self._changed = outcome.changed
        self._withheld = Withheld(outcome)

    def value(self, value: Any, *, of_tools: bool = False) -> Any:
        """`value` without the withheld text. `of_tools`: what is a document in it stays."""
        return self._withheld.scrub(value, self._handled, context=of_tools) if self._changed else value

    def metadata(self, metadata: Mapping[str, Any] | None, nodes: Sequence[NodeWithScore], case: CaseResult) -> Any:
        """A response's metadata, with the case."""
        ids = {node.node.node_id for node in nodes}
        kept = {key: self.value(entry, of_tools=key in ids) for key, entry in (metadata or {}).items()}
        return with_case(kept, case)

    def nodes(self, nodes: Iterable[NodeWithScore]) -> list[NodeWithScore]:
        """Source nodes, without those in which a model had written what was withheld."""
        return [node for node in nodes if not self._changed or not self._gives_away(node.node)]

    def _gives_away(self, node: BaseNode) -> bool:
        text = str(node.get_content())
        return self._withheld.holds(text) and not self._withheld.is_document(text)

    def _handled(self, value: Any) -> Any:
        if isinstance(value, NodeWithScore):
            gone = self._gives_away(value.node)
            return NodeWithScore(node=TextNode(id_=value.node.node_id, text=""), score=value.score) if gone else value
        if isinstance(value, BaseNode):
            return TextNode(id_=value.node_id, text="") if self._gives_away(value) else value
        if isinstance(value, ChatMessage) and value.role == "user":
            return value
        return NotImplemented


class StreamLeftovers:
    """Nodes and metadata of a streamed response: those of documents at once, what a model wrote with the answer."""

    def __init__(self, nodes: Sequence[NodeWithScore], metadata: Mapping[str, Any] | None) -> None:
        self._all_nodes = list(nodes)
        self._all_metadata = dict(metadata or {})
        ids = {node.node.node_id for node in nodes}
        self.nodes = [node for node in nodes if not is_intermediate(node)]
        self.metadata = {key: value for key, value in self._all_metadata.items() if key in ids or key == RESULT_KEY}

    def judged(self, case: CaseResult) -> None:
        """Take the case of the whole answer."""
        guard = case.metadata.get("guard")
        # After a retry they are those of an answer that failed.
        if isinstance(guard, dict) and guard["action"] in ("pass", "annotate") and not guard["retries"]:
            self.nodes[:] = self._all_nodes
            self.metadata.update(self._all_metadata)
        self.metadata.update(with_case(None, case))

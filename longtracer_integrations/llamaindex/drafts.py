"""Makes drafts, the input of a guard, of what LlamaIndex engines return; and responses of what the guard lets out."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

from llama_index.core.base.response.schema import PydanticResponse, Response
from llama_index_instrumentation.span import active_span_id

from longtracer_integrations.draft import Draft
from longtracer_integrations.outcome import GuardOutcome

from .hub import Hub
from .leftovers import Leftovers
from .nodes import captured_below
from .results import read_for_guard

__all__ = ["draft_here", "guarded_response"]


def draft_here(
    hub: Hub, value: object, *, question: str | None, text: str | None = None, history: Sequence[Any] | None = None
) -> Draft:
    """The draft of an answer given inside the span that is active now, with the documents retrieved inside it.

    text: the answer, where `value` does not hold it (a stream).

    Raises:
        TypeError: when `value` is nothing that an engine returns.
    """
    result = read_for_guard(value)
    nodes = getattr(value, "source_nodes", ()) if result is None else result.nodes
    if result is None and text is None:
        raise TypeError(f"{type(value).__name__} is no answer that a guard can check")
    captured = captured_below(hub.find(active_span_id.get()), nodes)
    answer = text if text is not None else (result.text if result is not None else None)
    return Draft(
        answer=answer or "",
        documents=captured.documents if captured.retrieved else None,
        question=question,
        history=history,
        output=value,
    )


def guarded_response(outcome: GuardOutcome) -> Response | PydanticResponse:
    """The engine's response with the text that was let out, and the case in its metadata.

    The engine's own object stays as it is. Of a withheld text, nothing is left beside the answer either. A structured
    answer that had to be changed is text from then on.
    """
    response = outcome.draft.output
    leftovers = Leftovers(outcome)
    metadata = leftovers.metadata(response.metadata, response.source_nodes, outcome.case)
    nodes = leftovers.nodes(response.source_nodes)
    if isinstance(response, PydanticResponse) and not outcome.changed:
        return PydanticResponse(response.response, nodes, metadata)
    if not isinstance(response, Response):
        return Response(outcome.text, nodes, metadata)
    guarded = copy.copy(response)
    guarded.response, guarded.source_nodes, guarded.metadata = outcome.text, nodes, metadata
    return guarded

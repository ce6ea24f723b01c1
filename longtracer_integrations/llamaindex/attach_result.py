"""Puts the result of a check where LlamaIndex users look for it, and finds one that a guard has put there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from llama_index.core.agent.workflow import AgentOutput

from longtracer import CaseResult

from .results import is_response, read_result

__all__ = ["RESULT_KEY", "attach_case", "attached_case", "with_case"]

RESULT_KEY = "longtracer"


def attach_case(response: object, case: CaseResult | None) -> None:
    """Set `response.metadata["longtracer"]`; a result without a metadata field is left as it is."""
    if case is None or not hasattr(response, "metadata") or not hasattr(response, "source_nodes"):
        return
    response.metadata = with_case(response.metadata, case)


def with_case(metadata: dict[str, Any] | None, case: CaseResult) -> dict[str, Any]:
    """A copy of `metadata` with the JSON form of `case`; every other key stays."""
    return {**(metadata or {}), RESULT_KEY: case.model_dump(mode="json")}


def attached_case(response: object | None, metadata: Mapping[str, Any] | None, answer: str | None) -> CaseResult | None:
    """The case that a guard attached to this answer, or to the tool output that it repeats; else None."""
    found = [metadata, getattr(response, "metadata", None)]
    if isinstance(response, AgentOutput):
        found.append(response.response.additional_kwargs)
    for source in getattr(response, "sources", None) or ():
        if is_response(source.raw_output) and _says(source.raw_output, answer):
            found.append(source.raw_output.metadata)
    cases = (each.get(RESULT_KEY) for each in found if isinstance(each, Mapping))
    return next((CaseResult.model_validate(case) for case in cases if isinstance(case, Mapping)), None)


def _says(response: object, answer: str | None) -> bool:
    """Whether a tool's response is this answer; a stream has been passed on as it came."""
    result = read_result(response)
    return result is None or result.text == answer

"""Puts the result of a check where LlamaIndex users look for it, and finds one that a guard has put there."""

from __future__ import annotations

from typing import Any

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


def attached_case(response: object, answer: str | None) -> CaseResult | None:
    """The case that a guard attached to this answer, or to the tool output that it repeats; else None."""
    candidates = [response]
    for source in getattr(response, "sources", None) or ():
        output = source.raw_output
        result = read_result(output) if is_response(output) else None
        if result is not None and result.text == answer:
            candidates.append(output)
    for candidate in candidates:
        metadata = getattr(candidate, "metadata", None)
        if isinstance(metadata, dict) and isinstance(found := metadata.get(RESULT_KEY), dict):
            return CaseResult.model_validate(found)
    return None

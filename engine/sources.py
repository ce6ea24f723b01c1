"""Sources as the caller named them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .history import EVIDENCE_ROLES
from .request import EvaluationRequest

__all__ = ["Source", "read_sources"]


@dataclass(frozen=True, slots=True)
class Source:
    """One source: its position in the call, its id, its text."""

    index: int
    id: str
    text: str
    metadata: Mapping[str, Any] | None = None


def read_sources(request: EvaluationRequest) -> tuple[Source, ...]:
    """The sources of a request with text in them, followed by the turns of its history that are evidence.

    The id is `source_id` of the metadata, then `id`, else "source_<index>"; history turns are
    "history_<index>", with an index behind the sources' own.
    """
    sources = [
        Source(index, _id(index, metadata), text, metadata)
        for index, (text, metadata) in enumerate(_paired(request.sources, request.source_metadata))
        if text is not None and text.strip()
    ]
    offset = len(request.sources)
    sources.extend(
        Source(offset + index, f"history_{index}", turn.content)
        for index, turn in enumerate(request.history)
        if turn.role in EVIDENCE_ROLES and turn.content.strip()
    )
    return tuple(sources)


def _paired(
    texts: Sequence[str | None], metadata: Sequence[Mapping[str, Any] | None]
) -> list[tuple[str | None, Mapping[str, Any] | None]]:
    missing = [None] * (len(texts) - len(metadata))
    return list(zip(texts, [*metadata, *missing], strict=True))


def _id(index: int, metadata: Mapping[str, Any] | None) -> str:
    for key in ("source_id", "id"):
        value = (metadata or {}).get(key)
        if value is not None and str(value) != "":
            return str(value)
    return f"source_{index}"

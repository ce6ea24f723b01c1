"""How a handler reads what passes through a pipeline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from longtracer import InvalidInputError

__all__ = ["CaptureOptions", "EvidenceKind"]

EvidenceKind = Literal["retriever", "tool"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptureOptions:
    """Names of keys that are not the usual ones, and what counts as evidence.

    id_key    metadata key that names a document, for documents without an id of their own
    history   whether earlier turns of the user and of tools are evidence
    evidence  "retriever": retrieved documents and tools' artifacts; "tool": also the text results of other tools

    Raises:
        InvalidInputError: for unknown or no evidence.
    """

    answer_key: str | None = None
    context_key: str | None = None
    question_key: str | None = None
    id_key: str | None = None
    evidence: Sequence[EvidenceKind] = ("retriever",)
    history: bool = False

    def __post_init__(self) -> None:
        known = get_args(EvidenceKind)
        if isinstance(self.evidence, str) or not self.evidence or any(kind not in known for kind in self.evidence):
            raise InvalidInputError(f"evidence must name one or more of {known}, not {self.evidence!r}")

"""What was captured of one answer: the question, the answer, the documents, and the result of its check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from longtracer import CaseResult

__all__ = ["AnswerStatus", "RagAnswer", "RetrievedDocument"]


class AnswerStatus(StrEnum):
    """How an answer came about.

    OK: an answer and documents. NO_DOCUMENTS: a retriever ran and found nothing. NO_RETRIEVAL: nothing was
    retrieved at all. ERROR: the chain raised. CANCELLED: its task was cancelled. CLOSED_EARLY: a stream was not
    read to its end. INTERRUPTED: a graph stopped for a human. AMBIGUOUS: one run gave several answers.
    """

    OK = "ok"
    NO_DOCUMENTS = "no_documents"
    NO_RETRIEVAL = "no_retrieval"
    ERROR = "error"
    CANCELLED = "cancelled"
    CLOSED_EARLY = "closed_early"
    INTERRUPTED = "interrupted"
    AMBIGUOUS = "ambiguous"


@dataclass(frozen=True, slots=True)
class RetrievedDocument:
    """A document as the model saw it.

    `id_from` says where the id comes from: "document.id", "metadata.<key>" or "content-hash". No two documents
    of one answer share an id unless they share the text.
    """

    id: str
    text: str
    metadata: Mapping[str, Any] = field(default_factory=dict)
    id_from: str = "document.id"


@dataclass(frozen=True, slots=True, kw_only=True)
class RagAnswer:
    """One answer of a watched pipeline.

    `case` is there whenever something could be said about the answer, also that it could not be checked.
    `error` is a message, of the pipeline or of the check. `partial` is the text that arrived of an answer that was
    not finished; it is never checked. `history` holds earlier turns, (role, text), where they count as evidence.
    """

    question: str | None
    answer: str | None
    documents: tuple[RetrievedDocument, ...]
    status: AnswerStatus
    run_id: str
    case: CaseResult | None = None
    error: str | None = None
    partial: str | None = None
    history: tuple[tuple[str, str], ...] = ()

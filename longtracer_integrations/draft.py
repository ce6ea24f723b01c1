"""An answer that nobody has seen yet, with what it is to be checked against."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .records import RetrievedDocument

__all__ = ["Draft"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """One answer before its check.

    documents  None: nothing was retrieved, or nothing could be captured; empty: retrieval ran and found nothing
    history    earlier turns, (role, content) pairs; those of "user" and "tool" are evidence
    output     the framework's own object that holds the answer, for whoever puts the checked text back into it
    """

    answer: str
    documents: Sequence[RetrievedDocument] | None
    question: str | None = None
    history: Sequence[Any] | None = None
    output: Any = None

"""Capture and guard the answers of RAG pipelines: what all frameworks share."""

from __future__ import annotations

from .policy import GroundingBlocked, GuardrailPolicy
from .records import AnswerStatus, RagAnswer, RetrievedDocument

__all__ = ["AnswerStatus", "GroundingBlocked", "GuardrailPolicy", "RagAnswer", "RetrievedDocument"]

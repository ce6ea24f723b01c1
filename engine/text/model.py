"""The types of a segmented answer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from .citations import Citation

__all__ = ["Claim", "ClaimKind", "Segmentation", "SkipReason", "SkippedSpan"]


class ClaimKind(StrEnum):
    """What a claim is in the text of the answer."""

    SENTENCE = "sentence"
    LIST_ITEM = "list_item"
    TABLE_ROW = "table_row"
    BLOCK_QUOTE = "block_quote"
    SHORT_ANSWER = "short_answer"
    REFUSAL = "refusal"


class SkipReason(StrEnum):
    """Why a stretch of the answer is in no claim."""

    WHITESPACE = "whitespace"
    HEADING = "heading"
    CODE = "code"
    URL = "url"
    LIST_MARKER = "list_marker"
    TABLE_HEADER = "table_header"
    TABLE_RULE = "table_rule"
    MARKUP = "markup"
    CITATION = "citation"
    NOT_A_CLAIM = "not_a_claim"
    TOO_SHORT = "too_short"
    PUNCTUATION = "punctuation"
    LEAD_IN = "lead_in"
    CONNECTIVE = "connective"
    THINKING = "thinking"
    LIMIT = "limit"


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement to check: `response[start:end] == text`, in code points.

    model_text  what models read: no markup, no citation markers, lines joined, a table row with its header, a
                fragment completed by its lead-in or its question
    """

    text: str
    start: int
    end: int
    kind: ClaimKind
    model_text: str
    citations: tuple[Citation, ...] = ()


@dataclass(frozen=True, slots=True)
class SkippedSpan:
    """`response[start:end]` is in no claim, for `reason`."""

    start: int
    end: int
    reason: SkipReason


@dataclass(frozen=True, slots=True)
class Segmentation:
    """`claims` and `skipped`, each in order, tile the response: no gap, no overlap."""

    claims: tuple[Claim, ...]
    skipped: tuple[SkippedSpan, ...]

"""The words a result is made of: one enum per layer, and the reason codes."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["AssessmentAvailability", "ClaimAssessment", "ExecutionStatus", "QualityGate", "ReasonCode"]


class ExecutionStatus(StrEnum):
    """Layer 1: did the evaluator run to completion?"""

    SUCCESS = "SUCCESS"
    ERROR = "ERROR"
    TIMEOUT = "TIMEOUT"
    CANCELLED = "CANCELLED"
    SKIPPED = "SKIPPED"


class AssessmentAvailability(StrEnum):
    """Layer 2: was there anything to assess?"""

    ASSESSED = "ASSESSED"
    NO_ASSESSABLE_CLAIMS = "NO_ASSESSABLE_CLAIMS"
    NOT_EVALUATED = "NOT_EVALUATED"


class ClaimAssessment(StrEnum):
    """Layer 3: how does one claim relate to the supplied evidence?"""

    SUPPORTED = "SUPPORTED"
    CONTRADICTED = "CONTRADICTED"
    INSUFFICIENT_EVIDENCE = "INSUFFICIENT_EVIDENCE"
    CONFLICTING_SOURCES = "CONFLICTING_SOURCES"


class QualityGate(StrEnum):
    """Layer 4: does the case pass policy?"""

    PASS = "PASS"
    FAIL = "FAIL"
    INDETERMINATE = "INDETERMINATE"


class ReasonCode(StrEnum):
    """Why a case or a claim came out as it did.

    The first block is schema version "1" as consumers know it; the default path emits nothing else. The members
    of the last block appear only in results of features that a caller switched on (`check_citations=True`).
    """

    INVALID_INPUT = "INVALID_INPUT"
    EMPTY_RESPONSE = "EMPTY_RESPONSE"
    NO_EXTRACTABLE_CLAIMS = "NO_EXTRACTABLE_CLAIMS"
    NO_SOURCES_SUPPLIED = "NO_SOURCES_SUPPLIED"
    MODEL_UNAVAILABLE = "MODEL_UNAVAILABLE"
    EVALUATION_TIMEOUT = "EVALUATION_TIMEOUT"
    EVALUATION_FAILED = "EVALUATION_FAILED"
    HONEST_UNCERTAINTY_ONLY = "HONEST_UNCERTAINTY_ONLY"
    EXECUTION_CANCELLED = "EXECUTION_CANCELLED"
    EXECUTION_SKIPPED = "EXECUTION_SKIPPED"
    SUPPORTED_BY_EVIDENCE = "SUPPORTED_BY_EVIDENCE"
    CONTRADICTED_BY_EVIDENCE = "CONTRADICTED_BY_EVIDENCE"
    CONFLICTING_EVIDENCE = "CONFLICTING_EVIDENCE"
    LOW_EVIDENCE_SIMILARITY = "LOW_EVIDENCE_SIMILARITY"
    NOT_ENTAILED = "NOT_ENTAILED"
    HONEST_UNCERTAINTY = "HONEST_UNCERTAINTY"
    NO_SOURCE_TEXT = "NO_SOURCE_TEXT"

    CITATION_OUT_OF_RANGE = "CITATION_OUT_OF_RANGE"
    CITED_SOURCE_DOES_NOT_SUPPORT = "CITED_SOURCE_DOES_NOT_SUPPORT"
    QUOTE_NOT_FOUND = "QUOTE_NOT_FOUND"

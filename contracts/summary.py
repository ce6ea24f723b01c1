"""The reason of a case in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from .claim_result import ClaimResult
from .states import AssessmentAvailability, ClaimAssessment, ReasonCode

__all__ = ["summarize"]

_WITHOUT_CLAIMS: dict[ReasonCode, str] = {
    ReasonCode.EMPTY_RESPONSE: "The response is empty, so there was nothing to assess.",
    ReasonCode.NO_EXTRACTABLE_CLAIMS: "The response holds text but no statement that could be assessed.",
    ReasonCode.HONEST_UNCERTAINTY_ONLY: "The response only says that it cannot answer; it claims nothing.",
    ReasonCode.MODEL_UNAVAILABLE: "Nothing was assessed: a model is missing or unusable.",
    ReasonCode.EVALUATION_FAILED: "Nothing was assessed: a model failed while scoring.",
    ReasonCode.EVALUATION_TIMEOUT: "Nothing was assessed: the evaluation ran out of time.",
    ReasonCode.EXECUTION_CANCELLED: "Nothing was assessed: the evaluation was cancelled.",
    ReasonCode.EXECUTION_SKIPPED: "Nothing was assessed: the evaluation was skipped.",
    ReasonCode.INVALID_INPUT: "Nothing was assessed: an argument is unusable.",
}

_WORDS: dict[ClaimAssessment, str] = {
    ClaimAssessment.SUPPORTED: "supported",
    ClaimAssessment.CONTRADICTED: "contradicted",
    ClaimAssessment.CONFLICTING_SOURCES: "in conflict between sources",
    ClaimAssessment.INSUFFICIENT_EVIDENCE: "without sufficient evidence",
}


def summarize(reason: ReasonCode | None, claims: Sequence[ClaimResult] = (), *, note: str | None = None) -> str:
    """Say in words why a case came out as it did.

    `note` is appended as a sentence of its own: an error message, or what was cut by a limit.
    """
    text = _WITHOUT_CLAIMS.get(reason) if reason is not None else None
    if text is None:
        text = _about_claims(reason, claims)
    return f"{text} {note}" if note else text


def _about_claims(reason: ReasonCode | None, claims: Sequence[ClaimResult]) -> str:
    assessed = [claim for claim in claims if claim.availability is AssessmentAvailability.ASSESSED]
    if not assessed:
        return "Nothing was assessed."
    noun = "claim" if len(assessed) == 1 else "claims"
    if reason is ReasonCode.NO_SOURCES_SUPPLIED:
        return f"No sources were supplied, so no claim ({len(assessed)}) could be supported."
    if all(claim.reason is ReasonCode.NO_SOURCE_TEXT for claim in assessed):
        return f"The sources hold no usable text, so no claim ({len(assessed)}) could be supported."
    counts = Counter(claim.assessment for claim in assessed)
    parts = [f"{counts[kind]} {words}" for kind, words in _WORDS.items() if counts[kind]]
    # Claims left unread for another reason are told by the caller's note.
    refusals = sum(claim.reason is ReasonCode.HONEST_UNCERTAINTY for claim in claims if not claim.is_assessed)
    tail = f"; {refusals} honest {'refusal' if refusals == 1 else 'refusals'} not assessed" if refusals else ""
    return f"{len(assessed)} {noun} assessed: {', '.join(parts)}{tail}."

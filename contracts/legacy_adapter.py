"""Reads a legacy `VerificationResult` as a `CaseResult`, by its recorded signals alone."""

from __future__ import annotations

import math
from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any

from .build import evaluated_case
from .case_result import CaseResult
from .claim_result import ClaimResult, ClaimScores
from .states import AssessmentAvailability, ClaimAssessment, ReasonCode
from .verification_result import VerificationResult

__all__ = ["LegacyVerificationAdapter"]

_CONTRADICTION = 0.5


class LegacyVerificationAdapter:
    """Converts results of the legacy methods."""

    @staticmethod
    def from_legacy(
        result: VerificationResult, *, case_id: str | None = None, response: str | None = None
    ) -> CaseResult:
        """Map `result` to a case.

        The legacy record cannot say why it is empty, nor whether sources were given; so no claims means
        NO_EXTRACTABLE_CLAIMS (EMPTY_RESPONSE when `response` is given and blank), and a claim without NLI is
        LOW_EVIDENCE_SIMILARITY. Offsets are filled where `response` holds the claim verbatim.

        Raises:
            TypeError: when `result` is not a `VerificationResult` (or an object with its fields).
        """
        claims = getattr(result, "claims", None)
        if not isinstance(claims, list) or not all(isinstance(claim, Mapping) for claim in claims):
            raise TypeError(f"result must be a VerificationResult, not {type(result).__name__}")
        offsets = _Offsets(response)
        read = [_claim_result(index, claim, offsets) for index, claim in enumerate(claims, start=1)]
        availability, reason = _state(read, response)
        return evaluated_case(
            availability=availability,
            reason=reason,
            claims=read,
            trust_score=_number(result.trust_score),
            case_id=case_id,
            metadata={"legacy_verdict": str(result.verdict), "converted_from": "VerificationResult"},
        )


def _state(claims: list[ClaimResult], response: str | None) -> tuple[AssessmentAvailability, ReasonCode | None]:
    if any(claim.is_assessed for claim in claims):
        return AssessmentAvailability.ASSESSED, None
    if claims:
        return AssessmentAvailability.NO_ASSESSABLE_CLAIMS, ReasonCode.HONEST_UNCERTAINTY_ONLY
    blank = response is not None and not response.strip()
    reason = ReasonCode.EMPTY_RESPONSE if blank else ReasonCode.NO_EXTRACTABLE_CLAIMS
    return AssessmentAvailability.NO_ASSESSABLE_CLAIMS, reason


class _Offsets:
    """Finds claims in the response in order, so that a repeated claim gets its own place."""

    def __init__(self, response: str | None) -> None:
        self._response = response or ""
        self._from = 0

    def of(self, text: str) -> tuple[int | None, int | None]:
        start = self._response.find(text, self._from) if text else -1
        if start < 0:
            return None, None
        self._from = start + len(text)
        return start, self._from


def _claim_result(index: int, claim: Mapping[str, Any], offsets: _Offsets) -> ClaimResult:
    text = str(claim.get("claim", ""))
    start, end = offsets.of(text)
    similarity = _number(claim.get("score"))
    contradiction = _number(claim.get("contradiction_score"))
    ran = bool(claim.get("nli_ran"))
    source = _source_id(claim)
    assessment, availability, reason = _assess(claim, ran, contradiction)
    contradicted = assessment is ClaimAssessment.CONTRADICTED
    return ClaimResult(
        claim_id=f"claim_{index}",
        claim_text=text,
        assessment=assessment,
        availability=availability,
        reason=reason,
        supporting_sources=source if assessment is ClaimAssessment.SUPPORTED else (),
        contradicting_sources=source if contradicted else (),
        confidence=min(1.0, max(0.0, contradiction if contradicted else similarity)),
        details=f"similarity={similarity:.4f} contradiction={contradiction:.4f} nli_ran={ran}",
        char_start=start,
        char_end=end,
        scores=ClaimScores(similarity=similarity, contradiction=contradiction if ran else None),
    )


def _assess(
    claim: Mapping[str, Any], ran: bool, contradiction: float
) -> tuple[ClaimAssessment, AssessmentAvailability, ReasonCode]:
    assessed = AssessmentAvailability.ASSESSED
    if claim.get("is_meta_statement"):
        return (
            ClaimAssessment.INSUFFICIENT_EVIDENCE,
            AssessmentAvailability.NOT_EVALUATED,
            ReasonCode.HONEST_UNCERTAINTY,
        )
    if ran and contradiction > _CONTRADICTION:
        return ClaimAssessment.CONTRADICTED, assessed, ReasonCode.CONTRADICTED_BY_EVIDENCE
    # A score that is no number speaks neither against the claim nor for it.
    if claim.get("supported") and not (ran and _is_no_number(claim.get("contradiction_score"))):
        return ClaimAssessment.SUPPORTED, assessed, ReasonCode.SUPPORTED_BY_EVIDENCE
    reason = ReasonCode.NOT_ENTAILED if ran else ReasonCode.LOW_EVIDENCE_SIMILARITY
    return ClaimAssessment.INSUFFICIENT_EVIDENCE, assessed, reason


def _source_id(claim: Mapping[str, Any]) -> tuple[str, ...]:
    metadata = claim.get("best_source_metadata")
    for key in ("source_id", "id"):
        if isinstance(metadata, Mapping) and metadata.get(key) is not None and str(metadata[key]) != "":
            return (str(metadata[key]),)
    index = claim.get("best_source_index")
    return (f"source_{index}",) if isinstance(index, Integral) and int(index) >= 0 else ()


def _number(value: Any) -> float:
    # Real, since the scores that a legacy engine recorded may be numpy scalars.
    number = float(value) if isinstance(value, Real) else 0.0
    return number if math.isfinite(number) else 0.0


def _is_no_number(value: Any) -> bool:
    return value is not None and not (isinstance(value, Real) and math.isfinite(value))

"""A case of one segment, told in the offsets of the whole answer."""

from __future__ import annotations

from longtracer import AssessmentAvailability, CaseResult, ClaimResult, ReasonCode, compute_quality_gate

__all__ = ["case_of_segment"]


def case_of_segment(case: CaseResult, *, context_length: int, start: int) -> CaseResult:
    """`case` was about a context and the segment behind it; return what it says about the segment.

    Claims that begin in the context were judged before: they are left out, and the gate follows from the others.
    The offsets of the others are moved so that the segment begins at `start`, in code points.
    """
    inside = [claim for claim in case.claims if claim.char_start is None or claim.char_start >= context_length]
    claims = tuple(_moved(claim, start - context_length) for claim in inside)
    moved = case.model_copy(update={"claims": claims})
    if len(claims) == len(case.claims):
        return moved
    if not any(claim.is_assessed for claim in claims):
        nothing = {
            "availability": AssessmentAvailability.NO_ASSESSABLE_CLAIMS,
            "reason": ReasonCode.NO_EXTRACTABLE_CLAIMS,
        }
        moved = moved.model_copy(update=nothing)
    return moved.model_copy(update={"quality_gate": compute_quality_gate(moved)})


def _moved(claim: ClaimResult, by: int) -> ClaimResult:
    if claim.char_start is None or claim.char_end is None or by == 0:
        return claim
    citations = tuple(
        citation.model_copy(update={"char_start": citation.char_start + by, "char_end": citation.char_end + by})
        for citation in claim.citations
    )
    start, end = claim.char_start + by, claim.char_end + by
    return claim.model_copy(update={"char_start": start, "char_end": end, "citations": citations})

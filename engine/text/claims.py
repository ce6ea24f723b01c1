"""The claims of an answer, with exact offsets, and a reason for every character that is in none of them."""

from __future__ import annotations

from .assembly import assemble
from .citations import Citation
from .model import Claim, ClaimKind, Segmentation, SkippedSpan, SkipReason

__all__ = ["Citation", "Claim", "ClaimKind", "Segmentation", "SkipReason", "SkippedSpan", "split_claims"]


def split_claims(response: str, *, question: str | None = None, max_claims: int | None = None) -> Segmentation:
    """Cut `response` into claims and skipped spans that together tile it, in order.

    question    what was asked; a short answer such as "Berlin." becomes a claim only together with it
    max_claims  claims beyond this many become skipped spans with the reason LIMIT
    """
    return assemble(response, question, max_claims)

"""Whether a sentence says something like a claim of another subject: "Pro costs $25.", "Basic costs $10."."""

from __future__ import annotations

import re

from .facts.entities import entity_mismatch

__all__ = ["other_subject"]

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


def other_subject(claim: str, sentence: str) -> bool:
    """Whether `sentence` is `claim` with another name at its beginning, numbers aside: then both can be true."""
    mismatch = entity_mismatch(_NUMBER.sub("0", claim), _NUMBER.sub("0", sentence))
    if mismatch is None:
        return False
    opening = rf"\W*(?:(?:the|an?|our|your)\s+)?{re.escape(mismatch.claimed)}\b"
    return re.match(opening, claim, re.IGNORECASE) is not None

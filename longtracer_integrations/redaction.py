"""Removes the claims that are not supported, and nothing else."""

from __future__ import annotations

from longtracer import CaseResult

__all__ = ["redact"]


def redact(answer: str, case: CaseResult, *, start: int = 0) -> str | None:
    """`answer[start:]` without its assessed claims that are not SUPPORTED, by their offsets in `answer`.

    Every other character stays. None when there is nothing to go by: no such claim, or one whose place is unknown.
    """
    spans = [(claim.char_start, claim.char_end) for claim in case.unsupported_claims]
    known = sorted((left, right) for left, right in spans if left is not None and right is not None)
    if not known or len(known) < len(spans):
        return None
    kept: list[str] = []
    position = start
    for left, right in known:
        kept.append(answer[position : max(position, left)])
        position = max(position, right)
    kept.append(answer[position:])
    return "".join(kept)

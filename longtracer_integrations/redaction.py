"""Removes the claims that are not supported, and nothing else."""

from __future__ import annotations

from longtracer import CaseResult

__all__ = ["redact"]


def redact(answer: str, case: CaseResult) -> str:
    """`answer` without its assessed claims that are not SUPPORTED, by their offsets; every other character stays.

    A claim whose place is not known cannot be cut out, so that nothing of the answer is let through then.
    """
    spans = [(claim.char_start, claim.char_end) for claim in case.unsupported_claims]
    kept: list[str] = []
    position = 0
    for start, end in sorted(spans, key=lambda span: (span[0] is None, span[0] or 0)):
        if start is None or end is None:
            return ""
        kept.append(answer[position : max(position, start)])
        position = max(position, end)
    kept.append(answer[position:])
    return "".join(kept)

"""The phrase test that the legacy result of LongTracer 0.3 is defined by."""

from __future__ import annotations

import re

__all__ = ["has_unsourced_phrase"]

_UNSOURCED = re.compile(
    r"\b(?:based on|from|according to|to|in) my (?:own |general |prior |internal |background |training )*"
    r"(?:knowledge|training|training data|understanding|memory|experience|expertise)\b"
    r"|\b(?:it is|it's|it’s) (?:generally|commonly|widely|well) (?:known|accepted|believed|understood)\b"
    r"|\bas far as i (?:know|recall|remember|am aware)\b|\bi (?:believe|recall|remember|think|assume|guess)\b"
    r"|\b(?:generally|typically) speaking\b|\bi was trained\b|\bmy training data\b",
    re.IGNORECASE,
)


def has_unsourced_phrase(text: str) -> bool:
    """Whether `text` says that it rests on the speaker's own knowledge instead of on the sources."""
    return bool(_UNSOURCED.search(text))

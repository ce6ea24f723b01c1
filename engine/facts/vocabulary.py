"""Word lists written as one string, which keeps them readable."""

from __future__ import annotations

__all__ = ["listed"]


def listed(words: str) -> tuple[str, ...]:
    """The words of a string, in order."""
    return tuple(words.split())

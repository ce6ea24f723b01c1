"""Word lists are written as one string."""

from __future__ import annotations

__all__ = ["word_set"]


def word_set(text: str) -> frozenset[str]:
    """The words of `text`."""
    return frozenset(text.split())

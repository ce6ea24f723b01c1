"""Markers of points inside a line: `2) It is red.`, `(a) It is red.`, `B. It is red.`"""

from __future__ import annotations

import re

__all__ = ["enumerator_length"]

_ENUMERATOR = re.compile(
    r"(?:\(?(?:\d{1,2}|[a-z]|[ivx]{2,5}|[IVX]{2,5})[.)]\)?|\(?[A-Z]\))\s+(?=\S)|[①-⑳❶-❿]\s*(?=\S)"
    # "A. The tower" is a point of a list, "A. Smith" a person.
    r"|[A-Z]\.\s+(?=(?:The|An?|It|This|That|These|Those|They|There|He|She|We|You|All|Some|Most|No|In|On|At|For|If"
    r"|When)\b)"
)


def enumerator_length(text: str, start: int, end: int) -> int:
    """How many characters of `text[start:end]` only number it; 0 when none do, or nothing else is there."""
    match = _ENUMERATOR.match(text, start, end)
    return match.end() - start if match and match.end() < end else 0

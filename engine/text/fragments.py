"""Which lines only introduce others, and which list items need their introduction to say anything."""

from __future__ import annotations

import re

from .verbs import has_verb

__all__ = ["complete", "is_fragment", "is_heading_line", "is_lead_in"]

_MOST_WORDS = 12
_PRONOUN = re.compile(r"(?:it|he|she|they|this|that|these|those|we|you|i|there)\b", re.IGNORECASE)
_PLURAL_NOUN = re.compile(r"\ws\W*$")
_QUANTITY = re.compile(
    r"\d|[$€£¥%]|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|million"
    r"|billion)\b",
    re.IGNORECASE,
)
_AMOUNT = re.compile(r"[$€£¥%]|\d{3,}|\d[.,]\d")
_GIVES_REASONS = re.compile(
    r"\b(?:for|due to|because of|owing to) (?:\w+ ){0,3}(?:reasons?|factors?|causes?)\s*[:：]$", re.IGNORECASE
)
"""What comes before is a statement: "It closed for these reasons:"."""
_OPEN_LEAD_IN = re.compile(
    r"\b(?:is|are|was|were|includes?|included|including|offers?|offered|provides?|provided|contains?|contained"
    r"|has|have|had"
    r"|supports?|supported|requires?|required|covers?|covered|allows?|can|could|may|must|should|will|of|for"
    r"|with|to|in|by|on"
    r"|from|at|that|as|such as|between|about|be|been|need|needs|uses?|used|gets?|receives?|comprises?"
    r"|features?)\s*[:：]$",
    re.IGNORECASE,
)
_BOLD_LINE = re.compile(r"(?:\*\*|__)(?P<text>[^*_]+)(?:\*\*|__):?$")
_HERE = re.compile(r"\b(?:here|following|below|as follows|these)\b", re.IGNORECASE)


def is_fragment(text: str) -> bool:
    """Whether `text` has no finite verb we know, so that it is no statement of its own.

    "Unlimited calls" ends with a noun that could be a verb; "It works" does not.
    """
    words = text.split()
    if len(words) > _MOST_WORDS:
        return False
    body = text if _PRONOUN.match(text) or not _PLURAL_NOUN.search(text) else " ".join(words[:-1])
    return not has_verb(body)


def is_lead_in(text: str) -> bool:
    """Whether `text` ends with a colon and states nothing without what follows."""
    if not text.endswith((":", "：")) or _GIVES_REASONS.search(text) or _AMOUNT.search(text):
        return False
    if _HERE.search(text):
        return True
    return not _QUANTITY.search(text) and (bool(_OPEN_LEAD_IN.search(text)) or is_fragment(text.rstrip(":： ")))


def is_heading_line(text: str) -> bool:
    """Whether a line that is bold throughout is the title of what follows, not a statement."""
    match = _BOLD_LINE.match(text.strip())
    if match is None:
        return False
    title = match["text"].strip()
    if _QUANTITY.search(title) or title.endswith((".", "!", "?")):
        return False
    return is_fragment(title.rstrip(":")) or is_lead_in(title)


def complete(lead_in: str, item: str) -> str:
    """The statement that a list item makes together with its lead-in."""
    stem, item = lead_in.rstrip(":： "), item.removesuffix(": yes")
    return f"{stem} {item}" if _OPEN_LEAD_IN.search(lead_in) else f"{stem}: {item}"

"""Which lines only introduce others, and which list items need their introduction to say anything."""

from __future__ import annotations

import re

__all__ = ["complete", "is_fragment", "is_heading_line", "is_lead_in"]

_VERB = re.compile(
    r"\b(?:is|are|was|were|am|be|been|has|have|had|do|does|did|will|would|can|could|may|might|must|shall|should|cannot"
    r"|isn't|aren't|wasn't|weren't|doesn't|don't|didn't|won't|can't|includes?|included|costs?|offers?|offered|provides?"
    r"|provided|supports?|supported|contains?|contained|requires?|required|allows?|allowed|takes?|took|makes?|made|gives?"
    r"|gave|gets?|got|goes|went|comes?|came|becomes?|became|says?|said|means?|meant|needs?|needed|uses?|used|works?|worked"
    r"|opens?|opened|closes?|closed|starts?|started|ends?|ended|begins?|began|runs?|ran|lives?|lived|wrote|won|lost"
    r"|founded|born|died|grew|grows?|rose|rises?|fell|falls?|paid|pays?|charges?|charged|applies|applied|lasts?|lasted"
    r"|weighs?|weighed|measures?|measured|covers?|covered|employs?|employed|serves?|served|sells?|sold|buys?|bought)\b",
    re.IGNORECASE,
)
_QUANTITY = re.compile(
    r"\d|[$€£¥%]|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|million|billion)\b",
    re.IGNORECASE,
)
_OPEN_LEAD_IN = re.compile(
    r"\b(?:is|are|was|were|includes?|included|including|offers?|offered|provides?|provided|contains?|contained|has|have|had"
    r"|supports?|supported|requires?|required|covers?|covered|allows?|can|could|may|must|should|will|of|for|with|to|in|by|on"
    r"|from|at|that|as|such as|between|about|be|been|need|needs|uses?|used|gets?|receives?|comprises?|features?)\s*[:：]$",
    re.IGNORECASE,
)
_BOLD_LINE = re.compile(r"(?:\*\*|__)(?P<text>[^*_]+)(?:\*\*|__):?$")
_HERE = re.compile(r"\b(?:here|following|below|as follows|these)\b", re.IGNORECASE)


def is_fragment(text: str) -> bool:
    """Whether `text` has no finite verb we know, so that it is no statement of its own."""
    return not _VERB.search(text) and len(text.split()) <= 12


def is_lead_in(text: str) -> bool:
    """Whether `text` ends with a colon and states nothing without what follows."""
    if not text.endswith((":", "：")):
        return False
    words = len(text.split())
    if _HERE.search(text) or words <= 2:
        return not (_QUANTITY.search(text) and words > 2 and not _HERE.search(text))
    return not _QUANTITY.search(text)


def is_heading_line(text: str) -> bool:
    """Whether a line that is bold throughout is the title of what follows, not a statement."""
    match = _BOLD_LINE.match(text.strip())
    if match is None:
        return False
    title = match["text"].strip()
    if _QUANTITY.search(title) or title.endswith((".", "!", "?")):
        return False
    return title.endswith(":") or text.strip().endswith(":") or is_fragment(title)


def complete(lead_in: str, item: str) -> str:
    """The statement that a list item makes together with its lead-in."""
    stem = lead_in.rstrip(":： ")
    return f"{stem} {item}" if _OPEN_LEAD_IN.search(lead_in) else f"{stem}: {item}"

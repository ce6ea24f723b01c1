"""Words around a statement that are about the answer and not about the world.

"According to the provided documents, Pro costs $25." is to be checked as "Pro costs $25.", and so is "According to
plans.pdf, ...". A source that is named otherwise ("According to the 2020 report") is part of the statement and stays.
"""

from __future__ import annotations

import re

from .citations import FILE

__all__ = ["unframed"]

_SOURCES = (
    r"(?:(?:the|these|those|your|this|all|my) )?(?:(?:provided|given|available|supplied|retrieved|attached"
    r"|above|search) )?"
    r"(?:documents?|documentation|docs?|context|sources?|passages?|texts?|excerpts?|snippets?|information|files?"
    r"|search results?)"
    r"(?: (?:provided|given|above|supplied|retrieved|you (?:have )?(?:provided|shared|gave me)|i have|available))?"
)
_FILES = rf"(?:(?:the|your) )?(?:(?:file|document|source) )?[\"'“`]?{FILE}[\"'”`]?"
_WORK = (
    r"(?:(?:my|a|the|our) )?(?:careful |thorough |quick )?(?:analysis|review|reading|search|examination|assessment"
    r"|understanding|interpretation) of |(?:the )?(?:information|details|data) (?:given |provided |found )?(?:in|from) "
)
_FRAMES = re.compile(
    rf"(?:(?:according to|based on|per|from|as (?:stated|mentioned|noted|described|shown|specified|indicated)"
    rf" (?:in|by)|in)"
    rf" (?:{_WORK})?(?:{_SOURCES}(?: \d{{1,3}})?|{_FILES}), (?:it (?:is clear|appears|seems|says|states) that )?"
    rf"|{_SOURCES} (?:also |clearly |explicitly |further )?"
    r"(?:states?|says?|mentions?|indicates?|notes?|explains?|specify|specifies|confirms?|shows?|reports?) that "
    r"|(?:sure|certainly|of course|absolutely|okay|ok|great|yes|yeah|yep|no|well|hello|hi)(?:, |! |: | [—–-] )"
    r"|(?:please )?(?:note|remember|keep in mind|be aware) that "
    r"|it(?: is|'s|’s) (?:important|worth|useful) (?:to (?:note|mention|remember)|noting|mentioning) that "
    r"|(?:the )?(?:short |final |correct )?answer(?: is)?: "
    r"|(?:tl;? ?dr|in short|summary|in summary|bottom line|the bottom line|key takeaway|conclusion)\s?: )+",
    re.IGNORECASE,
)
_LEAST_WORDS = 3


def unframed(text: str) -> str:
    """`text` without its frame, when at least three words are left; else `text`."""
    match = _FRAMES.match(text)
    if match is None:
        return text
    rest = text[match.end() :]
    return rest[:1].upper() + rest[1:] if len(rest.split()) >= _LEAST_WORDS else text

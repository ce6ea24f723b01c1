"""Sentences that state nothing: greetings, announcements, offers of help, questions to the reader."""

from __future__ import annotations

import re

__all__ = ["announcement_length", "is_smalltalk", "statement_in_question"]

_SMALLTALK = re.compile(
    r"(?:"
    r"(?:hi|hello|hey|greetings|good (?:morning|afternoon|evening|day)|welcome|dear)\b[^.?]{0,40}"
    r"|(?:sure|certainly|of course|absolutely|gladly|okay|ok|great|alright|understood|got it|no problem|you're"
    r" welcome"
    r"|thanks|thank you|my pleasure|happy to help|good question|great question|that's a (?:good|great) question)\b"
    r"(?:[^.?!:,]{0,30})"
    r"|(?:(?:sure|certainly|of course|absolutely|okay|ok|great|alright)[,!]? )?(?:here(?:'s|’s| is| are)|below"
    r" (?:is|are)|the following (?:is|are))\b[^.?!]{0,120}"
    r"|(?:please )?(?:let me know|feel free|do not hesitate|don't hesitate|don’t hesitate|reach out|just"
    r" ask)\b.{0,160}"
    r"|if (?:you|there)\b.{0,120}\b(?:let me know|feel free|just ask|happy to help|glad to help|don't hesitate"
    r"|don’t hesitate|reach out|please ask)\b.{0,80}"
    r"|i(?:'m|’m| am|'d be|’d be| would be)? (?:happy|glad|here) to (?:help|assist|answer|explain|elaborate"
    r"|clarify)\b.{0,120}"
    r"|i (?:hope|trust) (?:this|that|it|you)\b.{0,100}"
    r"|hope (?:this|that|it)\b.{0,60}"
    r"|(?:have a|enjoy your) (?:great|nice|good|lovely|wonderful)\b.{0,40}"
    r"|(?:best|kind|warm) (?:regards|wishes)\b.{0,40}"
    r"|(?:any (?:other|more|further) questions)\b.{0,40}"
    r"|is there anything else\b.{0,80}"
    r")[.!:)\s🙂😊👋]*",
    re.IGNORECASE,
)
_ANNOUNCEMENT = re.compile(
    r"(?:(?:sure|certainly|of course|absolutely|okay|ok|great|alright|hello|hi)[,!.]? )?"
    r"(?:here(?:'s|’s| is| are) (?:the|your|a|an|what|my)\b[^.?!:]{0,80}"
    r"|(?:the )?(?:short |final )?answer(?: is)?|to answer your question|in (?:short|summary|brief)|to"
    r" summari[sz]e|summary|answer)"
    r"\s*:\s+",
    re.IGNORECASE,
)
_KNOWN_FACT = re.compile(r"(?:did|do) you know (?:that )?(?=\w)", re.IGNORECASE)
_TAG = re.compile(
    r",\s*(?:right|correct|isn['’]t (?:it|that so)|doesn['’]t it|don['’]t they|aren['’]t they|no|yes)\s*\?\s*$"
)


def is_smalltalk(sentence: str) -> bool:
    """Whether `sentence` greets, announces, offers help or asks, and states nothing."""
    text = sentence.strip()
    if text.endswith(("?", "？")):
        return statement_in_question(text) is None
    return bool(_SMALLTALK.fullmatch(text))


def announcement_length(sentence: str) -> int:
    """How many leading characters only announce what follows ("Here is the answer: "); 0 when none do."""
    match = _ANNOUNCEMENT.match(sentence)
    return match.end() if match else 0


def statement_in_question(sentence: str) -> str | None:
    """The statement a question makes ("Did you know that X?", "X, right?"), or None when it only asks."""
    if match := _TAG.search(sentence):
        return sentence[: match.start()] + "."
    if match := _KNOWN_FACT.match(sentence):
        rest = sentence[match.end() :].rstrip("?？ ")
        return rest[:1].upper() + rest[1:] + "." if len(rest.split()) > 2 else None
    return None

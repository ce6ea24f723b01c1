"""Sentences that state nothing: greetings, announcements, offers of help, questions to the reader."""

from __future__ import annotations

import re

from .spans import Span
from .verbs import has_verb

__all__ = ["announcement_length", "is_smalltalk", "question_turn", "statement_in_question"]

_COURTESY = (
    r"(?:hi|hello|hey|greetings|good (?:morning|afternoon|evening|day)|welcome)(?:,? (?:there|all|everyone|dear"
    r"|[A-Z]\w*)){0,2}"
    r"|dear [\w. ]{1,30}[,:]"
    r"|(?:sure|certainly|of course|absolutely|gladly|okay|ok|great|alright|all right|understood|got it|no"
    r" problem|perfect"
    r"|my pleasure|happy to help|you['’]re welcome|(?:that['’]s a )?(?:good|great|excellent|interesting) question)"
    r"(?:,? (?:thing|then|i can (?:help|do that|answer that)[^.?!:]{0,40}|let me [^.?!:]{0,60}))?"
    r"|(?:thanks|thank you)(?: (?:so much|very much|a lot|again|in advance))?(?:,? for [^.?!,]{0,60})?"
    r"|(?:best|kind|warm) (?:regards|wishes)\b.{0,40}|(?:yours )?(?:sincerely|faithfully)\b.{0,40}"
    r"|(?:have a|enjoy your) (?:great|nice|good|lovely|wonderful)\b.{0,40}"
    r"|(?:(?:i['’]?m|i am|we['’]re|we are) )?(?:very |so |really )?sorry(?: (?:about|for) [\w ]{1,40})?"
    r"|(?:my |our )?apologies(?: for [\w ]{1,40})?|(?:i|we) apologi[sz]e(?: for [\w ]{1,40})?"
    r"|i did(?: not|n['’]t) know that"
)
_OFFER = (
    r"(?:please )?(?:let me know|do not hesitate to|don['’]t hesitate to|reach out to (?:me|us)|just ask"
    r"|feel free to (?:ask|reach|contact|let|share|provide|clarify|message|email|call|write|specify))\b.{0,200}"
    r"|(?:please )?(?:feel free to )?(?:reach out|just ask)"
    r"|if (?:you|there)\b.{0,120}\b(?:let me know|feel free to|just ask|(?:happy|glad|here) to (?:help|assist)"
    r"|don['’]t hesitate to|do not hesitate to|reach out to (?:me|us))\b.{0,120}"
    r"|i(?:['’]m| am|['’]d be|['’]ll be| would be| will be)? (?:always )?(?:happy|glad|here) to (?:help|assist"
    r"|answer|explain"
    r"|elaborate|clarify|provide)\b.{0,120}"
    r"|i (?:hope|trust) (?:this|that|it|you|my)\b.{0,100}|hope (?:this|that|it)\b.{0,60}"
    r"|any (?:other|more|further) questions\b.{0,40}|is there anything else\b.{0,80}"
)
_PRESENTATION = (
    r"(?:(?:sure|certainly|of course|absolutely|okay|ok|great|alright)[,!]? )?"
    r"(?:here(?:['’]s| is| are)|below (?:is|are)|the following (?:is|are))\b"
    r"(?=[^.?!]*(?::\W*$|\b(?:answer|information|info|details?|summary|overview|list|steps|breakdown"
    r"|explanation|response"
    r"|results?|what i (?:found|know))\b))[^.?!]{0,160}"
)
_SMALLTALK = re.compile(rf"(?:{_COURTESY}|{_OFFER}|{_PRESENTATION})[.!,:)\s🙂😊👋]*", re.IGNORECASE)
_STATES = re.compile(r"[\d$€£%]|[,;:] (?:it|the|this|that|they|he|she|there|we|our)\b", re.IGNORECASE)
"""Small talk with one of these says something beside it."""
_LABEL = re.compile(
    r"(?:(?:the )?(?:short |final |correct )?answer(?: is)?|to answer your question|in (?:short|summary|brief)"
    r"|to summari[sz]e|summary)\s*:\s+",
    re.IGNORECASE,
)
"""Announces whatever follows, also a bare "42"."""
_ANNOUNCEMENT = re.compile(
    r"(?:(?:sure|certainly|of course|absolutely|okay|ok|great|alright|hello|hi)[,!.]? )?"
    r"here(?:'s|’s| is| are) (?:the|your|a|an|what|my)\b[^.?!:]{0,80}:\s+",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"(?:(?:so|and|but|or|well|okay|ok|now|then|also|oh|if|since|in case|for)\b,?\s+)*"
    r"(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|am|do|does|did|can|could|will|would|shall"
    r"|should"
    r"|has|have|had|may|might|must|any|anything|need|want|ready|interested|right|correct|ok|okay|you"
    r"|there)(?:n['’]t)?\b",
    re.IGNORECASE,
)
_PAUSE = re.compile(r"\s?(?:[,;:–—]|\.\.+|…)\s+|\s--?\s|\s[–—]\s?")
_KNOWN_FACT = re.compile(r"(?:did|do) you know (?:that )?(?=\w)", re.IGNORECASE)
_PRESUPPOSED = re.compile(
    r"\b(?:know|aware|hear|hearing|learn|confirm|mention|note|add|remember|remind you|tell you|explain|say|see) that"
    r" (?P<clause>\D{3,120}\d[^?？]{0,120})[?？]\s*$",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    r"\b(?:the|a|an|our|its|this|that) (?P<noun>[\w'’-]+(?: [\w'’-]+){0,3}),? (?:that|which) "
    r"(?P<predicate>(?:[^\W\d_]+ ){1,6}\W?\d[^?？]{0,120})[?？]\s*$",
    re.IGNORECASE,
)
_TAG = re.compile(
    r",\s*(?:right|correct|isn['’]t (?:it|that so)|doesn['’]t it|don['’]t they|aren['’]t they|no|yes)\s*\?\s*$"
)


def is_smalltalk(sentence: str) -> bool:
    """Whether `sentence` greets, announces, offers help or asks, and states nothing."""
    text = sentence.strip()
    if text.endswith(("?", "？")):
        return statement_in_question(text) is None
    return bool(_SMALLTALK.fullmatch(text)) and not _STATES.search(text)


def announcement_length(sentence: str) -> int:
    """How many leading characters only announce what follows ("Here is the answer: "); 0 when none do."""
    if label := _LABEL.match(sentence):
        return label.end()
    match = _ANNOUNCEMENT.match(sentence)
    # "Here is the fee: $5" says what the fee is.
    return match.end() if match and has_verb(sentence[match.end() :]) else 0


def question_turn(sentence: str) -> Span | None:
    """The pause between a statement and the question it leads to, or None when a sentence only asks or states.

    In "Pro costs $25 – would you like to know more?" that is the span of " – ".
    """
    if not sentence.rstrip().endswith(("?", "？")) or _ASKS.match(sentence) or statement_in_question(sentence):
        return None
    pauses = (pause for pause in _PAUSE.finditer(sentence) if _ASKS.match(sentence, pause.end()))
    return next((Span(*pause.span()) for pause in pauses), None)


def statement_in_question(sentence: str) -> str | None:
    """The statement a question makes ("Did you know that X?", "X, right?"), or None when it only asks.

    A number is stated also where the question only presupposes it: "Shall I add that the fee is $99?"
    """
    if match := _TAG.search(sentence):
        return sentence[: match.start()] + "."
    if match := _KNOWN_FACT.match(sentence):
        rest = sentence[match.end() :].rstrip("?？ ")
        return _sentence(rest) if len(rest.split()) > 2 else None
    if (match := _PRESUPPOSED.search(sentence)) and has_verb(match["clause"]):
        return _sentence(match["clause"])
    if (match := _RELATIVE.search(sentence)) and has_verb(match["predicate"]):
        return _sentence(f"the {match['noun']} {match['predicate']}")
    return None


def _sentence(clause: str) -> str:
    return f"{clause[:1].upper()}{clause[1:].rstrip()}."

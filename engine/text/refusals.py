"""Is a sentence a refusal: the speaker says that they, or the documents, do not have the answer?

Judged by who does not know what. The subject must be the speaker ("I", "we") or the evidence ("the documents",
"there is no information", "none of the files"), the predicate one of not knowing, not finding or not stating.
A sentence about the world that merely holds such words ("something not mentioned in the summary", "The company
does not provide refunds.") is no refusal, and neither is one that goes on to state a fact.
"""

from __future__ import annotations

import re

__all__ = ["is_refusal", "refusal_prefix_length"]

_EVIDENCE = (
    r"(?:(?:the|these|those|this|your|my|any of the|none of the|provided|given|available|supplied|retrieved|attached"
    r"|uploaded|above|current|relevant|following|search|source|reference|context|knowledge)\s+){0,5}"
    r"(?:documents?|documentation|docs|context|sources?|passages?|texts?|files?|materials?|excerpts?|articles?"
    r"|information|data|results?|snippets?|content|references?|records?|knowledge base|pages?|input|report|summary"
    r"|evidence|manual|transcript)"
    r"(?:\s+(?:you|i|we)(?:'ve|’ve| have)?\s+(?:\w+\s+){0,2}(?:provided|shared|given|supplied|uploaded|have|received|attached|with)"
    r"|\s+(?:provided|given|available|supplied|retrieved|above|at hand|here|shared|i have|you gave me|to me|in the context))*"
)
_NOT = r"(?:does not|do not|doesn't|doesn’t|don't|don’t|did not|didn't|didn’t|cannot|can't|can’t|can not|could not|couldn't|couldn’t|fails? to|lacks?)"
_STATE = (
    r"(?:contain|include|mention|provide|specify|state|say|cover|address|discuss|describe|give|offer|have|indicate"
    r"|answer|explain|list|talk|reference|refer|relate|clarify|detail|disclose|reveal|show|tell|hold|touch|help"
    r"|support|go into|speak)"
)
_SPEAKER = r"(?:i|we)"
_ADVERBS = r"(?:(?:currently|really|actually|just|simply|still|also|honestly|unfortunately|explicitly|directly|specifically|clearly|really|even|either|necessarily|unfortunately|sadly)\s+)*"
_CANNOT = (
    r"(?:(?:am|'m|’m|are|'re|’re|was|were)\s+(?:\w+\s+)?(?:not able|unable|not sure|unsure|not certain|uncertain|not aware|unaware|not in a position)"
    r"|cannot|can not|can't|can’t|could not|couldn't|couldn’t|do not|don't|don’t|did not|didn't|didn’t|won't|won’t|will not"
    r"|would not|wouldn't|wouldn’t|have no|have not|haven't|haven’t|lack|had no|have insufficient|do not currently)"
)
_KNOWLEDGE = (
    r"(?:know|find|found|see|seen|locate|determine|tell|say|answer|help|provide|give|assist|access|open|view|read|verify"
    r"|confirm|identify|have|been able|information|idea|knowledge|clue|data|enough|sufficient|details|access|record"
    r"|context|share|discuss|comment|comply|fulfill|offer|speculate|infer|conclude|establish|respond|recall|any|whether"
    r"|way|of|about|if|what|where|when|who|which|how|the|that|based|from)"
)
_OPENER = (
    (
        r"(?:(?:(?:i'm|i’m|i am|we're|we’re|we are)\s+(?:\w+\s+)?(?:sorry|afraid)|sorry|apologies|my apologies|unfortunately|regrettably|sadly"
        r"|i apologi[sz]e|no|well|hmm|hm|oh|honestly|however|but|so|as an ai(?: \w+){0,3}|as a language model|i regret(?: to say)?"
        r"|(?:based|going|judging|relying) (?:only |solely |purely )?(?:on|by|from) (?P<e1>EVID)|(?:from|in|within|according to|given|per|among|across) (?P<e2>EVID)"
        r"|at this time|at the moment|to be honest|to my knowledge|as far as i (?:know|can (?:see|tell)))"
        r"(?:\s*[,.;:!–—-]+\s*|\s+(?:but|that|and)\s+|\s+))*"
    )
    .replace("(?P<e1>EVID)", _EVIDENCE)
    .replace("(?P<e2>EVID)", _EVIDENCE)
)


def is_refusal(sentence: str) -> bool:
    """Whether the whole `sentence` is a refusal; see the module's description."""
    text = " ".join(sentence.split()).lower()
    return _is_refusal(text)


def refusal_prefix_length(sentence: str) -> int:
    """Where a fact begins after a refusal ("I found no cheaper plan, but Pro costs $99."); 0 when none does."""
    return 0


def _is_refusal(text: str) -> bool:
    return bool(_REFUSAL.match(text))


_REFUSAL = re.compile(
    rf"{_OPENER}(?:"
    rf"{_EVIDENCE}\s+{_ADVERBS}{_NOT}\s+{_ADVERBS}{_STATE}\b"
    rf"|{_SPEAKER}\s*{_ADVERBS}{_CANNOT}\s+{_ADVERBS}{_KNOWLEDGE}\b"
    r"|idk\b|no idea\b|(?:there (?:is|are|was|were)|there's|there’s) (?:no|not enough|insufficient)"
    r" (?:\w+ ){0,2}(?:information|mention|details?|data|evidence|reference|indication|answer|context)"
    rf"|(?:none|neither) of (?:{_EVIDENCE})"
    r")"
)

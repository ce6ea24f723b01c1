"""What a claim states, without the phrases around it: "Yeah, I think the lake is deep." says "The lake is deep."

Answers in a dialogue open with agreement and hedges. A classifier that compares two sentences reads them as content
that no document has.
"""

from __future__ import annotations

import re
from dataclasses import replace

from .text.claims import Claim, ClaimKind, Segmentation, SkippedSpan, SkipReason
from .text.question_words import NO, YES

__all__ = ["is_polar", "plain_statements", "without_opener"]

_THAT = r"(?:that(?: is| was|['’ ]{1,3}s)|it(?: is|['’ ]{1,3}s))"
_PRAISE = (
    r"(?:so |very |really |pretty |quite |a )?(?:true|right|correct|cool|great|good|nice|awesome|amazing|interesting"
    r"|neat|wonderful|fantastic|funny|fun|sad|too bad|impressive|crazy|insane|a good (?:question|point|one)"
    r"|(?:good|great|nice|glad) to (?:hear|know))"
)
_AGREEMENT = (
    rf"(?:yes|yeah|yep|yup|no|nope|sure|ok|okay|right|true|correct|exactly|indeed|absolutely|of course|wow|oh|ah|hmm"
    rf"|haha|cool|great|nice|awesome|well|me too|same here|i see|{_THAT} {_PRAISE}"
    r"|i (?:completely |totally )?agree(?: with (?:you|that|this))?"
    r"|i(?:['’ ]{1,3}m| am) (?:so |really |very )?(?:glad|happy|sorry) to hear (?:that|it))"
)
_HEDGE = (
    r"(?:i(?:['’ ]{1,3}m| am) not (?:really |entirely |quite |too )?sure(?: about (?:that|it|this))?,? but"
    r"|i (?:don['’]?t|do not) know,? but"
    r"|as far as i (?:know|can tell),|i(?: do)? know that|i(?:['’ ]{1,3}ve| have)? heard(?: that)?"
    r"|i (?:think|believe|guess|suppose)(?: that)?|it(?: is|['’ ]{1,3}s) true that|it seems that|in fact,|actually,?)"
)
_OPENER = re.compile(
    rf"(?:{_AGREEMENT}(?:\s*[,.!;:]+\s*|\s+(?=i\b))|(?:yes|yeah|yep)\s+and\s+|{_HEDGE}\s+"
    r"|(?:yes|no|yeah),?\s+(?:it|he|she|they|i|we|there)\s+(?:is|was|are|were|do|does|did|has|have|had)\s*[,.;]\s+"
    r"|well\s+(?=(?:there|it|they|he|she|i|we|you|the|that|this|in)\b)|(?:yes|no)\s+but\s+"
    r"|(?:and|but|so|well|also)\s*,\s+)",
    re.IGNORECASE,
)
_ACKNOWLEDGEMENT = re.compile(
    rf"(?:{_AGREEMENT}[\s,.!]*)+"
    r"|(?:yes,? |it |they |he |she |you |there )?(?:sure(?:ly)? |really |certainly |definitely )?"
    r"(?:it |they |he |she |we |i |you |there )?(?:sure |really |certainly |definitely )?"
    r"(?:is|are|was|were|does|do|did|has|have|should|would|could|can)[\s.!]*",
    re.IGNORECASE,
)
_FEWEST_WORDS = 3
_MOST_OPENERS = 4


def plain_statements(segmentation: Segmentation) -> Segmentation:
    """`segmentation` with its claims reduced to what they state; mere agreement ("That's cool!") becomes skipped."""
    claims, skipped = [], list(segmentation.skipped)
    for claim in segmentation.claims:
        if claim.kind is ClaimKind.SENTENCE and _ACKNOWLEDGEMENT.fullmatch(claim.text):
            skipped.append(SkippedSpan(claim.start, claim.end, SkipReason.NOT_A_CLAIM))
        else:
            claims.append(_plain(claim))
    return Segmentation(tuple(claims), tuple(sorted(skipped, key=lambda span: span.start)))


def _plain(claim: Claim) -> Claim:
    if claim.kind in (ClaimKind.REFUSAL, ClaimKind.SHORT_ANSWER, ClaimKind.TABLE_ROW):
        return claim
    return replace(claim, model_text=without_opener(claim.model_text))


def is_polar(answer: str) -> bool:
    """Whether `answer` is a bare yes or no, which says nothing without its question."""
    return answer.strip(" .!,").lower() in YES | NO


def without_opener(text: str) -> str:
    """`text` from where its statement begins; unchanged when too little would be left of it."""
    at = 0
    for _ in range(_MOST_OPENERS):
        match = _OPENER.match(text, at)
        if match is None or len(text[match.end() :].split()) < _FEWEST_WORDS:
            break
        at = match.end()
    rest = text[at:]
    return text if at == 0 else rest[:1].upper() + rest[1:] if text[:1].isupper() else rest

"""The separate statements of a compound sentence, with exact offsets.

"Acme was founded in 1999, is based in Oslo and employs 40 people." states three things; one that is false must
not pass because the others are true. The rules know no grammar beyond a list of verbs, so they cut only where
the parts are plain: at a semicolon or a conjunction before a clause with its own subject, and before a verb that
shares the subject of the first part. Anything else stays whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from .model import Claim, ClaimKind, SkippedSpan, SkipReason
from .prose import plain_text
from .spans import Span
from .verbs import has_verb, is_inflected
from .word_sets import word_set

__all__ = ["connectives", "split_atomic"]

_KINDS = frozenset({ClaimKind.SENTENCE, ClaimKind.LIST_ITEM, ClaimKind.BLOCK_QUOTE})
_JOINT = re.compile(r"\s*;\s+(?:and\s+|but\s+)?|,\s+(?:(?:and|but|while|whereas)\s+)?|\s+(?:and|but)\s+")
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_LONGEST, _LONGEST_SUBJECT = 600, 9
_SUBORDINATE = word_set(
    "if when because although though who whom whose which that whether unless until while where since as than how why"
    " once what said says claimed claims believes believed thinks thought"
)
_PRONOUNS = word_set("it he she they we i there")
_SUBJECTS = _PRONOUNS | word_set("this these those the a an its his her their our my your both each all")
_ADVERBS = word_set(
    "also now currently then later still often usually mainly only already soon finally today again not"
)
_GOING_ON = word_set("employing serving covering containing hosting weighing measuring costing spanning")
_AFTER_VERB = word_set(
    "a an the its his her their our my no all any some more less up over under about around in on at to for from with"
    " by as into through only not also both each one two three four five six seven eight nine ten nearly almost more"
)
_BE = word_set("is are was were")
_STATES = word_set("based located headquartered situated owned known called named used considered")
_PASSIVE = _STATES | word_set(
    "founded built designed made written published produced released created established launched discovered invented"
    " painted composed directed recorded finished completed sold bought acquired elected appointed awarded"
)
"""Participles that go on a passive: "was founded in 1999, based in Oslo", but not "was born in Oslo and moved"."""
_QUOTES = '"“”„«»'


def split_atomic(claim: Claim) -> tuple[Claim, ...]:
    """The statements of `claim`, in order; `(claim,)` when it makes one, or when its parts are not plain.

    Each part has the kind of the claim, its own offsets in the response, and as model text a sentence with the
    shared subject. A citation at the end of the claim counts for every part that has none of its own.
    """
    text = claim.text
    if claim.kind not in _KINDS or len(text) > _LONGEST or plain_text(text) != claim.model_text:
        return (claim,)
    parts = list(_parts(text))
    if len(parts) < 2:
        return (claim,)
    return tuple(_claim(claim, span, statement) for span, statement in parts)


def connectives(claim: Claim, parts: tuple[Claim, ...]) -> tuple[SkippedSpan, ...]:
    """What lies between the parts of a claim; together with them it tiles the claim."""
    spans = (SkippedSpan(one.end, two.start, SkipReason.CONNECTIVE) for one, two in pairwise(parts))
    return tuple(span for span in spans if span.start < span.end)


def _claim(claim: Claim, span: Span, statement: str) -> Claim:
    start, end = claim.start + span.start, claim.start + span.end
    own = tuple(citation for citation in claim.citations if start <= citation.start < end)
    later = tuple(citation for citation in claim.citations if citation.start >= end)
    return replace(
        claim, text=claim.text[slice(*span)], start=start, end=end, model_text=statement, citations=own or later
    )


def _parts(text: str) -> Iterator[tuple[Span, str]]:
    """The parts of `text` and what each states."""
    start, anchor, lead = 0, "", ""
    for joint in _JOINT.finditer(text):
        head, tail = text[start : joint.start()], text[joint.end() :]
        clause = anchor or head
        if _is_open(text[: joint.start()]) or not _is_plain(clause):
            continue
        new_clause = _begins_clause(joint.group(), tail)
        shared = "" if new_clause else _shared(joint.group(), clause, tail)
        if new_clause or shared:
            yield Span(start, joint.start()), _statement(lead, head)
            start, anchor, lead = joint.end(), "" if new_clause else clause, shared
    yield Span(start, len(text)), _statement(lead, text[start:])


def _statement(lead: str, part: str) -> str:
    text = f"{lead} {plain_text(part)}".strip().rstrip(" .;,!")
    return text[:1].upper() + text[1:] + "."


def _is_plain(clause: str) -> bool:
    """Whether a clause has a verb and no other clause inside."""
    return has_verb(clause) and not _SUBORDINATE & {word.lower() for word in _WORD.findall(clause)}


def _is_open(text: str) -> bool:
    """Whether a parenthesis or a quotation is open at the end of `text`."""
    return text.count("(") != text.count(")") or sum(text.count(quote) for quote in _QUOTES) % 2 == 1


def _begins_clause(joint: str, tail: str) -> bool:
    """ "; it costs $5", ", and the tower is red" """
    words = [word.lower() for word in _WORD.findall(tail)[:7]]
    if not words or (";" not in joint and not re.search(r"and|but|while|whereas", joint)):
        return False
    own_subject = words[0] in _PRONOUNS or (joint[0] in ",;" and (words[0] in _SUBJECTS or tail[:1].isupper()))
    verb_at = next((at for at, word in enumerate(words) if is_inflected(word)), 0)
    return own_subject and verb_at > 0 and not _SUBORDINATE & set(words[:verb_at])


def _shared(joint: str, clause: str, tail: str) -> str:
    """The subject, and the form of "be", that `tail` shares with `clause`; empty when it shares none."""
    words = [word.lower() for word in _WORD.findall(tail)[:4]]
    while words and words[0] in _ADVERBS:
        words = words[1:]
    subject, copula = _subject(clause), _copula(clause)
    if len(words) < 2 or subject is None:
        return ""
    if joint.strip() == "," and words[0] in {"known", "called", "named"}:
        # ", also known as X" is about the words right before it.
        return ""
    if copula and words[0] in _PASSIVE | _GOING_ON:
        return f"{subject} {'is' if words[0] in _STATES | _GOING_ON else copula}"
    passive = words[0].endswith("ed") and (joint.strip() == "," or words[1] == "by")
    if passive or not is_inflected(words[0]):
        return ""
    following = tail[tail.lower().find(words[0]) + len(words[0]) :].lstrip()
    object_follows = following[:1].isupper() or following[:1] in '$€£0123456789"“'
    return subject if words[0] in _BE or words[1] in _AFTER_VERB or object_follows else ""


def _subject(head: str) -> str | None:
    """What stands before the first verb, when that is plainly the subject; a leading "In 1999, " is left out."""
    start = 0
    for match in _WORD.finditer(head):
        if is_inflected(match.group().lower()):
            words = head[start : match.start()].split()
            while words and words[-1].lower() in _ADVERBS:
                words.pop()
            plain = 0 < len(words) <= _LONGEST_SUBJECT and not re.search(r"[,;:]", " ".join(words))
            return " ".join(words) if plain else None
        if head[match.end() : match.end() + 1] == ",":
            start = match.end() + 1
    return None


def _copula(clause: str) -> str | None:
    """The form of "be" that is the main verb of `clause`."""
    verb = next((word.lower() for word in _WORD.findall(clause) if is_inflected(word.lower())), None)
    return verb if verb in _BE else None

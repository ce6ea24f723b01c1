"""Is a sentence a refusal: the speaker says that they, or the documents, do not have the answer?

Judged by who does not know what. Four forms count, each after any number of openers ("Sorry, based on the
provided context, ..."):

speaker      I or we + negation + a verb of knowing, finding or telling ("I could not find the price.")
documents    the documents + negation + a verb of stating ("The context does not mention it.")
existence    no + information ("There is no information about the fee.", "None of the files relate to that.")
reported     something + negation + stated + in the documents ("The fee is not stated in the text.")

The form must be the main clause and the sentence must not go on to state a fact. So "Profits tripled last
year, something not mentioned in the summary." and "The company does not provide refunds." are claims.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from .refusal_words import (
    ADVERBS,
    CONTRACTIONS,
    CORE_SOURCES,
    INFORMATION,
    OPENERS,
    REPORTED,
    SOURCES,
    SPEAKER_VERBS,
    STATES,
    WE_VERBS,
)
from .source_phrases import introduction_end, names_sources, phrase_end, skip
from .spans import Span
from .verbs import has_verb
from .word_sets import word_set

__all__ = ["fact_after_refusal", "is_refusal", "restored_fact"]

_MAX_WORDS = 70
_TOKEN = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*|[,;:.!?–—-]")
_CUE = re.compile(
    r"n['’]?t\b|not\b|\bno|\bidk|\bdunno|\bun(?:able|sure|certain|aware|clear|known|available|specified)|\black"
    r"|\binsufficient|\bsilent"
    r"|\bfails?\b|\bomits?\b|\bneither\b|\bimpossible|\bmissing|\babsent",
    re.IGNORECASE,
)
"""Every refusal has one of these; most sentences have none and need no closer look."""
_STOPS = frozenset(",;:.!?–—-")
_AUXILIARIES = word_set("do does did can could will would am is are was were have has had may might must should be")
_STATE_VERBS = word_set("am are was were have lack found find see had")
_MISSING = word_set("information info details detail mention specifics")
_BE = word_set("is are was were can could has have")
_UNCLEAR = word_set("unclear unknown missing absent unavailable unspecified")
_TOLD = word_set("mentioned specified stated provided disclosed listed discussed addressed clear given indicated")
_CONTRAST = re.compile(
    r"(?:[,;:–—]\s*|\s)(?:but|however|although|though|yet|except|other than|apart from|aside from|besides|so"
    r"|therefore"
    r"|because|since|instead|while|whereas)\b[,\s]*|\s?;\s*|\s[–—-]{1,2}\s|\s?—\s?|[:.!?]\s+",
    re.IGNORECASE,
)
"""After one of these a new statement begins; after `_ADDITION` only when it has a verb."""
_ADDITION = re.compile(
    r"\s?,\s+(?!but\b|so\b|however\b|although\b|though\b|yet\b)(?:and\s+|which\s+|who\s+|whose\s+|where\s+|as\s+)?"
    r"|\s?\((?!s\))",
    re.IGNORECASE,
)
_QUANTITY = re.compile(r"[$€£¥]\s?\d|\d\s?[%€£]")
_REMARK = re.compile(
    r"(?:as|see|cf|e\.g|i\.e|if|such as|including|or|from|in|of)\b|means?\b|is why\b|makes?\b|would\b|i\b|we\b|you\b"
    r"|(?:is|are|was|were) (?:needed|required|necessary|what|unclear|unknown|missing|unfortunate|a (?:pity|shame))\b",
    re.IGNORECASE,
)
"""What stands behind "which" or in a parenthesis without a fact: "(as of 2023)", "which means that I cannot answer"."""
_RELATIVE = re.compile(r"\b(?:which|who)\s+$", re.IGNORECASE)
_EXCEPTION = re.compile(r"\b(?:except|other than|apart from|aside from|besides)\b", re.IGNORECASE)
_NOUN_PHRASE = re.compile(
    r"\b(?P<determiner>the|an?|any|its|their|his|her|our|your|this|that|these|those)\s+"
    r"(?P<noun>[\w'’-]+(?:\s+[\w'’-]+){0,2}(?:\s+(?:of|for|in)\s+(?:the\s+|a\s+|an\s+)?[\w'’-]+(?:\s+[\w'’-]+)?)?)\s*$",
    re.IGNORECASE,
)
_LAST_WORD = re.compile(r"[\w'’-]+\s*$")
_LONGEST_NOUN_PHRASE = 80
_ADVICE = re.compile(
    r"you(?:['’](?:ll|d|re))?(?: (?:may|might|can|could|should|would|will|need to|want to|wish to|like to|have to"
    r"|be able to|also|still|always|probably|just))* (?:want|need|wish|like|contact|check|consult|ask|refer|see|try"
    r"|visit|reach|look|search|call|e-?mail|write|provide|share|clarify|verify|review|find|go to|read|consider|speak"
    r"|get (?:in touch|more|further|help)|talk|rephrase|upload|give|let|tell|explore|confirm|specify|mentioned"
    r"|have (?:to|any|more|other|further|a)|are (?:looking|asking|interested|referring|welcome)|provided|asked|shared"
    r"|uploaded|described|meant?|may|might)\b\D*$",
    re.IGNORECASE,
)
"""Where else to ask; "you should assume yes" and "you need to pay $99" are facts."""
_HARMLESS = re.compile(
    r"(?:i|we)(?:\s+(?:can|could|would|will|am|'m|’m|'d|’d|'ll|’ll))?\s+(?:be )?(?:happy|glad|able|here|help"
    r"|assist|try|look|search|check"
    r"|recommend|suggest|encourage|apologi[sz]e|hope|provide|offer|answer|research|find|give)\b"
    r"|(?:i'll|i’ll|please|if you|feel free|let me|don't|don’t|consider|try|perhaps|maybe|contact|check"
    r"|consult|ask|refer|see"
    r"|for (?:more|further|that|this)|or|nor|thus|therefore|sorry|unfortunately|thanks|thank you)\b",
    re.IGNORECASE,
)


def is_refusal(sentence: str) -> bool:
    """Whether the whole `sentence` is a refusal; see the module's description."""
    return _starts_with_refusal(sentence) and fact_after_refusal(sentence) is None


def fact_after_refusal(sentence: str) -> Span | None:
    """The turn from a refusal to a fact, or None when `sentence` starts or stays otherwise.

    In "I could not find a cheaper plan, but Pro costs $99." that is the span of ", but ".
    """
    if len(sentence) > _MAX_WORDS * 12 or not _starts_with_refusal(sentence):
        return None
    turns = [*_CONTRAST.finditer(sentence)]
    additions = [*_ADDITION.finditer(sentence)]
    for turn in sorted([*turns, *additions], key=lambda found: found.start()):
        tail = sentence[turn.end() :]
        states = _is_added_fact if turn.re is _ADDITION else _is_fact
        if states(turn.group(), tail) and _starts_with_refusal(sentence[: turn.start()]):
            return Span(turn.start(), turn.end())
    return None


def _is_fact(joint: str, tail: str) -> bool:
    """Whether `tail` is more than advice or another refusal; one word is, when it is a number ("other than $99")."""
    number = bool(re.search(r"\d", tail)) and not joint.strip().endswith((":", ".", "!", "?"))
    return len(tail.split()) >= 2 - number and not _is_harmless(tail)


def _is_added_fact(joint: str, tail: str) -> bool:
    """The same behind a comma, a relative pronoun or a parenthesis, where it needs a verb."""
    parenthesis = joint.endswith("(")
    if (parenthesis or _RELATIVE.search(joint)) and _REMARK.match(tail):
        return False
    if parenthesis and _QUANTITY.search(tail):
        return True
    short = _RELATIVE.search(joint) or re.search(r"\d", tail)
    return len(tail.split()) >= (2 if short else 3) and has_verb(tail) and not _is_harmless(tail)


def _is_harmless(tail: str) -> bool:
    return bool(_HARMLESS.match(tail) or _ADVICE.match(tail)) or _starts_with_refusal(tail)


def restored_fact(sentence: str, turn: Span, fact: str) -> str:
    """`fact`, which follows the `turn` of `sentence`, with the subject that it left in the refusal.

    In "I do not know the fee, which is $99." the fact "is $99." becomes "The fee is $99."
    """
    joint = sentence[turn.start : turn.end]
    if joint.endswith("(") and fact.count(")") > fact.count("("):
        fact = "".join(fact.rsplit(")", 1))
    relative = _RELATIVE.search(joint)
    if not relative and (has_verb(fact) or not (_EXCEPTION.search(joint) or joint.endswith("("))):
        return fact
    said = sentence[max(0, turn.start - _LONGEST_NOUN_PHRASE) : turn.start]
    if match := _NOUN_PHRASE.search(said):
        known = match["determiner"].lower() not in {"a", "an", "any"}
        subject = f"{match['determiner'] if known else 'the'} {match['noun']}"
    elif last := _LAST_WORD.search(said):
        subject = last.group().strip()
    else:
        return fact
    return f"{subject[:1].upper()}{subject[1:]}{'' if relative else ':'} {fact}"


def _starts_with_refusal(sentence: str) -> bool:
    if not _CUE.search(sentence):
        return False
    words = _tokens(sentence)
    if not words or len(words) > _MAX_WORDS:
        return False
    at = _after_openers(words)
    rest = words[at:]
    if not rest:
        return False
    if _speaker(rest) or _documents(rest) or _existence(rest) or _bare(rest):
        return True
    return _reported(rest, about_sources=any(word in SOURCES for word in words[:at]))


def _tokens(sentence: str) -> list[str]:
    if len(sentence) > _MAX_WORDS * 12:
        return []
    text = sentence.lower()
    for short, full in CONTRACTIONS:
        text = text.replace(short, full)
    return _TOKEN.findall(text)


def _after_openers(words: Sequence[str]) -> int:
    """Where the main clause begins."""
    at = 0
    while True:
        end = _opener(words, at)
        if end is None:
            return at
        at = skip(words, end, _STOPS | {"but", "that", "and"})


def _opener(words: Sequence[str], at: int) -> int | None:
    if at == len(words):
        return None
    if words[at : at + 2] == ["no", ","]:
        return at + 1
    phrases = OPENERS.get(words[at], ())
    longest = max((len(phrase) for phrase in phrases if tuple(words[at : at + len(phrase)]) == phrase), default=0)
    if longest:
        return at + longest
    if words[at] in {"regarding", "concerning", "about"} or words[at : at + 2] in (["as", "for"], ["as", "to"]):
        return next((i for i in range(at, min(len(words), at + 15)) if words[i] == ","), None)
    return introduction_end(words, at)


def _negation(words: Sequence[str], at: int) -> int | None:
    """The end of an auxiliary with "not" and of the adverbs around it, or None."""
    at = skip(words, at, ADVERBS)
    if at + 1 < len(words) and words[at] in _AUXILIARIES:
        inner = skip(words, at + 1, ADVERBS | {"been", "be"})
        if inner < len(words) and words[inner] == "not":
            return skip(words, inner + 1, ADVERBS | {"been"})
    return None


def _speaker(words: Sequence[str]) -> bool:
    if words[0] not in {"i", "we"}:
        return words[0] in {"can", "could", "do", "unable", "not"} and _elliptic_speaker(words)
    verbs = SPEAKER_VERBS if words[0] == "i" else WE_VERBS
    at = skip(words, 1, ADVERBS)
    if words[at : at + 3] == ["did", "not", "know"] or words[at : at + 3] == ["had", "no", "idea"]:
        # "I did not know that X" says X.
        return False
    return _speaker_predicate(words, at, verbs)


def _elliptic_speaker(words: Sequence[str]) -> bool:
    """ "Cannot determine from the context.", "Not sure.", "Do not know." """
    if words[0] == "not":
        return words[1:2] in (["sure"], ["certain"], ["enough"])
    end = 1 if words[0] == "unable" else _negation(words, 0)
    return end is not None and _known_verb(words, end, WE_VERBS | {"answer", "provide"})


def _speaker_predicate(words: Sequence[str], at: int, verbs: Set[str]) -> bool:
    rest = words[at : at + 8]
    if rest and rest[0] in _STATE_VERBS and _state_of_not_knowing(rest, verbs):
        return True
    end = _negation(words, at)
    if end is None:
        return False
    if words[end : end + 1] in (["have"], ["possess"], ["had"]):
        return any(word in INFORMATION for word in words[end + 1 : end + 8])
    return _known_verb(words, end, verbs)


def _known_verb(words: Sequence[str], at: int, verbs: Set[str]) -> bool:
    at = skip(words, at, {"to", "able", "be"} | ADVERBS)
    if at >= len(words):
        return False
    if words[at] == "help" and words[at + 1 : at + 2] == ["but"]:
        return False
    return words[at] in verbs | {"sure", "certain", "aware", "found", "seen", "come"}


def _state_of_not_knowing(rest: Sequence[str], verbs: Set[str]) -> bool:
    at = skip(rest, 1, ADVERBS)
    word = rest[at] if at < len(rest) else ""
    if rest[0] in {"am", "are", "was", "were"}:
        if word == "not":
            word = rest[at + 1] if at + 1 < len(rest) else ""
            return word in {"sure", "certain", "aware", "familiar"} or (
                word in {"able", "in"} and _has_verb_of(rest, verbs)
            )
        return word in {"unsure", "uncertain", "unaware"} or (word == "unable" and _has_verb_of(rest, verbs))
    if rest[0] == "lack":
        return any(item in INFORMATION for item in rest)
    if word not in {"no", "nothing", "insufficient", "not"}:
        return False
    return word == "nothing" or any(item in INFORMATION for item in rest)


def _has_verb_of(rest: Sequence[str], verbs: Set[str]) -> bool:
    return any(word in verbs for word in rest[2:])


def _documents(words: Sequence[str]) -> bool:
    end = phrase_end(words, 0, CORE_SOURCES)
    if end is None:
        return False
    at = skip(words, end, ADVERBS | {","})
    after = _negation(words, at)
    if after is not None:
        return words[after : after + 1] != [] and words[after] in STATES | {
            "sufficient",
            "enough",
            "clear",
            "relevant",
            "related",
        }
    rest = words[at : at + 6]
    if rest[:1] and rest[0] in STATES | {
        "contained",
        "mentioned",
        "provided",
        "gave",
        "had",
        "included",
        "make",
        "makes",
    }:
        second = skip(rest, 1, ADVERBS)
        return rest[second : second + 1] in (["no"], ["nothing"], ["insufficient"], ["neither"])
    if rest[:1] and rest[0] in {"lack", "lacks", "lacked", "omit", "omits"}:
        return True
    return rest[:2] in (
        ["is", "silent"],
        ["are", "silent"],
        ["is", "unclear"],
        ["are", "unclear"],
        ["is", "insufficient"],
        ["are", "insufficient"],
        ["fail", "to"],
        ["fails", "to"],
    )


def _existence(words: Sequence[str]) -> bool:
    if words[0] in {"none", "neither", "nothing", "nowhere"}:
        return phrase_end(words, skip(words, 1, {"of", "in", "from", "within"}), SOURCES) is not None and len(words) > 2
    at = 0
    if words[0] == "there" and words[1:2] and words[1] in {"is", "are", "was", "were"}:
        at = skip(words, 2, ADVERBS)
        if words[at : at + 1] == ["nothing"]:
            return names_sources(words[at:])
        if words[at : at + 1] == ["not"]:
            at += 1
    if words[at : at + 1] and words[at] in {"no", "any", "insufficient", "enough"}:
        return _missing_information(words, at + 1)
    return False


def _missing_information(words: Sequence[str], at: int) -> bool:
    head = [word for word in words[at : at + 4] if word not in _STOPS]
    found = next((word for word in head if word in INFORMATION), None)
    if found is None:
        return bool(head) and head[0] in SOURCES and bool(set(words) & (STATES | {"found", "matched", "available"}))
    if words[at - 1] in {"enough", "insufficient"} or found in _MISSING:
        return True
    if found in SOURCES and set(words) & (STATES | {"found", "matched", "available"}):
        return True
    return names_sources(words)


def _reported(words: Sequence[str], *, about_sources: bool) -> bool:
    """ "The price is not mentioned in the documents.", "It is unclear from the text whether it is red."

    about_sources  the sentence has named the documents before, as in "According to the text, ..."
    """
    for at, word in enumerate(words[:25]):
        if word in _STOPS or word in _AUXILIARIES - _BE:
            return False
        if word in _BE:
            return _not_reported(words, at, about_sources)
    return False


def _not_reported(words: Sequence[str], at: int, about_sources: bool) -> bool:
    word = words[at + 1] if at + 1 < len(words) else ""
    if word in _UNCLEAR:
        return names_sources(words[at + 2 :]) or (about_sources and word in {"unclear", "unspecified"})
    end = _negation(words, at)
    if word == "impossible" or (end is not None and words[end : end + 1] == ["possible"]):
        verbs = words[at + 2 if word == "impossible" else (end or 0) + 1 :][:4]
        return any(verb in WE_VERBS for verb in verbs) or (
            any(verb in {"provide", "give", "offer"} for verb in verbs) and names_sources(words)
        )
    if end is None:
        return False
    end = skip(words, end, {"been", "be"} | ADVERBS)
    if end >= len(words) or words[end] not in REPORTED | CORE_SOURCES | {"the", "within"}:
        return False
    short = len(words) - end <= 3
    if short and any(item in {"answer", "information", "details"} for item in words[:at]):
        return True
    return names_sources(words[end - 1 :]) or (short and about_sources and words[end] in _TOLD)


def _bare(words: Sequence[str]) -> bool:
    """ "IDK.", "No idea.", "Unknown.", "Not specified in the documents." """
    bare = [word for word in words if word not in _STOPS]
    if not bare:
        return False
    if bare in (["idk"], ["unknown"], ["dunno"], ["idea"], ["no", "idea"], ["no", "clue"], ["clue"], ["not", "sure"]):
        return True
    if bare[0] == "idk":
        return True
    if bare[0] == "not" and len(bare) > 1 and bare[1] in REPORTED:
        return len(bare) == 2 or names_sources(bare)
    if bare[0] in INFORMATION and bare[0] in {"information", "details"}:
        return len(bare) > 1 and bare[1:3] in (
            ["not", "found"],
            ["not", "available"],
            ["not", "provided"],
            ["not", "specified"],
        )
    return bare[0] in {"insufficient"} and len(bare) > 1 and bare[1] in INFORMATION

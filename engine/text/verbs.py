"""A list of common finite verbs: enough to tell "SSO and audit logs" from a statement, without a parser."""

from __future__ import annotations

import re
from itertools import pairwise

from .word_sets import word_set

__all__ = ["has_verb", "is_base_form", "is_finite", "is_inflected", "is_participle", "past_form", "third_person"]

_AUXILIARIES = (
    "is are was were am has have had do does did will would can could may might must shall should cannot isn"
    " aren wasn weren doesn don didn won can't couldn wouldn hasn haven ain"
)
_REGULAR = (
    "include cost offer provide support contain require allow mean need use work open close start end live"
    " grow rise charge apply last weigh measure cover employ serve hold run begin become remain exist occur"
    " happen appear belong consist receive reach return help produce create develop design publish release"
    " launch introduce announce found locate base call name know show say state report claim describe mention"
    " explain suggest increase decrease fall drop double triple win lose play lead join leave move change"
    " follow form build write sell buy pay own operate manage make take give get go come see find tell ask"
    " think believe want like prefer expect plan ship deliver expire renew cancel refund accept reject approve"
    " deny limit exceed earn raise invest acquire merge finish complete die marry depend vary differ equal"
    " total average range extend connect enable disable prevent protect cause affect treat cure reduce improve"
    " achieve perform measure eat drink sleep walk travel visit stay meet bring carry keep stand sit lie turn"
    " set put cut pass miss lack feature rank score host represent elect appoint resign retire die divorce"
    " graduate study teach learn train speak read hear feature stop continue happen appear seem look feel"
    " taste smell sound arrive depart star direct compose record portray collaborate air emerge refer comprise"
    " concern advocate"
    " advocate originate specialize specialise vary consider define enjoy attend"
)
_IRREGULAR = (
    "meant held ran began became won lost led left wrote sold bought paid made took gave got went came saw"
    " told thought stood sat lay brought kept met felt heard spoke read grew rose fell ate drank slept built"
    " sent spent found knew said showed shown drew flew broke chose drove rode sang taught caught fought"
    " struck wore hit shut died"
)


_PAST = {
    "become": "became", "begin": "began", "bring": "brought", "build": "built", "buy": "bought", "catch": "caught",
    "choose": "chose", "come": "came", "cost": "cost", "cut": "cut", "do": "did", "drink": "drank", "drive": "drove",
    "eat": "ate", "fall": "fell", "feel": "felt", "fight": "fought", "find": "found", "fly": "flew", "get": "got",
    "give": "gave", "go": "went", "grow": "grew", "have": "had", "hear": "heard", "hold": "held", "keep": "kept",
    "know": "knew", "lead": "led", "leave": "left", "lie": "lay", "lose": "lost", "make": "made", "mean": "meant",
    "meet": "met", "pay": "paid", "put": "put", "read": "read", "ride": "rode", "rise": "rose", "run": "ran",
    "say": "said", "see": "saw", "sell": "sold", "send": "sent", "set": "set", "show": "showed", "sing": "sang",
    "sit": "sat", "sleep": "slept", "speak": "spoke", "spend": "spent", "stand": "stood", "take": "took",
    "teach": "taught", "tell": "told", "think": "thought", "wear": "wore", "win": "won", "write": "wrote", "be": "was",
}  # fmt: skip
_PARTICIPLES = word_set(
    "become begun brought built bought caught chosen come cut done drunk driven eaten fallen felt fought"
    " found flown got given gone grown had heard held kept known led left lost made meant met paid put read"
    " ridden risen run said seen sold sent set shown sung slept spoken spent stood taken taught told thought"
    " worn won written been born drawn hidden broken forgotten frozen stolen shot struck bred fed laid"
)
_NOT_PARTICIPLES = word_set(
    "united red bed need speed seed feed indeed hundred embed breed weed reed shed sacred kindred"
)


def third_person(stem: str) -> str:
    """`cost` -> `costs`, `apply` -> `applies`, `have` -> `has`."""
    if stem in {"have", "be"}:
        return {"have": "has", "be": "is"}[stem]
    if stem.endswith("y") and stem[-2:-1] not in "aeiou":
        return stem[:-1] + "ies"
    return stem + ("es" if stem.endswith(("s", "sh", "ch", "x", "o")) else "s")


def past_form(stem: str) -> str:
    """`open` -> `opened`, `win` -> `won`."""
    if stem in _PAST:
        return _PAST[stem]
    if stem.endswith("e"):
        return stem + "d"
    if stem.endswith("y") and stem[-2:-1] not in "aeiou":
        return stem[:-1] + "ied"
    return (stem + stem[-1] if stem in _DOUBLING else stem) + "ed"


_DOUBLING = word_set("stop plan ship refer occur prefer drop cancel chat trip admit commit submit permit ban plug step")


_VERBS = frozenset(
    {*_AUXILIARIES.split(), *_IRREGULAR.split(), *_PAST.values()}
    | {form for stem in _REGULAR.split() for form in (third_person(stem), past_form(stem))}
)
_BASE_FORMS = frozenset(_REGULAR.split()) | frozenset(_PAST)
_WORD = re.compile(r"[^\W\d_]+")
_CONTRACTED = re.compile(
    r"\b(?:it|he|she|that|there|what|who|here)\s?['’]s\b|\w['’](?:re|m|ve|ll|d)\b|n['’]t\b", re.IGNORECASE
)
_PLURAL_SUBJECT = word_set("they we you i people users customers plans both all some most many these those")


def has_verb(text: str) -> bool:
    """Whether `text` has a finite verb we know. A base form counts after a subject such as "they"."""
    words = [word.lower() for word in _WORD.findall(text)]
    if any(word in _VERBS for word in words) or _CONTRACTED.search(text):
        return True
    return any(two in _BASE_FORMS and one in _PLURAL_SUBJECT for one, two in pairwise(words))


def is_finite(word: str) -> bool:
    """Whether lower-case `word` is a finite verb we know, or a base form that stands after a plural."""
    return word in _VERBS or word in _BASE_FORMS - {"name", "state", "host", "plan", "report", "study", "rank", "score"}


def is_inflected(word: str) -> bool:
    """Whether lower-case `word` is a finite verb we know that is no base form: `costs`, `was`, `opened`."""
    return word in _VERBS and (word not in _BASE_FORMS or word in _PAST.values())


def is_participle(word: str) -> bool:
    """Whether lower-case `word` is a participle: `finished`, `born`, `showing`."""
    if word in _PARTICIPLES:
        return True
    return len(word) > 4 and word.endswith(("ed", "ing")) and word not in _NOT_PARTICIPLES


def is_base_form(word: str) -> bool:
    """Whether `word` is the infinitive of a verb we know."""
    return word in _BASE_FORMS

"""Edits of what connects two things: a wrote B becomes A directed B, the father becomes the brother."""

from __future__ import annotations

import random
import re

from training.synthetic.edits import NOT_ENTAILMENT, Edit, like_case, pick, put

_FAMILIES = (
    ("directed", "produced", "wrote", "edited", "narrated", "composed", "reviewed", "financed"),
    ("directed by", "produced by", "written by", "edited by", "inspired by", "distributed by", "composed by"),
    ("director", "screenwriter", "composer", "actor", "editor", "cinematographer"),
    ("singer", "guitarist", "drummer", "songwriter", "bassist", "pianist"),
    ("founded", "acquired", "joined", "dissolved", "sued", "advised"),
    ("founded by", "acquired by", "owned by", "named after", "led by", "sponsored by"),
    ("founder", "chairman", "member", "president", "employee", "owner", "critic", "adviser"),
    ("won", "hosted", "attended", "declined"),
    ("born in", "raised in", "buried in", "educated in", "imprisoned in"),
    ("capital of", "largest city of", "suburb of", "port of", "oldest city of"),
    ("father", "brother", "uncle", "grandfather", "cousin", "father-in-law"),
    ("mother", "sister", "aunt", "grandmother", "niece"),
    ("son", "nephew", "grandson", "stepson"),
    ("daughter", "granddaughter", "stepdaughter"),
    ("invented", "discovered", "patented", "improved"),
    ("invented by", "discovered by", "patented by", "described by", "named by"),
    ("teaches", "studies", "criticizes", "founded"),
    ("studied at", "taught at", "worked at", "was expelled from"),
    ("novel", "poem", "short story", "memoir"),
    ("album", "single", "concert", "music video", "soundtrack"),
    ("manufactures", "imports", "repairs", "sells", "designs"),
    ("because of", "despite", "instead of"),
    ("caused by", "treated by", "confused with", "prevented by", "measured by"),
    ("causes", "prevents", "treats", "indicates", "follows from"),
    ("proposed", "approved", "repealed", "criticized", "drafted", "vetoed", "signed"),
    ("announced", "cancelled", "completed", "postponed", "denied"),
    ("wants to", "refused to", "agreed to", "forgot to"),
    ("lived in", "died in", "worked in", "moved from"),
    ("the north of", "the south of", "the centre of", "the outskirts of"),
    ("guitar", "piano", "violin", "drums"),
    ("sequel to", "prequel to", "remake of", "parody of"),
    ("population", "area", "budget", "turnover", "elevation"),
    ("weight", "length", "height", "width", "price", "speed"),
    ("cat", "dog", "horse", "bird", "rabbit"),
    ("red", "blue", "green", "yellow", "black", "white", "brown"),
    ("gold", "silver", "bronze", "copper", "iron"),
    ("doctors", "nurses", "teachers", "engineers", "soldiers", "farmers"),
    ("students", "teachers", "parents", "employees", "customers", "tourists"),
    ("January", "July"),
    ("spring", "summer", "autumn", "winter"),
    ("village", "county", "river", "lake", "island", "mountain"),
    ("football", "basketball", "baseball", "tennis", "cricket", "ice hockey", "rugby"),
    ("American", "British", "Canadian", "Australian", "French", "German", "Italian", "Spanish", "Indian", "Japanese"),
)  # fmt: skip
_PARTNERS: dict[str, tuple[str, ...]] = {}
for _family in _FAMILIES:
    for _word in _family:
        known = _PARTNERS.get(_word, ())
        _PARTNERS[_word] = (*known, *(other for other in _family if other != _word and other not in known))
_WORD = re.compile(r"\b(?:" + "|".join(sorted(map(re.escape, _PARTNERS), key=len, reverse=True)) + r")\b")


def swap_relation(text: str, rng: random.Random) -> str | None:
    """One word for another of its family that fits the same place; None where the text says the other one too."""
    match = pick(_WORD, text, rng)
    if match is None:
        return None
    other = rng.choice(_PARTNERS[match[0]])
    if re.search(rf"\b{re.escape(other)}\b", text):
        return None
    return _articles(put(text, match, like_case(other, match[0])))


_VOWEL_NEXT = re.compile(r"\b([Aa])(?= (?:[aiAI]|[eE](?!u)|[oO](?!n[ce])|u(?!ni|s|ti))[a-z]+)")
_CONSONANT_NEXT = re.compile(r"\b([Aa])n(?= (?!hour|heir|hono|honest)[b-df-hj-np-tv-zB-DF-HJ-NP-TV-Z][a-z])")


def _articles(text: str) -> str:
    """An edit may leave `a actor` behind, which would give it away."""
    return _CONSONANT_NEXT.sub(r"\1", _VOWEL_NEXT.sub(r"\1n", text))


EDITS = (Edit("relation", NOT_ENTAILMENT, swap_relation),)

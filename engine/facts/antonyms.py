"""A claim that says the opposite of a sentence by an opposite word: "is shallow" where the sentence says "is deep"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .vocabulary import listed
from .words import STOPWORDS, stem

__all__ = ["antonym_mismatch"]

_PAIRS = listed(
    """deep/shallow hot/cold warm/cool wet/dry open/closed open/shut opened/closed opens/closes rose/fell rises/falls
    rising/falling increased/decreased increases/decreases increase/decrease grew/shrank grows/shrinks expanded/shrank
    gained/lost gains/losses gain/loss won/lost wins/loses accepted/rejected accepts/rejects approved/rejected
    allowed/forbidden allowed/prohibited allowed/banned permitted/forbidden permitted/prohibited legal/illegal
    included/excluded includes/excludes enabled/disabled active/inactive available/unavailable possible/impossible
    likely/unlikely safe/dangerous safe/unsafe harmful/harmless guilty/innocent true/false right/wrong correct/incorrect
    early/late earlier/later first/last before/after north/south northern/southern east/west eastern/western left/right
    upper/lower high/low higher/lower highest/lowest tall/short taller/shorter long/short longer/shorter large/small
    larger/smaller largest/smallest big/small bigger/smaller biggest/smallest heavy/light heavier/lighter fast/slow
    faster/slower fastest/slowest strong/weak stronger/weaker hard/soft thick/thin wide/narrow wider/narrower
    cheap/expensive cheaper/dearer rich/poor old/young older/younger oldest/youngest old/new older/newer ancient/modern
    full/empty public/private male/female married/unmarried alive/dead born/died succeeded/failed success/failure
    victory/defeat profit/loss positive/negative maximum/minimum best/worst better/worse good/bad easy/difficult
    simple/complex mandatory/optional required/optional compulsory/voluntary permanent/temporary major/minor
    majority/minority inside/outside indoors/outdoors import/export imports/exports imported/exported bought/sold
    buyer/seller employer/employee winter/summer spring/autumn day/night morning/evening arrival/departure arrived/left
    entered/left joined/left started/ended starts/ends began/ended begins/ends beginning/end started/stopped
    supported/opposed supports/opposes agreed/refused agreed/disagreed confirmed/denied improved/worsened
    strengthened/weakened raised/lowered raises/lowers hired/fired visible/invisible known/unknown common/rare
    frequent/rare always/never everyone/nobody everything/nothing odd/even clockwise/counterclockwise urban/rural
    single/married vertical/horizontal liquid/solid cooked/raw loose/tight smooth/rough bright/dark"""
)
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_NEGATION = re.compile(
    r"\b(?:not|no|never|neither|nor|none|nobody|nothing|without|hardly|barely|unless|instead|rather|than|though|although"
    r"|but|while|whereas|or|from|if|unlike|except)\b|n['’]t\b",
    re.IGNORECASE,
)
_FEWEST_SHARED = 1


def _opposites() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for pair in _PAIRS:
        one, other = (stem(word) for word in pair.split("/"))
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return {word: frozenset(opposites) for word, opposites in found.items()}


_OPPOSITES = _opposites()
_WEIGHTY = frozenset(_OPPOSITES)


def antonym_mismatch(claim: str, sentence: str) -> tuple[str, str] | None:
    """The word of `claim` and its opposite in `sentence`, or None.

    Conservative: every other content word of the claim stands in the sentence, the claim's own word does not, and
    neither text has a negation, a comparison or a contrast that could turn the opposite round.
    """
    if _NEGATION.search(claim) or _NEGATION.search(sentence):
        return None
    claimed, said = list(_content(claim)), frozenset(_content(sentence))
    for word in claimed:
        opposites = _OPPOSITES.get(word, frozenset()) & said
        if not opposites or word in said:
            continue
        rest = [other for other in claimed if other != word]
        if len(rest) >= _FEWEST_SHARED and all(other in said for other in rest):
            return word, min(opposites)
    return None


def _content(text: str) -> Iterator[str]:
    for match in _WORD.finditer(text):
        word = stem(match.group())
        if word in _WEIGHTY or word not in STOPWORDS:
            yield word

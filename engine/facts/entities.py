"""A claim that repeats a sentence with another name in it: "born in Oslo", "born in Bergen"."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from .vocabulary import listed
from .words import STOPWORDS, stem

__all__ = ["EntityMismatch", "entity_mismatch"]


@dataclass(frozen=True, slots=True)
class EntityMismatch:
    """The name in the claim, and the name that the sentence has in its place."""

    claimed: str
    stated: str


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    stem: str

    @property
    def capital(self) -> bool:
        return self.text[0].isupper()


_WORD = re.compile(r"(?:[A-Z]\.){2,}|[^\W_]+(?:['’.&-][^\W_]+)*")
_ARTICLES = frozenset({"the", "a", "an"})
_INSIDE_NAMES = frozenset({"of", "the", "de", "van", "von", "da", "di", "la", "le", "del", "and", "&", "for"})
_LONGEST_NAME = 5
_FEWEST_SHARED = 3
"""Content words that must be the same around the name, before two texts are one sentence with another name."""
_LONGEST_SPELLING = 100
"""Characters; nothing is said of longer ones, which are no names and would be slow to compare."""
_SPELLING = 0.7
"""Ratio of equal letters from which two names are spellings of one ("Gaddafi", "Qaddafi")."""
# What begins a sentence and is capitalised only for that: gerunds, adverbs, quantifiers.
_COMMON_ENDINGS = ("ing", "ed", "ly", "one", "thing", "body", "men", "people", "ren", "le")
_OPENERS = frozenset(
    listed("many several numerous few every much little last next no never such one staff person man woman child boy")
)
_SINGULAR_VERBS = frozenset({"is", "was", "has", "does"})
_ALIASES = (
    {"uk", "united kingdom", "britain", "great britain", "british", "england"},
    {"us", "usa", "united states", "united states of america", "america", "american", "states"},
    {"eu", "european union", "europe", "european"}, {"un", "united nations"}, {"nyc", "new york", "new york city"},
    {"ussr", "soviet union", "russia", "soviet", "russian"}, {"holland", "netherlands", "dutch"},
    {"czechia", "czech republic", "czech"}, {"burma", "myanmar"}, {"la", "los angeles"}, {"uae", "emirates"},
    {"prc", "china", "chinese"}, {"germany", "german"}, {"france", "french"}, {"wales", "welsh"}, {"spain", "spanish"},
    {"greece", "greek"}, {"switzerland", "swiss"}, {"ireland", "irish"}, {"denmark", "danish"}, {"turkey", "turkish"},
)  # fmt: skip


def _tokens(text: str) -> list[_Token]:
    found = [_Token(match.group(), stem(match.group())) for match in _WORD.finditer(text)]
    return [token for token in found if token.stem not in _ARTICLES]


def _shared_ends(first: Sequence[_Token], second: Sequence[_Token]) -> tuple[int, int]:
    """How many tokens agree at the beginning, and how many of the others at the end."""
    shorter = min(len(first), len(second))
    head = next((i for i in range(shorter) if first[i].stem != second[i].stem), shorter)
    rest = shorter - head
    tail = next((i for i in range(rest) if first[-1 - i].stem != second[-1 - i].stem), rest)
    return head, tail


def _is_name(tokens: Sequence[_Token]) -> bool:
    """Whether the tokens are capitalised words without digits, as names are."""
    if not 1 <= len(tokens) <= _LONGEST_NAME or not (tokens[0].capital and tokens[-1].capital):
        return False
    if any(character.isdigit() for token in tokens for character in token.text):
        return False
    if not all(token.capital or token.text in _INSIDE_NAMES for token in tokens):
        return False
    return tokens[0].text.lower() not in STOPWORDS - {"us"}


def _opens_with_name(tokens: Sequence[_Token], following: str) -> bool:
    """Whether tokens that begin a sentence, where any word is capitalised, are still a name."""
    first = tokens[0].text
    if len(tokens) > 1 or first.isupper():
        return True
    if first.lower().endswith(_COMMON_ENDINGS) or first.lower() in _OPENERS:
        return False
    return not first.lower().endswith("s") or following in _SINGULAR_VERBS  # "Paris is", not "Doctors advise"


def _plain(tokens: Sequence[_Token]) -> str:
    joined = " ".join(token.text for token in tokens).lower().replace(".", "").removesuffix("'s").removesuffix("’s")
    return "".join(c for c in unicodedata.normalize("NFKD", joined) if not unicodedata.combining(c))


def _initials(name: str) -> str:
    return "".join(word[0] for word in name.split() if word not in _INSIDE_NAMES)


def _same_name(first: str, second: str) -> bool:
    """Whether two names may be one: a part of it, its initials, an inflection, a spelling or a known alias."""
    if max(len(first), len(second)) > _LONGEST_SPELLING:
        return True
    words = set(first.split()), set(second.split())
    if words[0] <= words[1] or words[1] <= words[0] or _initials(first) == second or _initials(second) == first:
        return True
    if any({first, second} <= group for group in _ALIASES):
        return True
    if first[:4] == second[:4] or SequenceMatcher(None, first, second, autojunk=False).ratio() >= _SPELLING:
        return True
    return {word[:4] for word in words[0]} & {word[:4] for word in words[1]} != set()


def entity_mismatch(claim: str, sentence: str) -> EntityMismatch | None:
    """The differing names, when `claim` is `sentence` with one name replaced by another; otherwise None.

    Conservative: every other word must be the same and in place. `sentence` is one sentence of the evidence.
    """
    claimed, stated = _tokens(claim), _tokens(sentence)
    head, tail = _shared_ends(claimed, stated)
    shared = [*claimed[:head], *claimed[len(claimed) - tail :]]
    if sum(token.stem not in STOPWORDS for token in shared) < _FEWEST_SHARED:
        return None
    name, other = claimed[head : len(claimed) - tail], stated[head : len(stated) - tail]
    if not (_is_name(name) and _is_name(other)):
        return None
    following = claimed[len(claimed) - tail].text if tail else ""
    if head == 0 and not (_opens_with_name(name, following) and _opens_with_name(other, following)):
        return None
    if following[:1].isupper():  # another first name before the same surname may be a nickname
        return None
    if _same_name(_plain(name), _plain(other)):
        return None
    return EntityMismatch(" ".join(t.text for t in name), " ".join(t.text for t in other))

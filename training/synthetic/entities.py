"""Edits of names: another name, two names that trade places, and a shorter form of the same name."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from training.synthetic.dates import MONTHS

_NAME = re.compile(r"(?<![\w.'’-])[A-Z][\w'’.-]*[\w](?: (?:(?:of|the|de|von|van|and the) )?[A-Z][\w'’-]*\w)*(?![\w’-])")
_NOT_NAMES = frozenset(
    (
        "A", "According", "After", "All", "Also", "Although", "Among", "An", "And", "Another", "As",
        "At", "Based", "Because", "Before", "Between", "Born", "Both", "But", "By", "Despite", "Dr",
        "During", "Each", "Early", "Even", "First", "Following", "For", "From", "He", "Her", "His",
        "How", "However", "I", "If", "In", "Including", "It", "Its", "Later", "Like", "Many", "Most",
        "Mr", "Mrs", "Ms", "My", "No", "Not", "Of", "On", "Once", "One", "Only", "Or", "Other", "Our",
        "Over", "Second", "Several", "She", "Since", "Some", "Such", "That", "The", "Their", "Then",
        "There", "Therefore", "These", "They", "This", "Those", "Three", "Through", "Thus", "To",
        "Today", "Two", "Under", "Unlike", "Until", "Upon", "We", "What", "When", "Where", "Which",
        "While", "Who", "Why", "With", "Without", "Yes", "You", "Your",
        *MONTHS,
    )
)  # fmt: skip
_PLACE_BEFORE = re.compile(r"\b(?:[Ii]n|at|near|to|from) (?:the )?$")
_AGENT_BEFORE = re.compile(r"\b(?:by|with|starring|and|actor|actress|singer|president|director) $")
_LINKED = re.compile(r"^[\s,]*(?:and|or|,|&|\()[\s,]*$")
_PERSON = re.compile(r"^(?P<full>[A-Z][a-z]+ (?:[A-Z][a-z.]+ )?(?P<last>[A-Z][a-z]{2,})) (?:\(|was |is |has |had )")
_IS_A = re.compile(r"\b(?:is|was) an? (?!\d|(?:\w+ ){0,4}(?:film|series|album|novel|band|song|show|ship|book)\b)")
_NOT_LAST = frozenset(
    (
        "Album", "Band", "City", "Company", "County", "Island", "League", "Party", "River", "School",
        "Series", "University", "War",
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Name:
    """A capitalised span; `kind` is a rough class: names of one kind can stand for one another."""

    text: str
    start: int
    end: int
    kind: str


def names(text: str) -> list[Name]:
    found = []
    for match in _NAME.finditer(text):
        start = match.start()
        words = match[0].split()
        while words and words[0] in _NOT_NAMES:
            start += len(words[0]) + 1
            words = words[1:]
        if words and not words[0].isupper() and words[-1] not in _NOT_NAMES:
            found.append(Name(" ".join(words), start, match.end(), _kind(text[:start], words)))
    return found


def _kind(before: str, words: Sequence[str]) -> str:
    if _PLACE_BEFORE.search(before):
        return f"place{min(len(words), 2)}"
    if len(words) == 2 and (not before or _AGENT_BEFORE.search(before)) and "of" not in words:
        return "agent"
    return f"name{min(len(words), 3)}"


def collect(sentences: Iterable[str]) -> dict[str, list[str]]:
    """The names of many sentences by kind, without repeats."""
    pools: dict[str, dict[str, None]] = {}
    for sentence in sentences:
        for name in names(sentence):
            pools.setdefault(name.kind, {})[name.text] = None
    return {kind: list(found) for kind, found in pools.items()}


class NameSwap:
    """Replaces a name by another of its kind: from `nearby` text when it has one, else from the pool."""

    def __init__(self, pools: Mapping[str, Sequence[str]]) -> None:
        self._pools = pools

    def __call__(self, text: str, rng: random.Random, nearby: str = "") -> str | None:
        found = names(text)
        if not found:
            return None
        name = rng.choice(found)
        close = [other.text for other in names(nearby) if other.kind == name.kind]
        candidates = close if close and rng.random() < 0.6 else list(self._pools.get(name.kind, ()))
        if not candidates:
            return None
        other = rng.choice(candidates)
        if other.lower() in text.lower() or shares_word(other, name.text):
            return None
        return text[: name.start] + other + text[name.end :]


def shares_word(left: str, right: str) -> bool:
    return bool(set(left.lower().split()) & set(right.lower().split()))


def exchange_names(text: str, rng: random.Random) -> str | None:
    """Two names trade places, where something other than a list joins them: who did what to whom."""
    found = names(text)
    pairs = [
        (left, right)
        for left, right in pairwise(found)
        if left.kind[:4] == right.kind[:4]
        and not _LINKED.match(text[left.end : right.start])
        and not shares_word(left.text, right.text)
    ]
    pairs = [
        (left, right)
        for left, right in pairs
        if re.search(r"\b(?!and\b|or\b|of\b)[a-z]{2,}", text[left.end : right.start])
        and not re.search(r"\b(?:married|met|between|both|and|wife|husband|with)\b", text[left.start : right.start])
    ]
    if not pairs:
        return None
    left, right = rng.choice(pairs)
    middle = text[left.end : right.start]
    return text[: left.start] + right.text + middle + left.text + text[right.end :]


def last_name_only(text: str, rng: random.Random) -> str | None:
    """Edgar Wright is ... -> Wright is ..."""
    full = person_of(text)
    return None if full is None else full.rsplit(" ", 1)[1] + text[len(full) :]


def person_of(text: str) -> str | None:
    """The full name of the person a sentence is about, where it plainly is about one."""
    return full_name(text) if re.search(r"\(born|\bborn\b|\b(?:he|she|his|her)\b", text) else None


def introduced(text: str) -> str | None:
    """The full name of a person whom a sentence introduces: Ada Brook (born 1951) is a painter."""
    name = full_name(text)
    return name if name is not None and not name.startswith("The ") and _IS_A.search(text) else None


def full_name(text: str) -> str | None:
    """What looks like the full name of a person at a sentence's start."""
    match = _PERSON.match(text)
    return None if match is None or match["last"] in _NOT_LAST else match["full"]

"""What an edit is: a rewriting of one sentence whose effect on its truth is known."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

CONTRADICTION, ENTAILMENT, NEUTRAL, NOT_ENTAILMENT = "contradiction", "entailment", "neutral", "not_entailment"

Rewrite = Callable[[str, random.Random], str | None]
"""Takes a sentence; returns the edited one, or None where the edit does not apply."""


@dataclass(frozen=True, slots=True)
class Edit:
    """`label` tells how the edited sentence stands to the original.

    `reverse` tells how the original stands to the edited one; None where that is not known.
    """

    name: str
    label: str
    apply: Rewrite
    reverse: str | None = None


def pick(pattern: re.Pattern[str], text: str, rng: random.Random) -> re.Match[str] | None:
    """A random match of the pattern."""
    found = list(pattern.finditer(text))
    return rng.choice(found) if found else None


def put(text: str, match: re.Match[str], replacement: str, group: int | str = 0) -> str:
    """The text with one group of a match replaced."""
    return text[: match.start(group)] + replacement + text[match.end(group) :]


def like_case(replacement: str, original: str) -> str:
    """Gives the replacement the original's leading capital."""
    return replacement[:1].upper() + replacement[1:] if original[:1].isupper() else replacement


def swap_words(pairs: Sequence[tuple[str, str]], *, both_ways: bool) -> Rewrite:
    """An edit that replaces one listed word or phrase by its partner."""
    table = {left.lower(): right for left, right in pairs}
    if both_ways:
        table.update({right.lower(): left for left, right in pairs})
    words = sorted(table, key=len, reverse=True)
    pattern = re.compile(r"\b(?:" + "|".join(map(re.escape, words)) + r")\b", re.IGNORECASE)

    def apply(text: str, rng: random.Random) -> str | None:
        match = pick(pattern, text, rng)
        if match is None:
            return None
        return put(text, match, like_case(table[match[0].lower()], match[0]))

    return apply

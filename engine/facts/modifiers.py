"""The words beside a number that make it a bound or an approximation: "at least", "about", "or more"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .quantity import Role
from .vocabulary import listed

__all__ = ["Modifier", "modifier_of", "when_role"]


@dataclass(frozen=True, slots=True)
class Modifier:
    """What the neighbouring words say of a number."""

    role: Role = Role.VALUE
    approximate: bool = False


_BEFORE = (
    (
        Role.AT_LEAST,
        r"at least|no (?:less|fewer) than|(?:a )?minimum (?:of|is)|at minimum|upwards of|≥|>=",
    ),
    (Role.AT_MOST, r"at most|up to|no (?:more|greater|later) than|(?:a )?maximum (?:of|is)|as (?:many|much) as|≤|<="),
    (
        Role.MORE_THAN,
        r"(?:more|greater|higher|larger|longer|older|better|further) than|over|above|exceed(?:s|ed|ing)?|in excess of"
        r"|beyond|north of|>",
    ),
    (Role.LESS_THAN, r"(?:less|fewer|lower|smaller|shorter|younger) than|under|below|short of|<"),
)
_AFTER = (
    (
        Role.AT_LEAST,
        r"\+|-plus\b|\s?plus\b(?!\s[0-9])|\sor (?:more|above|over|older|higher|greater|longer)\b"
        r"|\s(?:at least|minimum)\b",
    ),
    (Role.AT_MOST, r"\sor (?:less|fewer|under|below|younger|lower)\b|\s(?:at most|maximum)\b"),
)
# Before a date or a time these are bounds; before another quantity they are not ("after 5 years").
_WHEN = (
    (Role.MORE_THAN, re.compile(r"\b(?:after|later than|past)\s(?:the\s)?$", re.IGNORECASE)),
    (Role.LESS_THAN, re.compile(r"\b(?:before|earlier than|prior to|ahead of)\s(?:the\s)?$", re.IGNORECASE)),
)
_ABOUT = (
    r"about|around|approximately|approx\.?|roughly|nearly|almost|some|circa|c\.|ca\.|~|≈|(?:an )?estimated"
    r"|estimated at|close to|just (?:over|under|above|below|short of)|(?:a )?little (?:over|under|more than|less than)"
    r"|or so|virtually|slightly (?:over|under|more than|less than|above|below)|well over|an average of"
    r"|averag(?:e|es|ing)"
)
_GAP = r"(?:\s?(?:the|a|an|of))?\s{0,2}$"
_EDGE = r"(?:^|(?<=[\s(\[,;:>~≈≥≤<]))"
_BOUNDS_BEFORE = tuple((role, re.compile(rf"{_EDGE}(?:{words}){_GAP}", re.IGNORECASE)) for role, words in _BEFORE)
_BOUNDS_AFTER = tuple((role, re.compile(words, re.IGNORECASE)) for role, words in _AFTER)
_ABOUT_BEFORE = re.compile(rf"{_EDGE}(?:{_ABOUT}){_GAP}", re.IGNORECASE)
_ABOUT_AFTER = re.compile(r"\s(?:or so|approximately|roughly|ish)\b|-ish\b|-odd\b|-some\b", re.IGNORECASE)
_NOT_BEFORE = re.compile(r"(?:\bnot|n['’]t|\bnever)\s(?:be\s)?$", re.IGNORECASE)
_NEGATED = {
    Role.MORE_THAN: Role.AT_MOST,
    Role.LESS_THAN: Role.AT_LEAST,
    Role.AT_LEAST: Role.LESS_THAN,
    Role.AT_MOST: Role.MORE_THAN,
}
_REACH = 28
"""Characters looked at on the left: the longest modifier and its article."""


def when_role(text: str, start: int) -> Role:
    """The bound that "before" or "after" makes of the date or time at `start`."""
    before = text[max(0, start - _REACH) : start]
    return next((role for role, pattern in _WHEN if pattern.search(before)), Role.VALUE)


# The last words and signs of the modifiers above: looking at these first keeps a text of bare numbers cheap.
_LAST_WORDS = frozenset(
    listed(
        """least than of is minimum to most maximum many much over above exceed exceeds exceeded exceeding beyond under
        below about around approximately approx roughly nearly almost some circa c ca estimated at virtually average
        averages averaging averag so the a an"""
    )
)
_LAST_WORD = re.compile(r"([A-Za-z]+)\.?\s{0,2}$")
_SIGNS = re.compile(r"[~≈≥≤<>=]\s{0,2}$")


def _may_be_modified(before: str) -> bool:
    word = _LAST_WORD.search(before[-16:])
    return word[1].lower() in _LAST_WORDS if word else _SIGNS.search(before[-4:]) is not None


def _before(before: str) -> Modifier | None:
    if not _may_be_modified(before):
        return None
    if _ABOUT_BEFORE.search(before):
        return Modifier(approximate=True)
    for role, pattern in _BOUNDS_BEFORE:
        if match := pattern.search(before):
            return Modifier(role=_NEGATED[role] if _NOT_BEFORE.search(before, 0, match.start()) else role)
    return None


def modifier_of(text: str, start: int, end: int) -> Modifier:
    """The modifier of the quantity at [start, end) of `text`."""
    modifier = _before(text[max(0, start - _REACH) : start])
    if modifier is not None:
        return modifier
    if _ABOUT_AFTER.match(text, end):
        return Modifier(approximate=True)
    return next((Modifier(role=role) for role, pattern in _BOUNDS_AFTER if pattern.match(text, end)), Modifier())

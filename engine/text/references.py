"""Lists of references at the end of an answer: they cite, they state nothing about the world."""

from __future__ import annotations

import re

from .citations import FILE
from .verbs import has_verb

__all__ = ["is_reference", "opens_references"]

_TITLE = re.compile(
    r"\W*(?:sources?(?: cited| used)?|references?|citations?|bibliography|works cited|further reading|foot"
    r" ?notes|links)\W*",
    re.IGNORECASE,
)
_SOURCE_NOTE = re.compile(
    r"\W*(?:sources?|references?|citations?|see|link|read more|more (?:here|info))\s?:[*_]*\s", re.IGNORECASE
)
_MARKED = re.compile(r"\s*(?:\[\^?\w{1,12}\]|【|https?://|www\.|\(?\d{1,3}[.)])")
_BIBLIOGRAPHIC = re.compile(
    r"https?:|www\.|\.(?:com|org)\b|\bdoi\b|\bet al\b|\bvol\. |\bpp?\. \d",
    re.IGNORECASE,
)
_AUTHOR_AND_YEAR = re.compile(r"[^()]{1,80}\(\d{4}[a-z]?\)")
_TITLED = re.compile(r"[“\"«][^”\"»]{1,200}[”\"»]")
_FILE = re.compile(FILE, re.IGNORECASE)
_MOST_WORDS = 12


def opens_references(text: str) -> bool:
    """Whether a heading or lead-in such as "Sources:" begins a list of references."""
    return bool(_TITLE.fullmatch(text))


def is_reference(text: str, *, in_list: bool, listed: bool) -> bool:
    """Whether a unit is a reference.

    in_list  it stands below a title such as "Sources:"
    listed   it is a list item
    """
    if in_list and (listed or _MARKED.match(text)) and _cites(text):
        return True
    match = _SOURCE_NOTE.match(text)
    return match is not None and len(text.split()) <= _MOST_WORDS and not _states(text[match.end() :])


def _cites(text: str) -> bool:
    """Whether a line of a list of references is one; "Aspirin cures cancer, says WHO (2020)." states something."""
    author = _AUTHOR_AND_YEAR.match(text)
    return bool(_BIBLIOGRAPHIC.search(text) or (author and not _states(author.group())) or not _states(text))


def _states(text: str) -> bool:
    """Whether `text` has a verb outside of file names and of titles in quotes: "how-it-works.pdf" states nothing."""
    return has_verb(_TITLED.sub("", _FILE.sub("", text)))

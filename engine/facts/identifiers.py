"""Numbers that name a thing instead of measuring one: versions, sections, phone numbers, codes, citations."""

from __future__ import annotations

import re
from decimal import Decimal

from .currencies import CURRENCY_AFTER, CURRENCY_BEFORE
from .quantity import Kind, Quantity
from .units import UNIT_PATTERN
from .vocabulary import listed

__all__ = ["find_identifiers", "is_label"]

_PATTERNS = tuple(
    re.compile(source)
    for source in (
        r"https?://\S{1,2000}|www\.\S{1,2000}",
        r"[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,64}",
        r"\[\s?\^?[0-9]{1,3}(?:\s?[,;–-]\s?\^?[0-9]{1,3}){0,20}\s?\]|【[0-9]{1,3}[^】\n]{0,40}】",
        r"(?<![\w])\+[0-9]{1,3}[\s.-]?(?:\([0-9]{1,4}\)[\s.-]?)?[0-9]{2,4}(?:[\s.-]?[0-9]{2,4}){1,4}(?!\w)",
        r"\([0-9]{2,4}\)\s?[0-9]{3,4}[\s-][0-9]{4}(?![\w-])",
        r"(?<![\w-])(?:[0-9]{1,2}[\s-])?[0-9]{3}[-.][0-9]{3}[-.][0-9]{4}(?![\w-])",
        r"(?<![\w-])[0-9]{3}-[0-9]{4}(?![\w-])",
        r"(?i:isbn|issn|doi)(?:-1[03])?:?\s?[0-9][0-9Xx./-]{3,40}",
        r"(?<![\w.,])(?![0-9]{1,3}(?:\.[0-9]{3}){2,5}(?![0-9.]))[vV]?[0-9]{1,5}(?:\.[0-9]{1,5}){2,5}(?![\w])",
        r"(?<!\w)9/11(?!\w)|(?<!\w)24/7(?!\w)",
        r"#\s?[0-9]{1,9}(?!\w)|§+\s?[0-9]+(?:\.[0-9]+){0,5}",
    )
)

_RUN = re.compile(r"[^\W_]+(?:[-‐‑/][^\W_]+)*")
_HAS_DIGIT = re.compile(r"[0-9]")
# A word before a hyphen that leaves the number after it a number: mid-1990s, under-21s, non-10.
_PREFIXES = frozenset(listed("mid pre post early late since under over non sub anti top per ex circa to twenty all"))
_CODE_FIRST = re.compile(r"(?:[A-Za-z]{1,20}[-‐‑/]){0,3}([A-Za-z]+)[-‐‑/]?[0-9]")
_CODE_LAST = re.compile(r"([0-9]+)([A-Za-z]\w*)")
_MEASURED = re.compile(r"(?:st|nd|rd|th|s|k|K|M|B|bn|mn|tn|m|b|x|am|pm|p|c|AM|PM|AD|BC|BCE|CE)\b")
_LABELS = frozenset(
    listed(
        """figure fig fig. table section sec. chapter ch. article part no. nos. number version v v. page pages p. pp.
        line step level phase disease type grade class unit flight route highway interstate room gate apollo windows
        iphone boeing airbus act clause rule item note appendix annex volume vol. issue episode season series game
        match week day lesson channel track bus train platform terminal building block plot lot zone district ward
        stage group option question exercise example equation eq. eq theorem lemma paragraph para para. schedule form
        model mk sector serial id code port psalm verse sura surah opus op. symphony formula league division tier
        band"""
    )
)
# Capitalised words that begin a sentence or a date and do not name the number after them.
_NOT_NAMES = frozenset(
    listed(
        """the a an in on at by for of to from since until and or but with about over under after before around
        nearly almost some only just more less than all these those his her its their our my your he she it they we
        you i there between during approximately roughly as is was are were had has have when while if that this
        which who both each every exactly up another what where how not no then also january february march april may
        june july august september october november december monday tuesday wednesday thursday friday saturday sunday
        jan feb mar apr jun jul aug sep sept oct nov dec plus minus usd eur gbp circa ca c last next first within
        through into out against won lost scored killed least most spring summer autumn fall winter eve day because
        although though whereas unlike despite besides however therefore thus hence moreover meanwhile perhaps maybe
        often today yesterday tomorrow still yet even upon per"""
    )
)
_NOT_NAME_ENDINGS = (".", "ing", "ed", "ly", "'s", "’s", "s'")
_BEFORE = re.compile(r"(?<![\w.])([A-Za-z][\w'’&]{0,30}\.?)[\s\u00a0]$")
_COUNTED_NEXT = re.compile(
    r"[\s-](?!(?:was|is|has|as|its|his|this|does|goes|series|always|plus|versus|vs|across)\b)[a-z][\w-]*s\b"
)


def is_label(text: str, start: int, end: int) -> bool:
    """Whether the number at [start, end) is named by the word before it: "Section 4.2", "Boeing 747"."""
    match = _BEFORE.search(text[max(0, start - 34) : start])
    if match is None:
        return False
    word = match.group(1)
    lowered = word.lower()
    if lowered in _LABELS:
        return True
    if not word[0].isupper() or lowered.rstrip(".") in _NOT_NAMES or word.endswith(_NOT_NAME_ENDINGS):
        return False
    if "," in text[start:end]:
        return False
    return _COUNTED_NEXT.match(text, end) is None


def _is_code(run: str) -> bool:
    """Whether a run of letters and digits without a space is a name: COVID-19, A380, H1N1, 5G, 747-400."""
    first = _CODE_FIRST.match(run)
    if first is not None:
        return first.group(1).lower() not in _PREFIXES and CURRENCY_BEFORE.search(first.group(1)) is None
    last = _CODE_LAST.match(run)
    if last is None or run[0].isalpha():
        return False
    measured = UNIT_PATTERN.match(run, last.end(1)) or CURRENCY_AFTER.match(run, last.end(1))
    return measured is None and _MEASURED.match(last.group(2)) is None


def _identifier(text: str, start: int, end: int) -> Quantity:
    return Quantity(kind=Kind.IDENTIFIER, text=text[start:end], start=start, end=end, low=Decimal(0), high=Decimal(0))


def find_identifiers(text: str, taken: bytearray) -> list[Quantity]:
    """The identifiers of `text` that show by their own form. Marks in `taken` (a byte a character) what it used."""
    spans = [match.span() for pattern in _PATTERNS for match in pattern.finditer(text)]
    for match in _RUN.finditer(text):
        run = match.group()
        if _HAS_DIGIT.search(run) and _is_code(run):
            spans.append(match.span())
    found = []
    for start, end in spans:
        if not any(taken[start:end]):
            taken[start:end] = b"\x01" * (end - start)
            found.append(_identifier(text, start, end))
    return found

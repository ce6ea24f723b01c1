"""Numbers written in digits: separators, decimals, fractions, scale words; their values and offsets."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

__all__ = ["SCALES", "Numeral", "digit_numerals"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Numeral:
    """A number without its unit: value, place value of its last digit, offsets in code points.

    `plain` holds for up to four bare digits, the only form of a year. `scaled` holds when a scale word
    ("million") belongs to it. `fraction` holds for 3/4, ½ and "two thirds". `article` holds for a bare "one".
    """

    value: Decimal
    step: Decimal
    start: int
    end: int
    plain: bool = False
    scaled: bool = False
    fraction: bool = False
    article: bool = False
    spelled: bool = False


SCALES: dict[str, Decimal] = {
    "hundred": Decimal(100), "thousand": Decimal(1000), "million": Decimal(10**6), "billion": Decimal(10**9),
    "trillion": Decimal(10**12), "quadrillion": Decimal(10**15), "lakh": Decimal(10**5), "lakhs": Decimal(10**5),
    "lac": Decimal(10**5), "crore": Decimal(10**7), "crores": Decimal(10**7), "dozen": Decimal(12),
    "mn": Decimal(10**6), "mln": Decimal(10**6), "mil": Decimal(10**6), "mio": Decimal(10**6),
    "bn": Decimal(10**9), "bln": Decimal(10**9), "tn": Decimal(10**12), "trn": Decimal(10**12),
    "k": Decimal(1000), "M": Decimal(10**6), "B": Decimal(10**9),
}  # fmt: skip

_CHUNK = re.compile(
    r"(?<![^\W_])(?:"
    r"[0-9]{1,3}(?:[ \u00a0\u2009\u202f][0-9]{3}){1,6}(?![0-9.,]?[0-9])(?:[.,][0-9]{1,2}(?![0-9]))?"
    r"|[0-9]{1,3}(?:,[ ]000){1,4}(?![0-9.,]?[0-9])"
    r"|[0-9]+(?:[.,'’_][0-9]+)*"
    r"|(?<![0-9])\.[0-9]+"
    r")(?:\s?[¼½¾⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞])?|[¼½¾⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞]"
)
_SCALE = re.compile(
    r"(?:[\s-]?(?i:hundred|thousand|million|billion|trillion|quadrillion|lakhs?|lac|crores?|dozen|mln|mio|bln|trn|bn"
    r"|mn|tn|mil)|k|[MB])(?![\w])"
)
_FRACTION = re.compile(r"\s?/\s?([0-9]{1,3})(?![0-9/.,-]?[0-9])")
_MIXED = re.compile(r"[\s-]([0-9]{1,2})/([0-9]{1,2})(?![0-9/.,-]?[0-9])")
_THOUSANDS = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3}(?:\.[0-9]+)?")
_SPACED = re.compile(r"[0-9]{1,3}(?:[ \u00a0\u2009\u202f'’_][0-9]{3})+(?:[.,][0-9]+)?")
_CONTINENTAL = re.compile(r"[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]+|[0-9]{1,3}(?:\.[0-9]{3}){2,}")
_DECIMAL = re.compile(r"[0-9]*\.[0-9]+")
_DECIMAL_COMMA = re.compile(r"[0-9]+,[0-9]{1,2}|0,[0-9]+")
_NOT_DIGITS = re.compile(r"[^0-9.]")
_LONGEST = 24
"""More digits than any quantity has: longer ones are identifiers."""


def _plain_form(chunk: str) -> str | None:
    """`chunk` with a decimal point and no other separator, or None when it is not one number."""
    if len(chunk) > 2 * _LONGEST:
        return None
    if chunk.isdigit() or _DECIMAL.fullmatch(chunk):
        return chunk
    if _THOUSANDS.fullmatch(chunk.replace(", ", ",")):
        return chunk.replace(",", "").replace(" ", "")
    if _CONTINENTAL.fullmatch(chunk):
        return chunk.replace(".", "").replace(",", ".")
    if _DECIMAL_COMMA.fullmatch(chunk):
        return chunk.replace(",", ".")
    if _SPACED.fullmatch(chunk):
        return _NOT_DIGITS.sub("", chunk.replace(",", "."))
    return None


def _value(form: str) -> tuple[Decimal, Decimal]:
    """Value and place value of a plain form such as "4998" or "0.25"."""
    decimals = len(form.partition(".")[2])
    return Decimal(form), Decimal(1).scaleb(-decimals)


def _scaled(numeral: Numeral, text: str) -> Numeral:
    """`numeral` with the scale word that follows it, if one does."""
    match = _SCALE.match(text, numeral.end)
    if match is None:
        return numeral
    word = match.group().strip(" \t\n\u00a0-")
    scale = SCALES.get(word) or SCALES[word.lower()]
    # "5 dozen" and "2 hundred" are as exact as their digits; a million is a rounded figure.
    step = numeral.step * scale if scale > 100 else Decimal(1)
    return Numeral(
        value=numeral.value * scale, step=step, start=numeral.start, end=match.end(), scaled=True, spelled=False
    )


def _mixed(numeral: Numeral, text: str) -> Numeral | None:
    """`numeral` read as the whole part of 3 1/2, when a fraction follows."""
    match = _MIXED.match(text, numeral.end)
    if match is None or not numeral.plain or not 0 < int(match[1]) < int(match[2]):
        return None
    value = numeral.value + Decimal(match[1]) / Decimal(match[2])
    return Numeral(value=value, step=Decimal("0.1"), start=numeral.start, end=match.end())


def _with_fraction(numeral: Numeral, text: str) -> Numeral:
    """`numeral` read as the upper half of 3/4, when a slash and a larger number follow."""
    mixed = _mixed(numeral, text)
    if mixed is not None:
        return mixed
    match = _FRACTION.match(text, numeral.end)
    if match is None or not numeral.plain:
        return numeral
    lower = Decimal(match.group(1))
    if lower < 2 or numeral.value >= lower:
        return numeral
    value = numeral.value / lower
    return Numeral(value=value, step=Decimal("0.01"), start=numeral.start, end=match.end(), fraction=True)


def _vulgar(chunk: str, start: int) -> Numeral:
    """A chunk that ends in a character such as ½, with or without a whole number before it."""
    part = Decimal(repr(unicodedata.numeric(chunk[-1])))
    whole = chunk[:-1].strip()
    if not whole.isdigit():
        return Numeral(value=part, step=Decimal("0.01"), start=start, end=start + len(chunk), fraction=True)
    value = Decimal(whole[:_LONGEST]) + part
    return Numeral(value=value, step=Decimal("0.1"), start=start, end=start + len(chunk))


def _pieces(chunk: str, start: int) -> Iterator[Numeral]:
    """The numbers of a list written without spaces ("1,2,5"), each by itself."""
    for match in re.finditer(r"[0-9]+", chunk):
        if len(match.group()) <= _LONGEST:
            value = Decimal(match.group())
            yield Numeral(value=value, step=Decimal(1), start=start + match.start(), end=start + match.end())


def _readings(match: re.Match[str], text: str) -> Iterator[Numeral]:
    """The number, or list of numbers, that one chunk of digits and separators stands for."""
    chunk, start = match.group(), match.start()
    if not chunk[-1].isascii():
        yield _vulgar(chunk, start)
        return
    form = _plain_form(chunk)
    if form is None or len(form) > _LONGEST:
        yield from _pieces(chunk, start) if "," in chunk else ()
        return
    value, step = _value(form)
    plain = chunk.isdigit() and len(chunk) <= 4
    numeral = Numeral(value=value, step=step, start=start, end=match.end(), plain=plain)
    yield _scaled(_with_fraction(numeral, text), text)


def digit_numerals(text: str) -> Iterator[Numeral]:
    """Every number of `text` that is written in digits, left to right."""
    end = 0
    for match in _CHUNK.finditer(text):
        if match.start() < end:  # the lower half of a fraction
            continue
        for numeral in _readings(match, text):
            end = numeral.end
            yield numeral

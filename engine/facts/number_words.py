"""Numbers written in words: "twelve", "a hundred and five", "two and a half million", "two thirds"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import chain

from .numerals import SCALES, Numeral
from .vocabulary import listed

__all__ = ["word_numerals"]

_SMALL = {
    word: Decimal(value)
    for value, word in enumerate(
        listed(
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
            "seventeen eighteen nineteen"
        )
    )
}
_TENS = {
    word: Decimal(10 * value)
    for value, word in enumerate(listed("twenty thirty forty fifty sixty seventy eighty ninety"), start=2)
} | {"fourty": Decimal(40)}
_BIG = {word: SCALES[word] for word in ("thousand", "million", "billion", "trillion", "lakh", "crore")}
_PARTS = {
    "half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourth": 4, "fourths": 4,
    "fifth": 5, "fifths": 5, "sixth": 6, "sixths": 6, "eighth": 8, "eighths": 8, "tenth": 10, "tenths": 10,
}  # fmt: skip
_VOCABULARY = "|".join(sorted({*_SMALL, *_TENS, *_BIG, "hundred", "dozen", "half", "quarter"}, key=len, reverse=True))

# At most 16 words at a time keep hostile text linear; no number people write is longer.
_PHRASE = re.compile(
    rf"(?<![\w])(?:{_VOCABULARY})(?![\w])(?:(?:\s|-|‑){{1,3}}(?:(?:and|a)\s){{0,2}}(?:{_VOCABULARY})(?![\w])){{0,15}}",
    re.IGNORECASE,
)
_FRACTION = re.compile(
    r"(?<!\w)(?<!\bfirst\s)(?<!\blast\s)(?<!\bsecond\s)(?<!\bother\s)(?<!\bthat\s)"
    rf"(?:(a|an|{'|'.join(_SMALL)})[\s-]({'|'.join(sorted(_PARTS, key=len, reverse=True))})(?=\s(?:of|the|as)\b)"
    rf"|({'|'.join(list(_SMALL)[1:10])})[\s-](thirds|quarters|fourths|fifths|sixths|eighths|tenths)(?!\w)"
    r"|(?<=\bby\s)(a|one)\s(third|quarter|fourth|fifth|tenth)(?!\w)|(?<=\bby\s)(half)(?!\w)"
    r"|(half)(?=\s(?:of|the|their|its|his|her|our|all)\b))",
    re.IGNORECASE,
)
_FRACTION_OF_SCALE = re.compile(
    rf"(?<!\w)(a|one|two|three)\s(half|quarters?|thirds?)\sof\san?\s({'|'.join(_BIG)})(?!\w)", re.IGNORECASE
)
_HALF_UNIT = re.compile(
    r"(?<![\w])(?:(?<!\band\sa\s)half)(?:\san?(?=\s)|(?=-))"
    r"(?=[\s-](?:hours?|miles?|days?|years?|century|decade|kilomet(?:er|re)s?|met(?:er|re)s?|inch|foot|acres?|pints?)\b)",
    re.IGNORECASE,
)
_WORD = re.compile(r"[a-z]+", re.IGNORECASE)
_VAGUE = re.compile(r"(?:several|few|many|some)\s$", re.IGNORECASE)
_ARTICLE = re.compile(r"(?<![\w])an?\s$", re.IGNORECASE)


class _Reader:
    """Adds up the words of one number and says when a word cannot belong to it any more."""

    def __init__(self) -> None:
        self.total = Decimal(0)
        self.group: Decimal | None = None
        self.last_scale = Decimal(10) ** 18
        self.step = Decimal(1)
        self.half = False

    def take(self, word: str) -> bool:
        """Add `word`; False, and no change, when the number ended before it."""
        if self.half and word not in {*_BIG, "hundred", "dozen"}:
            return False
        if word in _SMALL or word in _TENS:
            return self._add(_SMALL.get(word) or _TENS.get(word) or Decimal(0), tens=word in _TENS)
        if word in ("hundred", "dozen"):
            return self._multiply(SCALES[word])
        if word in ("half", "quarter"):
            return self._fraction(Decimal("0.5") if word == "half" else Decimal("0.25"))
        return self._scale(_BIG[word])

    def _add(self, value: Decimal, *, tens: bool) -> bool:
        if self.group is None:
            self.group, self.step = value, Decimal(1)
            return value > 0 or self.total == 0
        room = self.group % 100 == 0 if (tens or value >= 10) else self.group % 10 == 0
        if not room or value == 0 or self.group == 0 or (self.group % 100 == 10):
            return False
        self.group, self.step = self.group + value, Decimal(1)
        return True

    def _multiply(self, scale: Decimal) -> bool:
        if self.group is not None and not 0 < self.group < 100:
            return False
        self.group = (self.group or Decimal(1)) * scale
        return True

    def _scale(self, scale: Decimal) -> bool:
        if scale >= self.last_scale or (self.group is None and self.total > 0):
            return False
        self.total += (self.group if self.group is not None else Decimal(1)) * scale
        self.step = scale / 10 if self.half else scale
        self.group, self.last_scale, self.half = None, scale, False
        return True

    def _fraction(self, part: Decimal) -> bool:
        if self.group is None and self.total > 0:
            return False
        self.group = (self.group or Decimal(0)) + part
        self.half, self.step = True, Decimal("0.1")
        return True

    @property
    def value(self) -> Decimal:
        return self.total + (self.group or Decimal(0))


def _joined_well(joint: str, word: str, reader: _Reader) -> bool:
    """Whether the words between two number words ("and", "and a", a space) join them into one number."""
    joint = joint.lower().strip(" \t\n-‑")
    if word in ("half", "quarter"):
        return joint == "and a"
    if joint == "a":
        return reader.value == Decimal("0.5") and (word in _BIG or word in ("hundred", "dozen"))
    if joint == "and":
        return reader.group is None or reader.group % 100 == 0
    return joint == ""


def _numbers(phrase: str, offset: int) -> Iterator[Numeral]:
    """Split a run of number words into the numbers it holds ("two three hundred" is two of them)."""
    reader, start, end, words = _Reader(), -1, -1, 0
    for match in _WORD.finditer(phrase):
        word = match.group().lower()
        if word in ("and", "a"):
            continue
        if start >= 0:
            if _joined_well(phrase[end : match.start()], word, reader) and reader.take(word):
                end, words = match.end(), words + 1
                continue
            yield _numeral(reader, offset + start, offset + end, phrase[start:end])
        reader, start, end, words = _Reader(), match.start(), match.end(), 1
        reader.take(word)
    if start >= 0:
        yield _numeral(reader, offset + start, offset + end, phrase[start:end])


def _numeral(reader: _Reader, start: int, end: int, text: str) -> Numeral:
    lowered = text.lower()
    scaled = any(word in lowered for word in _BIG)
    return Numeral(
        value=reader.value, step=reader.step, start=start, end=end, scaled=scaled, spelled=True,
        article=lowered == "one", fraction=lowered in ("half", "quarter"),
    )  # fmt: skip


def _fractions(text: str) -> Iterator[Numeral]:
    for match in _FRACTION.finditer(text):
        words = [group.lower() for group in match.groups() if group]
        upper = Decimal(1) if len(words) == 1 else _SMALL.get(words[0], Decimal(1))
        value = upper / _PARTS[words[-1]]
        if value <= 1:
            yield Numeral(
                value=value, step=Decimal("0.01"), start=match.start(), end=match.end(), fraction=True, spelled=True
            )


def _parts_of_scales(text: str) -> Iterator[Numeral]:
    """ "Three quarters of a million" is one number."""
    for match in _FRACTION_OF_SCALE.finditer(text):
        upper, part, scale = (group.lower() for group in match.groups())
        unit = _BIG[scale] / _PARTS[part]
        value = _SMALL.get(upper, Decimal(1)) * unit
        yield Numeral(value=value, step=unit, start=match.start(), end=match.end(), scaled=True, spelled=True)


def _halves(text: str) -> Iterator[Numeral]:
    """The "half" of "half an hour" and "half-mile": a number because a unit follows."""
    for match in _HALF_UNIT.finditer(text):
        half, step = Decimal("0.5"), Decimal("0.1")
        yield Numeral(value=half, step=step, start=match.start(), end=match.end(), spelled=True)


def _stands_alone(numeral: Numeral, text: str) -> bool:
    """Whether the words are a number here: not "several hundred", nor a lone "half" or "quarter"."""
    before = text[max(0, numeral.start - 8) : numeral.start]
    if _VAGUE.search(before):
        return False
    if numeral.fraction:
        return False
    lone_scale = text[numeral.start : numeral.end].lower() in {*_BIG, "hundred", "dozen"}
    return not lone_scale or _ARTICLE.search(before) is not None


def word_numerals(text: str) -> list[Numeral]:
    """Every number of `text` that is written in words, left to right; fractions such as "two thirds" included."""
    found: list[Numeral] = []
    taken = bytearray(len(text))
    phrases = (numeral for match in _PHRASE.finditer(text) for numeral in _numbers(match.group(), match.start()))
    alone = (numeral for numeral in phrases if _stands_alone(numeral, text))
    for numeral in chain(_parts_of_scales(text), _fractions(text), _halves(text), alone):
        if not any(taken[numeral.start : numeral.end]):
            taken[numeral.start : numeral.end] = b"\x01" * (numeral.end - numeral.start)
            found.append(numeral)
    return sorted(found, key=lambda numeral: numeral.start)

"""Planted errors: sentences of prose with one number, date or name changed, and twins that still say the same.

The answer is the edited sentence; its source is the sentence among its neighbours.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

import quantity_swaps

from longtracer.case_files import LabelledCase

DATES = ("year", "any year", "month", "day")
NUMBERS = ("integer", "thousands", "percent", "decimal", "money", "word")
KINDS = ("number swap", "date swap", "name swap", "twin")

_NAME = re.compile(r"(?<=[a-z,] )(?!(?:January|February|March|April|May|June|July|August|September|October|November"
                   r"|December|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)\b)"
                   r"[A-Z][a-z]{2,}(?: [A-Z][a-z]{2,})*(?![\w'’-])")  # fmt: skip
_PLACE = re.compile(r"\b(?:in|at|near|from|to) $")


def planted_cases(texts: Sequence[str], kind: str, count: int, seed: int) -> list[LabelledCase]:
    """`count` cases of one of `KINDS`, each from another sentence; fewer when the prose runs out."""
    rng = random.Random(f"{seed}/{kind}")
    order = rng.sample(range(len(texts)), len(texts))
    cases: dict[str, LabelledCase] = {}
    for original, edited in _edits(texts, order, kind, count, rng):
        if original not in cases:
            cases[original] = _case(texts, original, edited, hallucinated=kind != "twin")
    chosen = sorted(cases.values(), key=lambda case: case.response)
    return rng.sample(chosen, min(count, len(chosen)))


def _edits(
    texts: Sequence[str], order: Sequence[int], kind: str, count: int, rng: random.Random
) -> Iterator[tuple[str, str]]:
    usable = [texts[index] for index in order if 50 <= len(texts[index]) <= 300]
    if kind == "name swap":
        yield from swapped_names(usable[: 4 * count], rng)
        return
    swaps = quantity_swaps.SWAPS
    table = {
        "number swap": {name: swaps[name] for name in NUMBERS},
        "date swap": {name: swaps[name] for name in DATES},
        "twin": quantity_swaps.TWINS,
    }[kind]
    for _, original, edited in quantity_swaps.planted(usable, table, rng, count // len(table) + 5):
        yield original, edited
    if kind == "twin":
        dropped = [(original, edited) for _, original, edited in quantity_swaps.clauses(usable)]
        yield from dropped[: count // 3]


def swapped_names(texts: Sequence[str], rng: random.Random) -> Iterator[tuple[str, str]]:
    """Sentences with one name inside replaced by one of another sentence, of as many words and the same use."""
    found = [(text, match) for text in texts if (match := _NAME.search(text))]
    for text, match in found:
        others = [other[0] for _, other in found if _alike(match, other)]
        if others:
            yield text, text[: match.start()] + rng.choice(others) + text[match.end() :]


def _alike(match: re.Match[str], other: re.Match[str]) -> bool:
    return (
        len(match[0].split()) == len(other[0].split())
        and bool(_PLACE.search(match.string[: match.start()])) == bool(_PLACE.search(other.string[: other.start()]))
        and not set(match[0].split()) & set(other[0].split())
        and other[0] not in match.string
    )


def _case(texts: Sequence[str], original: str, edited: str, *, hallucinated: bool) -> LabelledCase:
    at = texts.index(original)
    around = " ".join(texts[max(0, at - 1) : at + 2])
    return LabelledCase(response=edited, sources=(around,), hallucinated=hallucinated)

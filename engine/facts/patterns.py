"""Patterns that each read one form of a quantity, and the scan that runs them in order."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from .quantity import Quantity

__all__ = ["Form", "form", "scan"]


@dataclass(frozen=True, slots=True)
class Form:
    """A written form, and what a match of it is; a reader may find nothing after all."""

    pattern: re.Pattern[str]
    read: Callable[[re.Match[str]], Iterator[Quantity]]


def form(source: str, read: Callable[[re.Match[str]], Iterator[Quantity]], flags: int = re.IGNORECASE) -> Form:
    """A form from the source of its pattern. Every repetition in it must be bounded, to keep the scan linear."""
    return Form(re.compile(source, flags), read)


def scan(forms: Iterable[Form], text: str, taken: bytearray) -> list[Quantity]:
    """What the forms find in `text`: the first to take a stretch keeps it, marked in `taken` (a byte a character)."""
    found: list[Quantity] = []
    for each in forms:
        for match in each.pattern.finditer(text):
            if any(taken[match.start() : match.end()]):
                continue
            for quantity in each.read(match):
                found.append(quantity)
                taken[quantity.start : quantity.end] = b"\x01" * (quantity.end - quantity.start)
    return found

"""Durations in the short form of a timetable: "2h 30m", "2h30m", "5m 20s"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from .patterns import form
from .quantity import Kind, Quantity

__all__ = ["SHORT_DURATION_FORMS"]


def _duration(match: re.Match[str]) -> Iterator[Quantity]:
    """Both numbers as one duration, in the smaller unit: the "m" after hours is no metre."""
    value = Decimal(int(match["large"]) * 60 + int(match["small"]))
    unit = "minute" if match["hours"] else "second"
    yield Quantity(
        kind=Kind.DURATION, text=match[0], start=match.start(), end=match.end(), low=value, high=value,
        unit=unit, dimension="time",
    )  # fmt: skip


SHORT_DURATION_FORMS = (
    form(
        r"(?<![\w.,:/-])(?P<large>[0-9]{1,3})\s?(?P<hours>h|hrs?)\s?(?P<small>[0-5]?[0-9])\s?m(?:ins?)?(?![\w/²³])",
        _duration,
    ),
    form(r"(?<![\w.,:/-])(?P<large>[0-9]{1,3})\s?m(?P<hours>)\s?(?P<small>[0-5]?[0-9])\s?s(?![\w/])", _duration),
)
"""Hours with minutes, minutes with seconds."""

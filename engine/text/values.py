"""One-word units that state a value: "$99.", "25%", "42" behind "The answer is:"; a page number states none."""

from __future__ import annotations

import re

__all__ = ["is_bare_number", "is_value"]

_VALUE = re.compile(r"[^\w#]*(?:[A-Z]{2,3})?[^\w#]{0,3}\d")
_BARE_NUMBER = re.compile(r"[^\w$€£¥%°]*\d[\d.,]*[^\w$€£¥%°]*")


def is_value(text: str) -> bool:
    """Whether the one word `text` is a quantity whose unit, sign or form says that it is one."""
    return bool(_VALUE.match(text)) and not is_bare_number(text)


def is_bare_number(text: str) -> bool:
    """Whether `text` is a number without anything that tells a quantity from a page number or a list marker."""
    return bool(_BARE_NUMBER.fullmatch(text))

"""Keeps results plain: only JSON values with finite numbers and valid Unicode may enter one."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Annotated, Any

from pydantic import BeforeValidator, JsonValue

__all__ = ["JsonObject", "PlainFloat", "PlainInt", "PlainText", "plain_json"]

_SURROGATE = re.compile("[\ud800-\udfff]")


def plain_json(value: Any) -> Any:
    """Return `value` as plain JSON types: numpy scalars and arrays unwrapped, tuples as lists.

    A lone surrogate, which no UTF-8 can hold, becomes U+FFFD: one character for one, so that offsets stay right.

    Raises:
        ValueError: for NaN, infinities, and anything JSON has no word for.
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, Enum):
        return plain_json(value.value)
    # Subclasses such as numpy.float64 and numpy.str_ are rebuilt, so that no foreign type survives.
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value if type(value) is str else "".join(value))
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return _finite(float(value))
    if isinstance(value, Mapping):
        return {_key(key): plain_json(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return [plain_json(item) for item in value]
    if callable(tolist := getattr(value, "tolist", None)):
        return plain_json(tolist())
    raise ValueError(f"{type(value).__name__} is not a JSON value")


def _finite(number: float) -> float:
    if not math.isfinite(number):
        raise ValueError(f"{number} is not a JSON number")
    return number


def _key(key: object) -> str:
    if not isinstance(key, str):
        raise ValueError(f"the key {key!r} of a JSON object is not text")
    return str(plain_json(key))


PlainText = Annotated[str, BeforeValidator(plain_json)]
PlainFloat = Annotated[float, BeforeValidator(plain_json)]
PlainInt = Annotated[int, BeforeValidator(plain_json)]
JsonObject = Annotated[dict[str, JsonValue], BeforeValidator(plain_json)]

"""What a person names as a source on the command line: a file, or the text itself."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from .contracts import InvalidInputError

__all__ = ["STANDARD_INPUT", "NamedText", "read_argument"]


@dataclass(frozen=True, slots=True)
class NamedText:
    """A text and where it came from; `name` is None for text given as such."""

    text: str
    name: str | None = None


STANDARD_INPUT = "-"


def read_argument(value: str) -> NamedText:
    """The text of a file, when `value` names one, of standard input when it is "-"; else `value` itself.

    Raises:
        InvalidInputError: when it looks like a path but there is no such file, when it names a folder, or when what is
            read is no UTF-8 text.
    """
    if value == STANDARD_INPUT:
        return NamedText(_decoded(sys.stdin.buffer.read(), "standard input"))
    # os.path, unlike pathlib, says "no" to a text that is too long, or otherwise unfit, to be a name.
    if os.path.isdir(value):
        raise InvalidInputError(f"{value} is a folder, and not a text")
    if os.path.exists(value):
        return NamedText(_decoded(_bytes(value), value), value)
    if _looks_like_a_path(value):
        raise InvalidInputError(f"there is no file {value}")
    return NamedText(value)


def _bytes(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise InvalidInputError(f"{path} cannot be read: {error}") from error


def _decoded(data: bytes, name: str) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInputError(f"{name} is no UTF-8 text") from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _looks_like_a_path(value: str) -> bool:
    """A mistyped file name read as a source text would be a silent error; "25" or "$25/month" is no file name."""
    if not value.strip() or any(character.isspace() for character in value):
        return False
    suffix = Path(value).suffix[1:]
    if suffix.isalnum() and not suffix.isdigit() and Path(value).stem:
        return True
    first, separator, _ = value.partition(os.sep)
    return bool(separator) and (first in ("", ".", "..", "~") or os.path.isdir(first))

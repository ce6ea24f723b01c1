"""What a person names as a source on the command line: a file, or the text itself."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from .contracts import InvalidInputError

__all__ = ["NamedText", "read_argument"]


@dataclass(frozen=True, slots=True)
class NamedText:
    """A text and where it came from; `name` is None for text given as such."""

    text: str
    name: str | None = None


def read_argument(value: str) -> NamedText:
    """The text of a file, when `value` names one; else `value` itself.

    Raises:
        InvalidInputError: when it looks like a path but there is no such file, or the file is no UTF-8 text.
    """
    path = Path(value) if len(value) < 4096 and "\n" not in value and "\0" not in value else None
    try:
        if path is not None and path.is_file():
            return NamedText(path.read_text(encoding="utf-8"), str(path))
    except UnicodeDecodeError as error:
        raise InvalidInputError(f"{value} is no UTF-8 text") from error
    except OSError as error:
        if path is not None and path.is_file():
            raise InvalidInputError(f"{value} cannot be read: {error}") from error
    if path is not None and _looks_like_a_path(value):
        raise InvalidInputError(f"there is no file {value}")
    return NamedText(value)


def _looks_like_a_path(value: str) -> bool:
    """A mistyped file name judged as a source text would be a silent error."""
    if not value.strip() or any(character.isspace() for character in value):
        return False
    return os.sep in value or bool(Path(value).suffix[1:].isalnum() and Path(value).stem)

"""Finds text that a guard has withheld wherever else an output repeats it."""

from __future__ import annotations

import copy
import dataclasses
import re
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from typing import Any

from pydantic import BaseModel

from longtracer import CaseResult

from .outcome import GuardOutcome

__all__ = ["Withheld", "blanked", "with_fields"]

_ESCAPES = re.compile(r"\\[nrt\"]")
_WORDS = re.compile(r"\w+")
# Fewer words than these are a label or a name, which occurs where nobody repeats an answer.
_FEWEST_WORDS = 3
_FEWEST_OF_A_PART = 4

Handled = Callable[[Any], Any]
"""What to do with a value of the framework's own: its replacement, or `NotImplemented`."""


class Withheld:
    """The text that `outcome` did not let out: the answer, its unsupported claims, and parts of a blocked answer.

    Words are compared, not characters, so that quotes, Markdown and JSON around a text do not hide it. Documents stay
    as they are, and so does the question.
    """

    def __init__(self, outcome: GuardOutcome) -> None:
        draft = outcome.draft
        self._replacement = outcome.text
        self._answer = _normal(draft.answer)
        claims = [_normal(claim.claim_text) for claim in outcome.case.unsupported_claims]
        self._hides = outcome.changed and outcome.action != "annotate"
        self._needles = [needle for needle in (self._answer, *claims) if needle]
        # Where only claims are cut out, the rest of the answer may be repeated.
        self._whole = outcome.action != "redact" or not claims
        self._documents = [_normal(document.text) for document in draft.documents or ()]
        self._question = _normal(draft.question or "")

    def holds(self, text: str) -> bool:
        """Whether `text` repeats what was withheld."""
        if not self._hides or not (said := _normal(text)) or said == self._question:
            return False
        if any(_contains(said, needle) for needle in self._needles):
            return True
        return self._whole and _contains(self._answer, said, _FEWEST_OF_A_PART)

    def is_document(self, text: str) -> bool:
        """Whether what `text` repeats of the withheld text stands in a document as well."""
        said = _normal(text)
        repeated = [needle for needle in self._needles if _contains(said, needle)] or [said]
        return all(any(_contains(document, needle) for document in self._documents) for needle in repeated)

    def text(self, text: str, *, context: bool = False) -> str:
        """`text`, or what takes its place: what was let out for the whole answer, nothing for anything else.

        context: `text` stands where documents stand, and stays if it is one.
        """
        if context and self.is_document(text):
            return text
        if _normal(text) == self._answer and self._answer and self._answer != self._question:
            return self._replacement
        return "" if self.holds(text) else text

    def scrub(self, value: Any, handled: Handled = lambda _: NotImplemented, *, context: bool = False) -> Any:
        """A copy of `value` without the withheld text, whatever it is made of; `value` itself where nothing changes."""
        if isinstance(value, str):
            if isinstance(value, Enum):
                return value
            changed = self.text(value, context=context)
            return value if changed == value else changed
        if (other := handled(value)) is not NotImplemented:
            return other
        if isinstance(value, CaseResult):
            return value
        if isinstance(value, Mapping):
            return self._mapping(value, handled, context)
        if isinstance(value, list | tuple | set | frozenset):
            entries = [self.scrub(entry, handled, context=context) for entry in value]
            return _alike(value, entries) if _differ(value, entries) else value
        if fields := _fields(value):
            new = {name: self.scrub(entry, handled, context=context) for name, entry in fields.items()}
            update = {name: entry for name, entry in new.items() if entry is not fields[name]}
            return with_fields(value, update) if update else value
        return value

    def _mapping(self, value: Mapping[Any, Any], handled: Handled, context: bool) -> Any:
        entries = {
            key: self.scrub(entry, handled, context=context)
            for key, entry in value.items()
            if not (isinstance(key, str) and self.holds(key) and not (context and self.is_document(key)))
        }
        if len(entries) == len(value) and all(entries[key] is value[key] for key in entries):
            return value
        return entries


def blanked(value: Any, handled: Handled = lambda _: NotImplemented) -> Any:
    """`value` with every text in it removed; for the other fields of a structured answer that is withheld."""
    if isinstance(value, str):
        return value if isinstance(value, Enum) else ""
    if (other := handled(value)) is not NotImplemented:
        return other
    if isinstance(value, Mapping):
        return {key: blanked(entry, handled) for key, entry in value.items()}
    if isinstance(value, tuple):
        return _alike(value, [blanked(entry, handled) for entry in value])
    if isinstance(value, list | set | frozenset):
        kept = [entry for entry in value if isinstance(entry, Enum) or not isinstance(entry, str)]
        return _alike(value, [blanked(entry, handled) for entry in kept])
    if fields := _fields(value):
        return with_fields(value, {name: blanked(entry, handled) for name, entry in fields.items()})
    return value


def with_fields(value: Any, update: Mapping[str, Any]) -> Any:
    """A copy of a pydantic model or a dataclass (also a frozen one) with other values in some fields."""
    if isinstance(value, BaseModel):
        return value.model_copy(update=dict(update))
    clone = copy.copy(value)
    for name, entry in update.items():
        object.__setattr__(clone, name, entry)
    return clone


def _fields(value: Any) -> dict[str, Any]:
    if isinstance(value, BaseModel):
        return {name: getattr(value, name) for name in type(value).model_fields} | (value.model_extra or {})
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name, None) for field in dataclasses.fields(value)}
    return {}


def _alike(value: Any, entries: Iterable[Any]) -> Any:
    """A collection like `value` with other entries."""
    if hasattr(value, "_make"):
        return value._make(entries)
    kind = next(kind for kind in (list, tuple, set, frozenset) if isinstance(value, kind))
    return kind(entries)


def _differ(value: Any, entries: Iterable[Any]) -> bool:
    return any(old is not new for old, new in zip(value, entries, strict=True))


def _normal(text: str) -> str:
    return " ".join(_WORDS.findall(_ESCAPES.sub(" ", text).casefold()))


def _contains(whole: str, part: str, fewest_words: int = _FEWEST_WORDS) -> bool:
    if part == whole:
        return bool(part)
    # Scripts without spaces have no words to count, and no spaces around them.
    if not part.isascii():
        return len(part) >= 2 * fewest_words and part in whole
    return part.count(" ") + 1 >= fewest_words and f" {part} " in f" {whole} "

"""How much of an input is read: no limit by default, and never a silent one."""

from __future__ import annotations

from dataclasses import dataclass, fields

from longtracer.contracts import InvalidInputError

__all__ = ["Limits"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Upper bounds on one case; None is no bound.

    max_claims         claims judged; the rest is listed as not evaluated and the gate cannot be PASS
    max_source_chars   characters read of all sources together, in order
    max_sentences      sentences read of all sources together, in order

    Raises:
        InvalidInputError: when a bound is not a whole number above zero.
    """

    max_claims: int | None = None
    max_source_chars: int | None = None
    max_sentences: int | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            whole = isinstance(value, int) and not isinstance(value, bool)
            if value is not None and not (whole and value > 0):
                raise InvalidInputError(f"{field.name} must be a whole number above zero, not {value!r}")

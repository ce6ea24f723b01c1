"""What a caller asks for, validated once for every entry point."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

from longtracer.contracts import InvalidInputError

from .history import HistoryTurn, read_history

__all__ = ["CaseItem", "EvaluationRequest", "checked_timeout", "read_item", "read_request"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseItem:
    """One case of `verify_cases`: the arguments of `verify_case` that differ from case to case."""

    response: str
    sources: Sequence[str | None]
    source_metadata: Sequence[Mapping[str, Any] | None] | None = None
    case_id: str | None = None
    question: str | None = None
    history: Sequence[Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationRequest:
    """A validated evaluation. `sources` keeps None entries, so that an index means what the caller meant."""

    response: str
    sources: tuple[str | None, ...]
    source_metadata: tuple[Mapping[str, Any] | None, ...] = ()
    case_id: str | None = None
    detect_conflicts: bool = False
    check_citations: bool = False
    question: str | None = None
    history: tuple[HistoryTurn, ...] = ()


def read_request(
    response: object,
    sources: object,
    source_metadata: object = None,
    *,
    case_id: object = None,
    detect_conflicts: object = False,
    check_citations: object = False,
    question: object = None,
    history: object = None,
) -> EvaluationRequest:
    """Check the types of all arguments.

    Raises:
        TypeError: naming the argument, and the index of the offending entry.
        InvalidInputError: when there is more metadata than there are sources.
    """
    if not isinstance(response, str):
        raise TypeError(f"response must be str, not {_kind(response)}")
    texts = _entries("sources", sources, str)
    metadata = () if source_metadata is None else _entries("source_metadata", source_metadata, Mapping)
    if len(metadata) > len(texts):
        raise InvalidInputError(
            f"source_metadata has {len(metadata)} entries for {len(texts)} sources; entry {len(texts)} has no source"
        )
    return EvaluationRequest(
        response=response,
        sources=texts,
        source_metadata=metadata,
        case_id=_optional_text("case_id", case_id),
        detect_conflicts=_flag("detect_conflicts", detect_conflicts),
        check_citations=_flag("check_citations", check_citations),
        question=_optional_text("question", question),
        history=read_history(history),
    )


def read_item(item: object) -> CaseItem:
    """Accept a `CaseItem`, a mapping of its fields, or a (response, sources[, source_metadata]) tuple.

    Raises:
        TypeError: for anything else. The fields themselves are checked when the case runs.
    """
    if isinstance(item, CaseItem):
        return item
    if isinstance(item, Mapping):
        unknown = set(item) - set(CaseItem.__dataclass_fields__)
        if unknown:
            raise TypeError(f"a case has no {', '.join(sorted(map(str, unknown)))}")
        if not {"response", "sources"} <= set(item):
            raise TypeError("a case needs response and sources")
        return CaseItem(**item)
    if isinstance(item, tuple) and 2 <= len(item) <= 3:
        return CaseItem(response=item[0], sources=item[1], source_metadata=item[2] if len(item) == 3 else None)
    raise TypeError(f"a case is a CaseItem, a mapping or a (response, sources) tuple, not {_kind(item)}")


def checked_timeout(timeout: object) -> float | None:
    """Return `timeout` in seconds as a float, or None.

    Raises:
        InvalidInputError: unless it is None or a finite number above zero (True is no number here).
    """
    if timeout is None:
        return None
    if isinstance(timeout, bool) or not isinstance(timeout, Real):
        raise InvalidInputError(f"timeout must be a number of seconds, not {_kind(timeout)}")
    try:
        seconds = float(timeout)
    except OverflowError:
        seconds = math.inf
    if not math.isfinite(seconds) or seconds <= 0:
        raise InvalidInputError(f"timeout must be a finite number of seconds above zero, not {seconds!r}")
    return seconds


def _entries(name: str, value: object, kind: type[Any]) -> tuple[Any, ...]:
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Sequence):
        raise TypeError(f"{name} must be a list, not {_kind(value)}")
    for index, entry in enumerate(value):
        if entry is not None and not isinstance(entry, kind):
            raise TypeError(f"{name}[{index}] must be {kind.__name__}, not {_kind(entry)}")
    return tuple(value)


def _optional_text(name: str, value: object) -> str | None:
    if value is not None and not isinstance(value, str):
        raise TypeError(f"{name} must be str or None, not {_kind(value)}")
    return value


def _flag(name: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{name} must be bool, not {_kind(value)}")
    return value


def _kind(value: object) -> str:
    return "None" if value is None else type(value).__name__

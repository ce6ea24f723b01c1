"""Turns of a conversation that may serve as evidence, by role."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["EVIDENCE_ROLES", "HistoryTurn", "read_history"]

EVIDENCE_ROLES = frozenset({"user", "tool"})
"""What the user said and what a tool returned is evidence; what the model itself said proves nothing."""

_ROLE_ALIASES = {"human": "user", "ai": "assistant", "function": "tool"}


@dataclass(frozen=True, slots=True)
class HistoryTurn:
    """One earlier turn: `role` is "user", "assistant", "tool", "system" or a name of the caller's own."""

    role: str
    content: str


def read_history(history: object) -> tuple[HistoryTurn, ...]:
    """Accept turns as `HistoryTurn`, (role, content) pairs or {"role", "content"} mappings.

    Raises:
        TypeError: naming the index of an entry that is none of these.
    """
    if history is None:
        return ()
    if isinstance(history, str | bytes | Mapping) or not isinstance(history, Sequence):
        raise TypeError(f"history must be a list of turns, not {type(history).__name__}")
    return tuple(_turn(index, entry) for index, entry in enumerate(history))


def _turn(index: int, entry: object) -> HistoryTurn:
    role: object = None
    content: object = None
    if isinstance(entry, HistoryTurn):
        role, content = entry.role, entry.content
    elif isinstance(entry, Mapping):
        role, content = entry.get("role"), entry.get("content")
    elif isinstance(entry, Sequence) and not isinstance(entry, str | bytes) and len(entry) == 2:
        role, content = entry
    if not isinstance(role, str) or not isinstance(content, str):
        raise TypeError(f"history[{index}] must hold a role and a content, both str")
    return HistoryTurn(_ROLE_ALIASES.get(role, role), content)

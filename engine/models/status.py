"""Whether a profile can be used on this machine, told without loading it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib.util import find_spec

__all__ = ["ProfileStatus", "missing_modules"]


@dataclass(frozen=True, slots=True)
class ProfileStatus:
    """One line of `longtracer models list`. An empty set of languages means any language."""

    name: str
    usable: bool
    detail: str
    languages: frozenset[str] = frozenset()


def missing_modules(modules: Iterable[str]) -> list[str]:
    """Those of `modules` that are not installed; none of them is imported."""
    return [module for module in modules if find_spec(module) is None]

"""Verifiers of the one-line checks, kept so that models load once for equal options."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from typing import Any

from .engine import CitationVerifier, DeferredModels

__all__ = ["KeptVerifiers", "kept_verifier"]


class KeptVerifiers:
    """A few verifiers by their options, least recently used first out; safe for many threads."""

    def __init__(self, capacity: int = 8) -> None:
        self._capacity = capacity
        self._verifiers: OrderedDict[tuple[Any, ...], CitationVerifier] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, **options: Any) -> CitationVerifier:
        """The verifier for exactly these options, with models that load at first use."""
        # The environment decides what no `models=` means, so it belongs to the key.
        key = (os.environ.get("LONGTRACER_MODELS"), *((name, _hashable(options[name])) for name in sorted(options)))
        models = options.pop("models", None)
        deferred = models if isinstance(models, DeferredModels) else DeferredModels(models)
        with self._lock:
            if key not in self._verifiers:
                self._verifiers[key] = CitationVerifier(models=deferred, **options)
            self._verifiers.move_to_end(key)
            while len(self._verifiers) > self._capacity:
                self._verifiers.popitem(last=False)
            return self._verifiers[key]


class _ByIdentity:
    """A key for an object that has no hash: the very object, kept alive so that its identity stays its own."""

    def __init__(self, value: object) -> None:
        self._value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByIdentity) and other._value is self._value

    def __hash__(self) -> int:
        return id(self._value)


def _hashable(value: Any) -> Any:
    try:
        hash(value)
    except TypeError:
        return _ByIdentity(value)
    # True == 1 == 1.0, and an option that takes one of them need not take the others.
    return type(value), value


_kept = KeptVerifiers()


def kept_verifier(**options: Any) -> CitationVerifier:
    """The process's verifier for these options.

    Raises:
        TypeError: for an option that `CitationVerifier` does not have.
        InvalidInputError: for an unusable value.
    """
    return _kept.get(**options)

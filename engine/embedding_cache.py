"""Remembers the embeddings of source sentences, since the same documents come back."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence

from .protocols import FloatArray

__all__ = ["EmbeddingCache"]


class EmbeddingCache:
    """A bounded map from sentence to unit vector, least recently used first out; safe for many threads.

    One cache belongs to one encoder. A vector depends on its sentence alone, so that a hit changes no result.
    """

    def __init__(self, capacity: int = 20_000) -> None:
        self._capacity = capacity
        self._vectors: OrderedDict[str, FloatArray] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, sentences: Sequence[str]) -> dict[str, FloatArray]:
        """The vectors, shape (d,), of those `sentences` that are known."""
        with self._lock:
            known = {text: self._vectors[text] for text in sentences if text in self._vectors}
            for text in known:
                self._vectors.move_to_end(text)
        return known

    def keep(self, vectors: Mapping[str, FloatArray]) -> None:
        """Remember `vectors`, each of shape (d,)."""
        with self._lock:
            # A row of a large matrix would keep the whole matrix alive.
            self._vectors.update({text: vector.copy() for text, vector in vectors.items()})
            while len(self._vectors) > self._capacity:
                self._vectors.popitem(last=False)

    def __len__(self) -> int:
        with self._lock:
            return len(self._vectors)

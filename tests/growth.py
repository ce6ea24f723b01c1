"""Whether work grows with its input or with its square: a ratio, so that no speed of a machine decides a test."""

from __future__ import annotations

import time
from collections.abc import Callable

_FLOOR_S = 0.5
_MOST = 8


def grows_linearly(work: Callable[[str], object], text: Callable[[int], str] | str, size: int = 100_000) -> bool:
    """Whether four times the text takes about four times as long; a square law would take sixteen times.

    `text` is a pattern to repeat up to `size` characters, or makes a text of a given length. Processor time of this
    thread counts, and what stays below half a second passes: that is too little to tell one law from another.
    """
    make = text if callable(text) else (lambda length: (text * (length // len(text) + 1))[:length])
    return _seconds(work, make(size)) < _FLOOR_S + _MOST * _seconds(work, make(size // 4))


def _seconds(work: Callable[[str], object], text: str) -> float:
    start = time.thread_time()  # other threads of the run are not the work
    work(text)
    return time.thread_time() - start

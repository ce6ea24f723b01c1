"""Which answers are checked when not all of them are."""

from __future__ import annotations

import hashlib
from numbers import Real

from longtracer import InvalidInputError

__all__ = ["checked_sample_rate", "is_sampled"]


def is_sampled(run_id: str, rate: float) -> bool:
    """Whether the answer of `run_id` belongs to the share `rate` (0..1) that is checked; the same run always does."""
    if rate >= 1.0:
        return True
    digest = hashlib.sha256(run_id.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big") / 2**64 < rate


def checked_sample_rate(rate: object) -> float:
    """Return `rate` as a float.

    Raises:
        InvalidInputError: unless it is a number from 0 to 1.
    """
    if isinstance(rate, bool) or not isinstance(rate, Real) or not 0.0 <= float(rate) <= 1.0:
        raise InvalidInputError(f"sample_rate must be a number from 0 to 1, not {rate!r}")
    return float(rate)

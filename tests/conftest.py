"""Fixtures that several test folders share."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from longtracer import CitationVerifier


@pytest.fixture(scope="session")
def verifier() -> Iterator[CitationVerifier]:
    """The real embedded models, loaded once for the whole run."""
    with CitationVerifier(models="embedded") as made:
        yield made.warmup()


@pytest.fixture(scope="module")
def light_heap() -> Iterator[None]:
    """Keep the objects of everything imported and run before out of the collector's passes.

    A full pass over the frameworks of the whole run takes 0.3 s, which is not the time of the code under test.
    """
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()

"""Fixtures that several test folders share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from longtracer import CitationVerifier


@pytest.fixture(scope="session")
def verifier() -> Iterator[CitationVerifier]:
    """The real embedded models, loaded once for the whole run."""
    with CitationVerifier(models="embedded") as made:
        yield made.warmup()

"""Opposite words are seen where everything else agrees, and nowhere else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longtracer.engine.facts.antonyms import antonym_mismatch


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("The lake is shallow.", "The lake is very deep and cold."),
        ("The shop is closed on Sundays.", "The shop is open on Sundays."),
        ("Sales fell last year.", "Sales rose sharply last year."),
        ("Dogs are forbidden in the park.", "Dogs are allowed in the park."),
        ("It is the largest lake of the region.", "It is the smallest lake of the region."),
    ],
)
def test_opposites_are_seen(claim, sentence):
    assert antonym_mismatch(claim, sentence) is not None


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("The lake is deep.", "The lake is very deep and cold."),
        ("The lake is not shallow.", "The lake is deep."),
        ("The lake is shallow.", "The lake is not deep."),
        ("The south gate is open.", "The south gate is open and the north gate is closed."),
        ("Prices fell.", "Wages rose last year."),
        ("The shop is closed.", "The library is open."),
        ("The old bridge was closed.", "The bridge is old; it was opened in 1900 and closed in 1950."),
        ("Sales fell last year.", "Sales rose last year, but fell this year."),
        ("Shallow.", "Deep."),
        ("", ""),
    ],
)
def test_nothing_else_is(claim, sentence):
    assert antonym_mismatch(claim, sentence) is None


@given(st.text(), st.text())
def test_no_text_raises(claim, sentence):
    antonym_mismatch(claim, sentence)

"""Mined pairs look like support and are none: what may be supported after all is left out."""

from __future__ import annotations

import random

import numpy as np
import pytest

from training.mining import candidates, hardest, names_more, neighbours
from training.pairs import NOT_ENTAILMENT, Pair
from training.synthetic.build import Prose

SENTENCES = [
    "Ada Brook opened a gallery in Lisbon in 1979 and sold it to the city.",
    "Ada Brook opened a gallery in Lisbon in 1979 and then a museum of glass.",
    "The foundry was bought by Carl Dorn for twelve thousand marks that year.",
    "Rain fell on the northern valleys for eleven days without a pause at all.",
]
VECTORS = np.array([[1.0, 0.0], [0.9, 0.43], [0.5, 0.86], [0.0, 1.0]], np.float32)


def test_neighbours_are_the_most_similar_other_sentences() -> None:
    assert neighbours(VECTORS, [0, 3], 2).tolist() == [[1, 2], [2, 1]]


@pytest.mark.parametrize(
    ("claim", "premise", "more"),
    [
        ("The gallery in Lisbon opened.", "A gallery opened in lisbon.", False),
        ("The gallery in Porto opened.", "A gallery opened in Lisbon.", True),
        ("It opened in 1979.", "It opened in 1979 or so.", False),
        ("It opened in 1989.", "It opened in 1979 or so.", True),
        ("Rain fell.", "It snowed.", False),
    ],
)
def test_a_claim_with_another_name_or_number_says_more(claim: str, premise: str, more: bool) -> None:
    assert names_more(claim, premise) is more


def test_candidates_leave_out_what_the_premise_may_support() -> None:
    pairs = candidates(Prose.of(SENTENCES), VECTORS, 4, random.Random(0))
    assert pairs
    assert {pair.label for pair in pairs} == {NOT_ENTAILMENT}
    # The first two share nearly all words; the last names nothing that another sentence could lack.
    assert not any(pair.premise.startswith("Ada") and "Lisbon" in pair.hypothesis for pair in pairs)
    assert not any("valleys" in pair.hypothesis for pair in pairs)


def test_the_hardest_are_those_most_taken_for_support() -> None:
    pairs = [Pair("p", name, NOT_ENTAILMENT, "mined") for name in "abc"]
    assert [pair.hypothesis for pair in hardest(pairs, np.array([0.2, 0.9, 0.5]), 2)] == ["b", "c"]

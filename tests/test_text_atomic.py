"""Compound sentences are cut into the statements they make, and only where the parts are plain."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longtracer.engine.text.atomic import connectives, split_atomic
from longtracer.engine.text.claims import Claim, split_claims

COMPOUND = [
    (
        "Acme was founded in 1999, based in Oslo and employing 40 people.",
        ["Acme was founded in 1999.", "Acme is based in Oslo.", "Acme is employing 40 people."],
    ),
    (
        "Acme was founded in 1999, is based in Oslo and employs 40 people.",
        ["Acme was founded in 1999.", "Acme is based in Oslo.", "Acme employs 40 people."],
    ),
    ("Pro costs $25 and includes SSO.", ["Pro costs $25.", "Pro includes SSO."]),
    ("Pro costs $25; Basic is free.", ["Pro costs $25.", "Basic is free."]),
    ("Pro costs $25, and Basic is free.", ["Pro costs $25.", "Basic is free."]),
    ("Pro costs $25, but it includes no support.", ["Pro costs $25.", "It includes no support."]),
    ("In 1999, Acme opened a shop and sold 40 cars.", ["In 1999, Acme opened a shop.", "Acme sold 40 cars."]),
    ("He was born in Oslo and died in Bergen.", ["He was born in Oslo.", "He died in Bergen."]),
    ("The tower is tall and was finished in 1889.", ["The tower is tall.", "The tower was finished in 1889."]),
]

WHOLE = [
    "Pro costs $25.",
    "It is red and blue.",
    "Simon and Garfunkel sang in New York.",
    "Pro includes SSO, audit logs and backups.",
    "The plan that includes SSO and costs $5 is new.",
    "It covers benefits and costs of the plan.",
    "She said that it is red and costs $5.",
    "He wrote a book, published in 1999 by Knopf.",
    "The tower (built in 1889 and painted red) is tall.",
    'He said "it is red and costs $5" in May.',
    "If Pro is free, it includes SSO and costs nothing.",
    "It is crucial to create a safe and nurturing environment.",
    "Milk is a source of food and can be drunk because it is safe.",
    "The list is long, and followed by a table.",
    "They sell and buy cars.",
    "",
]


def claim_of(text: str) -> Claim:
    """The one claim of a text."""
    (claim,) = split_claims(text).claims
    return claim


@pytest.mark.parametrize(("text", "statements"), COMPOUND)
def test_a_compound_sentence_is_read_as_its_statements(text: str, statements: list[str]) -> None:
    assert [part.model_text for part in split_atomic(claim_of(text))] == statements


@pytest.mark.parametrize("text", WHOLE[:-1])
def test_a_sentence_whose_parts_are_not_plain_stays_whole(text: str) -> None:
    claim = claim_of(text)
    assert split_atomic(claim) == (claim,)


def test_a_citation_at_the_end_counts_for_every_part() -> None:
    parts = split_atomic(claim_of("Pro costs $25 and includes SSO [2]."))
    assert [citation.numbers for part in parts for citation in part.citations] == [(2,), (2,)]


def test_a_citation_in_a_part_counts_for_that_part() -> None:
    parts = split_atomic(claim_of("Pro costs $25 [1], and Basic is free [2]."))
    assert [citation.numbers for part in parts for citation in part.citations] == [(1,), (2,)]


@pytest.mark.parametrize("text", [text for text, _ in COMPOUND])
def test_parts_and_connectives_tile_the_claim(text: str) -> None:
    response = f"# Title\n\n{text}"
    claim = split_claims(response).claims[0]
    parts = split_atomic(claim)
    spans = sorted((piece.start, piece.end) for piece in (*parts, *connectives(claim, parts)))
    assert "".join(response[start:end] for start, end in spans) == claim.text


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from([text for text, _ in COMPOUND] + WHOLE), max_size=4).map(" and ".join))
def test_every_part_is_the_response_at_its_offsets(text: str) -> None:
    for claim in split_claims(text).claims:
        assert all(text[part.start : part.end] == part.text for part in split_atomic(claim))

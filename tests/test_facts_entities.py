"""Sentences that differ in one name; aliases, inflections and anything less aligned say nothing."""

from __future__ import annotations

import pytest

from longtracer.engine.facts import EntityMismatch, entity_mismatch


@pytest.mark.parametrize(
    ("claim", "sentence", "claimed", "stated"),
    [
        ("He was born in Oslo in the war.", "He was born in Bergen in the war.", "", ""),
        ("He was born in early spring in Oslo.", "He was born in early spring in Bergen.", "Oslo", "Bergen"),
        (
            "The film was directed by Steven Spielberg last year.",
            "The film was directed by George Lucas last year.",
            "Steven Spielberg",
            "George Lucas",
        ),
        (
            "The NATO summit was held in a new building.",
            "The ASEAN summit was held in a new building.",
            "NATO",
            "ASEAN",
        ),
        ("Paris is the capital and largest city.", "Lyon is the capital and largest city.", "Paris", "Lyon"),
        (
            "Marie Curie discovered radium at work.",
            "Lise Meitner discovered radium at work.",
            "Marie Curie",
            "Lise Meitner",
        ),
        ("The French team won the race.", "The Polish team won the race.", "French", "Polish"),
    ],
)
def test_one_name_for_another(claim: str, sentence: str, claimed: str, stated: str) -> None:
    expected = EntityMismatch(claimed, stated) if claimed else None
    assert entity_mismatch(claim, sentence) == expected


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        (
            "The treaty was signed in the UK by all members.",
            "The treaty was signed in the United Kingdom by all members.",
        ),
        ("The treaty was signed in the U.S. by all members.", "The treaty was signed in America by all members."),
        ("The report of Dr. Smith was published late.", "The report of Smith was published late."),
        ("The film was directed by Spielberg last year.", "The film was directed by Steven Spielberg last year."),
        ("The Norwegians won the final race yesterday.", "The Norwegian won the final race yesterday."),
        ("The bridge in Oslo's old centre is closed.", "The bridge in Oslo old centre is closed."),
        ("The rule of Gaddafi ended in autumn.", "The rule of Qaddafi ended in autumn."),
        ("The World Health Organization warned all members.", "The WHO warned all members."),
        ("William Clinton won the final race.", "Bill Clinton won the final race."),
    ],
)
def test_one_name_said_in_two_ways(claim: str, sentence: str) -> None:
    assert entity_mismatch(claim, sentence) is None


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("Doctors advise a lot of rest.", "Physicians advise a lot of rest."),
        ("Smoking is banned in the building.", "Vaping is banned in the building."),
        ("He was born in a big city in spring.", "He was born in a small town in spring."),
        ("Ann and Bob won the final race.", "Bob and Ann won the final race."),
        ("She moved to Oslo and works there now.", "She moved to Bergen and lives there now."),
        ("The fix is in Windows 11 for all users.", "The fix is in Windows 10 for all users."),
        ("He was born in Oslo.", "The museum stands in Bergen."),
        ("", ""),
    ],
)
def test_more_or_other_than_a_name_differs(claim: str, sentence: str) -> None:
    assert entity_mismatch(claim, sentence) is None

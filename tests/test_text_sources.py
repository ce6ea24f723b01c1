"""Which passages of a document can be evidence."""

from __future__ import annotations

import pytest

from longtracer.engine.text.sources import PassageKind, split_source


def read(source: str) -> list[str]:
    """The passages of a document as models read them."""
    return [passage.model_text for passage in split_source(source)]


@pytest.mark.parametrize(
    ("source", "passages"),
    [
        ("Basic costs $10. Pro costs $25.", ["Basic costs $10.", "Pro costs $25."]),
        ("# Refunds\n\nThey take 5 days.", ["Refunds", "They take 5 days."]),
        ("- SSO is included\n- Logs are kept", ["SSO is included", "Logs are kept"]),
        (
            "The plan includes:\n- SSO\n- Audit logs",
            ["The plan includes:", "The plan includes SSO", "The plan includes Audit logs"],
        ),
        (
            "| Plan | Price |\n|---|---|\n| Pro | $25 |\n| Basic | $10 |",
            ["Plan: Pro; Price: $25", "Plan: Basic; Price: $10"],
        ),
        ("| Pro | $25 |\n| Basic | $10 |", ["Pro; $25", "Basic; $10"]),
        ("```\nprice = 25\n```", ["price = 25"]),
        ("The tower was\nfinished in 1889.", ["The tower was finished in 1889."]),
        ("The **Pro** plan [costs](https://a.b) $25.[1]", ["The Pro plan costs $25."]),
        ("> Pro costs $25.\n> Basic is free.", ["Pro costs $25.", "Basic is free."]),
        ("<h1>Plans</h1><p>Pro costs $25.</p>", ["Plans", "Pro costs $25."]),
        ("Hello! Would you like more?", ["Hello!", "Would you like more?"]),
        ("I don't know.", ["I don't know."]),
        ("Price: $25", ["Price: $25"]),
        ("Paris", ["Paris"]),
        ("东京是首都。人口是一百万。", ["东京是首都。", "人口是一百万。"]),
        ("1) It is red. 2) It is blue.", ["It is red.", "It is blue."]),
    ],
)
def test_a_document_is_read_passage_by_passage(source: str, passages: list[str]) -> None:
    assert read(source) == passages


@pytest.mark.parametrize("source", ["", "  ", "\n\n", "---", "***", "|---|---|", "\u200b"])
def test_a_document_without_words_has_no_passages(source: str) -> None:
    assert read(source) == []


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("It is red.", PassageKind.SENTENCE),
        ("- It is red.", PassageKind.LIST_ITEM),
        ("# Red things", PassageKind.HEADING),
        ("```\nx = 1\n```", PassageKind.CODE),
        ("| a | b |\n|---|---|\n| 1 | 2 |", PassageKind.TABLE_ROW),
    ],
)
def test_a_passage_names_its_kind(source: str, kind: PassageKind) -> None:
    assert [passage.kind for passage in split_source(source)] == [kind]


@pytest.mark.parametrize(
    "sentence",
    [
        "It costs $25.",
        "They were sold.",
        "However, it costs $25.",
        "This plan is new.",
        "His wife left.",
        "It's red.",
        "Such plans are rare.",
    ],
)
def test_a_sentence_that_points_back_opens_with_a_pronoun(sentence: str) -> None:
    (passage,) = split_source(sentence)
    assert passage.opens_with_pronoun


@pytest.mark.parametrize(
    "sentence",
    [
        "Pro costs $25.",
        "Italy is large.",
        "Theyland is a place.",
        "There are three plans.",
        "There is no fee.",
        "The plan is new.",
        "Hers is a shop.",
    ],
)
def test_a_sentence_with_its_own_subject_does_not(sentence: str) -> None:
    (passage,) = split_source(sentence)
    assert not passage.opens_with_pronoun


def test_passages_keep_the_offsets_of_the_document() -> None:
    source = "# A\n\n> One is\n> here.\n\n- Two"
    assert [(passage.start, passage.end) for passage in split_source(source)] == [(2, 3), (7, 21), (25, 28)]

"""A short value is judged, with the question that stands before it; what only looks like one is not."""

from __future__ import annotations

import pytest

from longtracer.engine.text.claims import ClaimKind, SkipReason, split_claims


def read(response: str, question: str | None = None) -> list[str]:
    """The claims of a response as models read them."""
    return [claim.model_text for claim in split_claims(response, question=question).claims]


@pytest.mark.parametrize(
    ("response", "claims", "twin", "claims_of_twin"),
    [
        ("The answer is: **$99**. It includes SSO.", ["$99.", "It includes SSO."], "The answer is: **yes**.", []),
        ("The answer is: 42.", ["42."], "The answer is on page\n\n42", ["The answer is on page"]),
        ("$99. It includes SSO.", ["$99.", "It includes SSO."], "Yes. It includes SSO.", ["It includes SSO."]),
        ("It opened. 1999. It grew.", ["It opened.", "1999.", "It grew."], "It opened.\n\n1999\n\nIt grew.", None),
        ("Growth is up.\n\n25%", ["Growth is up.", "25%"], "25%", []),
        ("- $25\n- $30", ["$25", "$30"], "- 1999\n- 2000", []),
        ("What is the price? $99.", ["The price is $99."], "What is the price?", []),
        ("## What is the price?\n\n**$99**", ["The price is $99."], "## The price\n\n**$99**", ["$99"]),
        ("**Q: What is the fee?**\n**A:** $99", ["The fee is $99."], "**Q: What is the fee?**", []),
        ("Is Pro free? No. It is new.", ["Pro is not free.", "It is new."], "Pro is free? No.", []),
        ("Who wrote Hamlet? Shakespeare.", ["Shakespeare wrote Hamlet."], "Do you like Hamlet? Shakespeare.", []),
        ("What does it cost? It depends.", ["It depends."], "What does it cost? 5.", ["It costs 5."]),
        ("Is it red? Yes. Good.", ["It is red."], "Is it red for you? Yes. Good.", []),
    ],
)
def test_a_value_is_a_claim(response: str, claims: list[str], twin: str, claims_of_twin: list[str] | None) -> None:
    assert read(response) == claims
    assert read(twin) == (["It opened.", "It grew."] if claims_of_twin is None else claims_of_twin)


def test_the_question_of_the_answer_goes_before_the_one_that_was_asked() -> None:
    response = "What is the fee? $99. $5."
    assert read(response, "What is the deposit?") == ["The fee is $99.", "The deposit is $5."]


def test_a_value_keeps_its_offsets_and_the_question_stays_skipped() -> None:
    segmentation = split_claims("What is the fee? **$99**. It is new.")
    value = segmentation.claims[0]
    assert (value.text, value.start, value.kind) == ("**$99**.", 17, ClaimKind.SHORT_ANSWER)
    assert segmentation.skipped[0].reason is SkipReason.NOT_A_CLAIM


@pytest.mark.parametrize("response", ["12", "**1999**", "3.1", "#4", "1️⃣", "(7)", "Yes.", "v2", "It is red.\n\n12\n\n"])
def test_a_page_number_or_a_marker_is_no_value(response: str) -> None:
    assert read(response) in ([], ["It is red."])


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("Would you like to know that the fee is $99?", "The fee is $99."),
        ("Shall I add that Pro has 5 seats?", "Pro has 5 seats."),
        ("Do you want the plan that costs $99?", "The plan costs $99."),
        ("Would you like our cheapest plan, which costs $99?", "The cheapest plan costs $99."),
    ],
)
def test_small_talk_that_presupposes_a_number_is_judged(question: str, statement: str) -> None:
    assert read(f"Pro includes SSO. {question}") == ["Pro includes SSO.", statement]


@pytest.mark.parametrize(
    "question",
    [
        "Would you like to know whether the fee is $99?",
        "Shall I add the 5 seats of Pro?",
        "Do you want a plan for $99?",
        "Would you like 3 more examples?",
        "Do you have more than 10 users?",
        "Would you like to know that?",
        "Would you like the plan that fits you?",
    ],
)
def test_a_question_to_the_reader_with_a_number_is_not(question: str) -> None:
    assert read(f"Pro includes SSO. {question}") == ["Pro includes SSO."]

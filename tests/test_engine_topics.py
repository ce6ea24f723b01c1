"""A sentence that says the same of something else supports no claim with a pronoun, and no item under a heading."""

from __future__ import annotations

import pytest

from longtracer import ClaimAssessment, check_case

PLANS = [
    "The Pro plan is for teams. It costs $25 a month.",
    "The Basic plan is for individuals. It costs $10 a month.",
]


@pytest.mark.parametrize(
    ("answer", "sources", "supported"),
    [
        ("The Pro plan is for teams. It costs $25 a month.", PLANS, True),
        ("The Basic plan is for individuals. It costs $25 a month.", PLANS, False),
        ("The Basic plan is for individuals. It costs $10 a month.", PLANS, True),
        # The sentence stands for both.
        (
            "The Basic plan is small. It has no fee.",
            ["The Pro plan is big. It has no fee.", "The Basic plan is small. It has no fee."],
            True,
        ),
        # A chain of pronouns leads back to the same place.
        (
            "The Pro plan is for teams. It is new. It costs $25 a month.",
            ["The Basic plan is for one. It is new. It costs $25 a month.", "The Pro plan is for teams. It is new."],
            False,
        ),
        # Nothing says that the document means something else.
        (
            "The Pro plan is for teams. It costs $25 a month.",
            ["The Pro plan is for teams.", "It costs $25 a month."],
            True,
        ),
        (
            "The Pro plan is for teams. It costs $25 a month.",
            ["Teams take the large package. It costs $25 a month. The Pro plan is for teams."],
            True,
        ),
        ("It costs $25 a month.", PLANS, True),
    ],
)
def test_a_pronoun_is_read_with_what_it_stands_for(answer: str, sources: list[str], supported: bool) -> None:
    last = check_case(answer, sources).claims[-1]
    assert (last.assessment is ClaimAssessment.SUPPORTED) is supported


PRICES = "## Pro plan\n- Price: $25\n- Users: 50\n\n## Basic plan\n- Price: $10\n- Users: 50\n"


@pytest.mark.parametrize(
    ("answer", "supported"),
    [
        ("## Pro plan\n- Price: $25", True),
        ("## Basic plan\n- Price: $25", False),
        ("## Basic plan\n- Price: $10", True),
        ("## Basic plan\n- Users: 50", True),
        ("## The plans\n- Price: $25", True),  # a heading that the source does not have says nothing
        ("- Price: $25", True),
        ("## Basic plan\nPro costs $25.", True),  # a statement of its own
    ],
)
def test_a_list_item_is_read_with_its_heading(answer: str, supported: bool) -> None:
    last = check_case(answer, [PRICES, "Pro costs $25."]).claims[-1]
    assert (last.assessment is ClaimAssessment.SUPPORTED) is supported

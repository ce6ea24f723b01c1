"""A sentence that says the same of something else does not support a claim that opens with a pronoun."""

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

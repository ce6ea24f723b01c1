"""Which headings are statements to judge: each row has a title beside it that differs in a word or two."""

from __future__ import annotations

import pytest

from longtracer.engine.text.claims import SkipReason, split_claims
from longtracer.engine.text.headings import is_statement_heading

PAIRS = [
    ("Pro costs $99 per month", "Pro costs per month"),
    ("Shipping costs $5 in Europe", "Shipping costs in Europe"),
    ("Plans cost $99", "Plan cost 2023"),
    ("Refunds are available for 90 days", "Refunds available for 90 days"),
    ("Refunds take 5 days", "Refunds taken in 5 days"),
    ("SSO is included", "SSO included"),
    ("Features are included", "Features that are included"),
    ("Pro includes SSO", "What Pro includes"),
    ("Pro supports 5 users", "Pro supports and users"),
    ("Sales increased by 12%", "Changes introduced by the act"),
    ("Acme acquired the startup in 2019", "Startups acquired in 2019"),
    ("Acme became profitable in 2020", "Becoming profitable in 2020"),
    ("The tower was finished in 1889", "Towers finished in 1889"),
    ("It's free for students", "What's free for students"),
    ("You can get a refund", "How you can get a refund"),
    ("Pro is free", "Is Pro free"),
    ("Fee: $25", "Fee"),
    ("Refund window: 90 days", "Refunds (90 days)"),
    ("Founded: 1999", "Report: 1999"),
    ("Steps: 5 in total", "Step 5: in total"),
    ("Pro – $25/month", "Pro – monthly"),
    ("Pro ($25/month)", "Pro (monthly)"),
    ("1. Pro costs $99", "1. Overview"),
    ("**Pro costs $99 now**", "**Pro costs now**"),
    ("The report may cost $5", "The report May 2024"),
    ("Did you know that Pro costs $99?", "What is SSO?"),
    ("Users can share lists", "To do list"),
    ("Ten plans cost $50", "Top 10 plans under $50"),
    ("Setup takes about 5 minutes", "Setup for about 5 minutes"),
    ("Choosing Pro is easy", "Reasons to choose Pro"),
]


@pytest.mark.parametrize("heading", [statement for statement, _ in PAIRS])
def test_a_heading_that_states_something_is_a_statement(heading: str) -> None:
    assert is_statement_heading(heading)


@pytest.mark.parametrize(
    "heading",
    [
        *(title for _, title in PAIRS),
        "Refund policy",
        "How to get a refund",
        "Why Pro is better",
        "Lessons learned",
        "Get started",
        "Use cases",
        "Uses and side effects",
        "Things you should know",
        "Who it is for",
        "Living will",
        "Step 2: 5 plans",
        "Sales report 2023",
        "x is a " * 100,
    ],
)
def test_a_title_is_no_statement(heading: str) -> None:
    assert not is_statement_heading(heading)


@pytest.mark.parametrize(
    "marked", ["## {}\nIt includes SSO.", "{}\n====\nIt includes SSO.", "{}\n---\nIt includes SSO."]
)
@pytest.mark.parametrize(
    ("heading", "claims"),
    [
        ("Pro costs $99 per month", ["Pro costs $99 per month", "It includes SSO."]),
        ("Pro pricing per month", ["It includes SSO."]),
    ],
)
def test_a_heading_becomes_a_claim_only_when_it_states_something(marked: str, heading: str, claims: list[str]) -> None:
    segmentation = split_claims(marked.format(heading))
    assert [claim.model_text for claim in segmentation.claims] == claims
    assert (SkipReason.HEADING in {span.reason for span in segmentation.skipped}) is (len(claims) == 1)

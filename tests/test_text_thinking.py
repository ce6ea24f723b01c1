"""What a model thinks aloud is skipped, what it says is judged."""

from __future__ import annotations

import pytest

from longtracer.engine.text.claims import SkipReason, split_claims


def thought(response: str) -> list[str]:
    """The spans that are skipped as thinking."""
    spans = split_claims(response).skipped
    return [response[span.start : span.end] for span in spans if span.reason is SkipReason.THINKING]


@pytest.mark.parametrize(
    ("response", "claims"),
    [
        ("<think>Pro costs $99.</think>Pro costs $25.", ["Pro costs $25."]),
        ("<think>\nPro costs $99.\n\n- It is red.\n</think>\n\nPro costs $25.", ["Pro costs $25."]),
        ("Pro is new. <THINKING>It is $99.</THINKING> It is red.", ["Pro is new.", "It is red."]),
        ("- Pro is new.\n<think>It is $99.</think>\n- It is red.", ["Pro is new.", "It is red."]),
        ("```\n<think>It is $99.</think>\n```\nIt is red.", ["It is red."]),
        ("<think>a <think>b</think>It is red.", ["It is red."]),
        ("<think></think>It is red.", ["It is red."]),
    ],
)
def test_thinking_is_skipped_with_its_reason(response: str, claims: list[str]) -> None:
    assert [claim.text for claim in split_claims(response).claims] == claims
    assert len(thought(response)) == 1


@pytest.mark.parametrize(
    "response",
    [
        "<think>Pro costs $99.",
        "Pro costs $99.</think>",
        "</think>Pro costs $99.<think>",
        "<think>Pro costs $99.</thinking>",
        "<thin>Pro costs $99.</thin>",
    ],
)
def test_what_is_not_between_both_tags_is_judged(response: str) -> None:
    assert "Pro costs $99" in split_claims(response).claims[0].model_text
    assert thought(response) == []

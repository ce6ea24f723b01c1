"""The phrase test behind the legacy verdict."""

from __future__ import annotations

import pytest

from longtracer.engine.text.legacy import has_unsourced_phrase


@pytest.mark.parametrize(
    "text",
    [
        "Based on my knowledge, Pro costs $25.",
        "Based on my general knowledge it is red.",
        "From my training data, it is red.",
        "As far as I know, it is red.",
        "I believe it is red.",
        "It is generally known that it is red.",
        "To my knowledge, it is red.",
    ],
)
def test_a_phrase_that_names_no_source_is_found(text: str) -> None:
    assert has_unsourced_phrase(text)


@pytest.mark.parametrize(
    "text", ["Based on the documents, it is red.", "Knowledge is power.", "It is red.", "He believes it is red.", ""]
)
def test_a_text_without_such_a_phrase_is_left_alone(text: str) -> None:
    assert not has_unsourced_phrase(text)

"""Letters with a mark: each mismatch has a twin that is one token away and is none."""

from __future__ import annotations

import pytest

from longtracer.engine.facts.marks import mark_mismatch


@pytest.mark.parametrize(
    ("claim", "twin", "sentence"),
    [
        ("C++ 17 has 5 features.", "C 17 has 5 features.", "C 17 has five features."),
        ("The tool is written in C#.", "The tool is written in C.", "The tool is written in C."),
        ("It is rated A by two banks.", "It is rated A+ by 2 banks.", "It is rated A+ by two banks."),
    ],
)
def test_letter_with_another_mark(claim: str, twin: str, sentence: str) -> None:
    assert mark_mismatch(claim, sentence) is not None
    assert mark_mismatch(twin, sentence) is None


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("The bank is rated A+ by Fitch.", "The bank is rated A+ by Moody's."),
        ("It is written in C++.", "It is written in C and C++."),
        ("It has 500+ stores.", "It has 500 stores."),
        ("It is on Disney+ now.", "It is on Disney now."),
    ],
)
def test_other_words_are_left_alone(claim: str, sentence: str) -> None:
    assert mark_mismatch(claim, sentence) is None

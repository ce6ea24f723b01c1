"""Table rows are compared cell by cell."""

from __future__ import annotations

import pytest

from longtracer import QualityGate, check_case
from longtracer.engine.rows import RowRelation, compare_rows

SOURCE = """\
| Plan | Price | Users | SSO |
|---|---|---|---|
| Basic | $10 | 5 | No |
| Pro | $25.00 | 50 | Yes |
"""


def table(head: str, row: str) -> str:
    return f"| {head} |\n|{'---|' * (head.count('|') + 1)}\n| {row} |\n"


@pytest.mark.parametrize(
    ("head", "row", "gate"),
    [
        ("Plan | Price", "Basic | $10", QualityGate.PASS),
        ("Plan | Price", "Basic | $25", QualityGate.FAIL),  # the price of the other row
        ("Plan | Price", "Pro | $25", QualityGate.PASS),  # written differently
        ("Plan | Price", "Max | $25", QualityGate.FAIL),
        ("Plan | Users | Price", "Basic | 5 | $10", QualityGate.PASS),  # in another order
        ("Plan | Users | Price", "Basic | 10 | $5", QualityGate.FAIL),
        ("Plan | SSO", "Pro | Yes", QualityGate.PASS),
        ("Plan | SSO", "Basic | Yes", QualityGate.FAIL),
    ],
)
def test_a_row_is_checked_against_the_row_of_its_kind(head: str, row: str, gate: QualityGate) -> None:
    assert check_case(table(head, row), [SOURCE]).quality_gate is gate


@pytest.mark.parametrize(
    ("claim", "source", "relation"),
    [
        ("Plan: Pro; Price: $25", "Plan: Pro; Price: $25; Users: 5", RowRelation.SAME),
        ("plan: pro ; Price: $25.00", "Plan: Pro; Price: $25", RowRelation.SAME),
        ("Plan: Pro; Price: $26", "Plan: Pro; Price: $25", RowRelation.OTHER),
        ("Plan: Pro; Price: $25 a month", "Plan: Pro; Price: $25 a year", RowRelation.OTHER),
        ("Plan: Pro; Price: $25", "Plan: Pro; Price: $25 a month", RowRelation.UNKNOWN),
        ("Plan: Pro; Price: $26", "Plan: Pro; Price: $25 a month", RowRelation.OTHER),
        ("Plan: Pro; Price: $25", "Plan: Max; Price: $25", RowRelation.OTHER),
        ("Plan: Pro; Price: $25", "Plan: Pro; Fee: $25", RowRelation.UNKNOWN),
        ("Plan: Pro; Price: $25", "Product: Pro; Price: $25", RowRelation.UNKNOWN),
        ("Plan: Pro; Price: $25; Seats: 5", "Plan: Pro; Price: $25", RowRelation.UNKNOWN),
        ("Pro; $25", "Pro; $25", RowRelation.UNKNOWN),
        ("", "", RowRelation.UNKNOWN),
    ],
)
def test_rows_are_compared_by_their_headings(claim: str, source: str, relation: RowRelation) -> None:
    assert compare_rows(claim, source) is relation

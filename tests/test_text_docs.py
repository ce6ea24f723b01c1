"""What `docs/claims.md` says is what the code does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from longtracer.engine.text.claims import SkipReason, split_claims
from longtracer.engine.text.refusals import is_refusal

DOCS = (Path(__file__).parent.parent / "docs" / "claims.md").read_text(encoding="utf-8")


def rows(first_header: str) -> list[list[str]]:
    """The cells of the table of the docs whose first column has this header."""
    table = re.search(rf"^\| {re.escape(first_header)} \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", DOCS, re.MULTILINE)
    assert table is not None
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table[1].splitlines()]


@pytest.mark.parametrize(("question", "reply", "statement"), rows("question"))
def test_a_short_answer_of_the_docs_is_read_as_they_say(question: str, reply: str, statement: str) -> None:
    (claim,) = split_claims(reply, question=question).claims
    assert claim.model_text == statement


@pytest.mark.parametrize(("refusal", "other"), [row[1:] for row in rows("form")])
def test_the_refusals_of_the_docs_are_refusals_and_the_others_are_not(refusal: str, other: str) -> None:
    assert is_refusal(refusal.strip('"'))
    assert not is_refusal(other.strip('" '))


def test_the_example_of_the_docs_gives_what_they_print() -> None:
    code = re.search(r"```python\n(.*?)```", DOCS, re.DOTALL)
    assert code is not None
    *program, expression, printed = code[1].strip().splitlines()
    names: dict[str, object] = {}
    exec("\n".join(program), names)
    assert f"# {eval(expression, names)!r}" == printed


def test_every_skip_reason_is_in_the_docs() -> None:
    assert [reason.name for reason in SkipReason if f"`{reason.name}`" not in DOCS] == []

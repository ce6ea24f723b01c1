"""A check mark is read as the word it stands for: a text with the other mark never reads the same."""

from __future__ import annotations

import pytest

from longtracer.engine.text.claims import split_claims
from longtracer.engine.text.sources import split_source

TABLE = "| Feature | Pro |\n|---|---|\n| SSO | {} |"
PAIRS = [
    (TABLE.format("✅"), ["Feature: SSO; Pro: yes"], TABLE.format("❌"), ["Feature: SSO; Pro: no"]),
    (TABLE.format("✔️"), ["Feature: SSO; Pro: yes"], TABLE.format("✖️"), ["Feature: SSO; Pro: no"]),
    (TABLE.format("[x]"), ["Feature: SSO; Pro: yes"], TABLE.format("[ ]"), ["Feature: SSO; Pro: no"]),
    (
        TABLE.format("✅ (beta)"),
        ["Feature: SSO; Pro: (beta): yes"],
        TABLE.format("(beta)"),
        ["Feature: SSO; Pro: (beta)"],
    ),
    ("| SSO | ✅ |\n| Logs | ✓ |", ["SSO; yes", "Logs; yes"], "| SSO | ❌ |\n| Logs | ✗ |", ["SSO; no", "Logs; no"]),
    ("✅ SSO\n❌ Logs", ["SSO: yes", "Logs: no"], "❌ SSO\n✅ Logs", ["SSO: no", "Logs: yes"]),
    ("✓ SSO\n✗ Logs", ["SSO: yes", "Logs: no"], "✗ SSO\n✓ Logs", ["SSO: no", "Logs: yes"]),
    ("- [x] Single sign-on", ["Single sign-on: yes"], "- [ ] Single sign-on", ["Single sign-on: no"]),
    ("- SSO: ✅", ["SSO: yes"], "- SSO: ❌", ["SSO: no"]),
    ("SSO – ☑.", ["SSO – yes"], "SSO – ☐.", ["SSO – no"]),
    ("- SSO ✅", ["SSO: yes"], "- SSO ❌", ["SSO: no"]),
    ("✅ Pro includes SSO.", ["Pro includes SSO."], "❌ Pro includes SSO.", ["Pro includes SSO: no"]),
    ("Pro includes SSO ✅", ["Pro includes SSO"], "Pro includes SSO ❌", ["Pro includes SSO: no"]),
    ("❌ Pro has no SSO.", ["Pro has no SSO."], "✅ Pro has no SSO.", ["Pro has no SSO."]),
    (
        "Basic ✅ and Pro ❌ today",
        ["Basic yes and Pro no today"],
        "Basic ❌ and Pro ✅ today",
        ["Basic no and Pro yes today"],
    ),
]


@pytest.mark.parametrize(("text", "read", "twin", "read_twin"), PAIRS)
def test_a_mark_is_read_in_an_answer(text: str, read: list[str], twin: str, read_twin: list[str]) -> None:
    assert [claim.model_text for claim in split_claims(text).claims] == read
    assert [claim.model_text for claim in split_claims(twin).claims] == read_twin


@pytest.mark.parametrize(("text", "read", "twin", "read_twin"), PAIRS)
def test_a_mark_is_read_in_a_source(text: str, read: list[str], twin: str, read_twin: list[str]) -> None:
    assert [passage.model_text for passage in split_source(text)] == read
    assert [passage.model_text for passage in split_source(twin)] == read_twin


@pytest.mark.parametrize(
    ("response", "read"),
    [
        ("The plan includes:\n- ✅ SSO\n- ❌ Logs", ["The plan includes SSO", "The plan includes Logs: no"]),
        ("✅ Advantages:\n- It is cheap", ["It is cheap"]),
        ("The [x] axis is red.", ["The [x] axis is red."]),
        ("👍 It is red.", ["👍 It is red."]),
    ],
)
def test_a_mark_is_read_in_its_context(response: str, read: list[str]) -> None:
    assert [claim.model_text for claim in split_claims(response).claims] == read


def test_the_mark_belongs_to_the_claim() -> None:
    assert [claim.text for claim in split_claims("✓ SSO is new\n✗ Logs are new").claims] == [
        "✓ SSO is new",
        "✗ Logs are new",
    ]

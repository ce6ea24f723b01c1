"""A list of references is skipped, a statement in it is not."""

from __future__ import annotations

import pytest

from longtracer.engine.text.claims import SkipReason, split_claims

REFERENCES = [
    "Smith (2020) says hello.",
    "Smith and Jones (2020a).",
    'WHO: "Aspirin cures cancer" (2020)',
    "Aspirin cures cancer, https://who.int/aspirin",
    "how-it-works.pdf",
    "Handbook, pp. 3",
    "Okoro et al. measured it",
]
STATEMENTS = [
    "Aspirin cures cancer, says WHO (2020).",
    "It says hello (2020).",
    'WHO says that "aspirin" cures cancer.',
    "Aspirin cures cancer, who international aspirin",
    "how-it-works.pdf says that it works",
    "The handbook has 3 pages",
    "Okoro measured it",
]


@pytest.mark.parametrize("title", ["Sources:", "## References", "**Sources**", "References"])
@pytest.mark.parametrize("entry", REFERENCES)
def test_a_reference_is_skipped(title: str, entry: str) -> None:
    segmentation = split_claims(f"It is red.\n\n{title}\n\n1. {entry}\n")
    assert [claim.text for claim in segmentation.claims] == ["It is red."]
    assert {SkipReason.CITATION, SkipReason.URL} & {span.reason for span in segmentation.skipped}


@pytest.mark.parametrize("title", ["Sources:", "## References", "**Sources**", "References"])
@pytest.mark.parametrize("entry", STATEMENTS)
def test_a_statement_among_references_is_judged(title: str, entry: str) -> None:
    claims = split_claims(f"It is red.\n\n{title}\n\n1. {entry}\n").claims
    assert [claim.text for claim in claims] == ["It is red.", entry]


def test_a_statement_with_a_number_among_references_is_judged() -> None:
    claims = split_claims("Sources:\n\n[1] Aspirin cures cancer, says WHO (2020).\n\n[2] https://who.int").claims
    assert [claim.model_text for claim in claims] == ["Aspirin cures cancer, says WHO (2020)."]

"""Compare the quantities of a claim with those of its evidence: a fact that the model alone often misses."""

from __future__ import annotations

from collections.abc import Sequence

from .context import ContextReader
from .findings import FactCheck, FactVerdict, Finding, FindingStatus
from .judgement import Stated, judge, unknown
from .quantities import find_quantities
from .quantity import Kind

__all__ = ["CLAIM_LIMIT", "EVIDENCE_LIMIT", "FactCheck", "FactVerdict", "Finding", "FindingStatus", "compare_facts"]

CLAIM_LIMIT = 32
EVIDENCE_LIMIT = 500
"""Quantities compared at most, of a claim and of its evidence: far above what sentences hold."""


def _read(evidence: Sequence[str]) -> tuple[list[Stated], bool]:
    """The quantities of the evidence with their contexts, and whether the limit left some out."""
    stated: list[Stated] = []
    for index, text in enumerate(evidence):
        reader = ContextReader(text)
        for quantity in find_quantities(text, limit=EVIDENCE_LIMIT + 1):
            if quantity.kind is Kind.ORDINAL:
                continue
            if len(stated) == EVIDENCE_LIMIT:
                return stated, True
            stated.append(Stated(quantity, index, reader.around(quantity)))
    return stated, False


def compare_facts(claim: str, evidence: Sequence[str]) -> FactCheck:
    """Hold each quantity of `claim` against the quantities of the `evidence` texts.

    A pure function: no model, nothing raised for any string. Identifiers, ordinals and a bare "one" of the claim
    are left out. When the limits are passed, what was not compared is INCOMPARABLE and `truncated` is set.
    """
    quantities = [quantity for quantity in find_quantities(claim, limit=EVIDENCE_LIMIT) if quantity.fires]
    if not quantities:
        return FactCheck(findings=())
    stated, truncated = _read(evidence)
    reader = ContextReader(claim)
    judged = [judge(quantity, reader.around(quantity), stated) for quantity in quantities[:CLAIM_LIMIT]]
    if truncated:
        judged = [_unless_matched(finding) for finding in judged]
    rest = [unknown(quantity) for quantity in quantities[CLAIM_LIMIT:]]
    return FactCheck(findings=(*judged, *rest), truncated=truncated or bool(rest))


def _unless_matched(finding: Finding) -> Finding:
    """With evidence left out, only a match is certain."""
    if finding.status is FindingStatus.MATCHED:
        return finding
    return unknown(finding.claim)

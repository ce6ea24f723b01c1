"""What comes out of comparing a claim's quantities with its evidence."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from .quantity import Quantity

__all__ = ["FactCheck", "FactVerdict", "Finding", "FindingStatus"]


class FindingStatus(StrEnum):
    """What the evidence says of one quantity of the claim.

    MATCHED       it states an equal value, in whatever unit, format or rounding
    DIFFERENT     it states another value of the same thing, and no equal one
    MISSING       it states no such quantity
    INCOMPARABLE  the value may follow from the evidence without standing there (a count, a sum, a year of a span)
    """

    MATCHED = "matched"
    DIFFERENT = "different"
    MISSING = "missing"
    INCOMPARABLE = "incomparable"


class FactVerdict(StrEnum):
    """What the quantities of a claim say together; see `FactCheck.verdict`."""

    CONSISTENT = "consistent"
    DIFFERS = "differs"
    MISSING = "missing"
    NO_QUANTITIES = "no_quantities"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One quantity of the claim beside the closest one of the evidence.

    evidence_index  which of the evidence texts `stated` is from; None with `stated`
    overlap         share of the claim's words near the quantity that stand near `stated`: 0 to 1
    """

    status: FindingStatus
    claim: Quantity
    stated: Quantity | None = None
    evidence_index: int | None = None
    overlap: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class FactCheck:
    """The findings for a claim, in order of position. `truncated` says that a limit left some out."""

    findings: tuple[Finding, ...]
    truncated: bool = False

    @property
    def verdict(self) -> FactVerdict:
        """DIFFERS when any quantity is different, else MISSING when any is missing, else CONSISTENT."""
        statuses = {finding.status for finding in self.findings}
        if FindingStatus.DIFFERENT in statuses:
            return FactVerdict.DIFFERS
        if FindingStatus.MISSING in statuses:
            return FactVerdict.MISSING
        return FactVerdict.CONSISTENT if self.findings else FactVerdict.NO_QUANTITIES

    @property
    def different(self) -> tuple[Finding, ...]:
        """The quantities that the evidence states differently."""
        return tuple(finding for finding in self.findings if finding.status is FindingStatus.DIFFERENT)

    @property
    def missing(self) -> tuple[Finding, ...]:
        """The quantities that the evidence does not state."""
        return tuple(finding for finding in self.findings if finding.status is FindingStatus.MISSING)

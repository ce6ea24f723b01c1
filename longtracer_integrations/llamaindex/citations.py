"""Checks the `[n]` markers of an answer against the n-th source, as `CitationQueryEngine` numbers them."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, cast

from llama_index.core.base.response.schema import AsyncStreamingResponse, StreamingResponse

from longtracer import CaseResult, ClaimAssessment, ClaimResult
from longtracer.contracts import CitationResult
from longtracer.engine.text.citations import CITATION, citation_numbers
from longtracer_integrations.check import GroundingCheck, Verifier
from longtracer_integrations.draft import Draft
from longtracer_integrations.records import RetrievedDocument

from .nodes import node_documents
from .results import read_result

__all__ = ["CitationCheck", "CitationFinding", "CitationReport", "CitationVerdict"]

CitationVerdict = Literal["supports", "does_not_support", "contradicts", "out_of_range", "unchecked"]

_MARKER = re.compile(CITATION, re.IGNORECASE)
_VERDICTS: dict[ClaimAssessment, CitationVerdict] = {
    ClaimAssessment.SUPPORTED: "supports",
    ClaimAssessment.CONTRADICTED: "contradicts",
}
_Requests = Generator[Draft, CaseResult, CitationVerdict]


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationFinding:
    """One marker of the answer: `answer[char_start:char_end] == marker`.

    numbers       the sources it names, 1 being the first; none for a named footnote
    source_ids    the ids of those that exist
    verdict       "out_of_range": a number that no source has; "unchecked": the check did not come to an end
    supported_by  the sources that do support the claim, where those that are cited do not
    right_numbers the numbers of those sources: what the marker should have said
    """

    marker: str
    numbers: tuple[int, ...]
    char_start: int
    char_end: int
    claim_text: str
    source_ids: tuple[str, ...]
    verdict: CitationVerdict
    supported_by: tuple[str, ...] = ()
    right_numbers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationReport:
    """All markers of one answer, and the case of the answer as a whole."""

    case: CaseResult
    findings: tuple[CitationFinding, ...]

    @property
    def ok(self) -> bool:
        """Whether the answer passes, and every marker names a source that supports its claim."""
        return self.case.passed and all(finding.verdict == "supports" for finding in self.findings)

    @property
    def out_of_range(self) -> tuple[CitationFinding, ...]:
        """The markers with a number that no source has."""
        return tuple(finding for finding in self.findings if finding.verdict == "out_of_range")

    @property
    def wrong_source(self) -> tuple[CitationFinding, ...]:
        """The markers whose source does not say what the claim says."""
        wrong = ("does_not_support", "contradicts")
        return tuple(finding for finding in self.findings if finding.verdict in wrong)

    @property
    def uncited(self) -> tuple[ClaimResult, ...]:
        """The assessed claims without any marker."""
        return tuple(claim for claim in self.case.claims if claim.is_assessed and not claim.citations)


class CitationCheck:
    """Checks the citations of a response; one object for any number of responses.

    Args:
        verifier: a `CitationVerifier`, or anything with its two methods; None: one that the process shares.
        timeout: seconds for one check.

    Raises:
        InvalidInputError: for an unusable timeout.
    """

    def __init__(self, verifier: Verifier | None = None, *, timeout: float | None = None) -> None:
        self._whole = GroundingCheck(verifier, timeout=timeout, options={"check_citations": True})
        self._single = GroundingCheck(verifier, timeout=timeout)

    def check(self, response: Any, *, question: str | None = None) -> CitationReport:
        """Check the markers of a response against its source nodes; a streamed one is read to its end.

        Raises:
            TypeError: for something that is no response with source nodes.
        """
        if isinstance(response, StreamingResponse):
            response = response.get_response()
        answer = _Answer.of(response, question)
        case = self._whole.run(answer.draft)
        steps = _findings(answer, case)
        try:
            draft = next(steps)
            while True:
                draft = steps.send(self._single.run(draft))
        except StopIteration as stop:
            return CitationReport(case=case, findings=stop.value)

    async def acheck(self, response: Any, *, question: str | None = None) -> CitationReport:
        """As `check`, without blocking the event loop."""
        if isinstance(response, AsyncStreamingResponse):
            response = await response.get_response()
        answer = _Answer.of(response, question)
        case = await self._whole.run_async(answer.draft)
        steps = _findings(answer, case)
        try:
            draft = next(steps)
            while True:
                draft = steps.send(await self._single.run_async(draft))
        except StopIteration as stop:
            return CitationReport(case=case, findings=stop.value)


@dataclass(frozen=True, slots=True)
class _Answer:
    """The answer with its sources in the order in which they are numbered."""

    text: str
    sources: tuple[RetrievedDocument, ...]
    question: str | None

    @classmethod
    def of(cls, response: object, question: str | None) -> _Answer:
        result = read_result(response)
        if result is None or not hasattr(response, "source_nodes"):
            raise TypeError(f"{type(response).__name__} is no response with source nodes")
        # Every source keeps its number, also one whose text another source has too.
        sources = node_documents(result.nodes)
        return cls(result.text or "", _numbered(sources), question)

    @property
    def draft(self) -> Draft:
        return Draft(answer=self.text, documents=self.sources, question=self.question)

    def in_range(self, number: int) -> bool:
        return 1 <= number <= len(self.sources)

    def cited(self, numbers: Iterable[int]) -> tuple[RetrievedDocument, ...]:
        return tuple(self.sources[number - 1] for number in numbers if self.in_range(number))


def _numbered(sources: Sequence[RetrievedDocument]) -> tuple[RetrievedDocument, ...]:
    """`sources` with ids that are all different: chunks of one node share its id."""
    counts: dict[str, int] = {}
    numbered: list[RetrievedDocument] = []
    for source in sources:
        counts[source.id] = count = counts.get(source.id, 0) + 1
        numbered.append(source if count == 1 else replace(source, id=f"{source.id}#{count}"))
    return tuple(numbered)


def _findings(answer: _Answer, case: CaseResult) -> Generator[Draft, CaseResult, tuple[CitationFinding, ...]]:
    """The findings of all claims; yields what must be checked besides the answer as a whole."""
    findings: list[CitationFinding] = []
    for claim in case.claims:
        found: list[CitationFinding] = []
        for citation in claim.citations:
            found.append((yield from _finding(answer, claim, citation)))
        findings += yield from _jointly(answer, claim, found)
    return tuple(findings)


def _finding(
    answer: _Answer, claim: ClaimResult, citation: CitationResult
) -> Generator[Draft, CaseResult, CitationFinding]:
    numbers = _numbers(citation.text)
    cited = answer.cited(numbers)
    if citation.verdict != "unchecked":
        verdict = cast("CitationVerdict", citation.verdict)
    elif not numbers or len(cited) < len(numbers):
        verdict = "out_of_range" if numbers else "unchecked"
    else:
        verdict = yield from _verdict(claim, cited)
    ids = tuple(source.id for source in cited)
    others = () if verdict == "supports" else tuple(each for each in claim.supporting_sources if each not in ids)
    return CitationFinding(
        marker=citation.text,
        numbers=numbers,
        char_start=citation.char_start,
        char_end=citation.char_end,
        claim_text=claim.claim_text,
        source_ids=ids,
        verdict=verdict,
        supported_by=others,
        right_numbers=tuple(n for n, source in enumerate(answer.sources, 1) if source.id in others),
    )


def _verdict(claim: ClaimResult, sources: Sequence[RetrievedDocument]) -> _Requests:
    """What `sources` alone say about the claim."""
    case = yield Draft(answer=claim.claim_text, documents=sources)
    assessed = [each for each in case.claims if each.is_assessed]
    if not assessed:
        return "unchecked"
    verdicts = [_VERDICTS.get(each.assessment, "does_not_support") for each in assessed]
    order: tuple[CitationVerdict, ...] = ("contradicts", "does_not_support", "supports")
    return next(verdict for verdict in order if verdict in verdicts)


def _jointly(
    answer: _Answer, claim: ClaimResult, found: Sequence[CitationFinding]
) -> Generator[Draft, CaseResult, Sequence[CitationFinding]]:
    """A claim may need all the sources it cites: then none of them supports it alone, and each is right."""
    alone = [finding for finding in found if finding.verdict == "does_not_support"]
    if len(alone) < 2 or len(alone) < len(found):
        return found
    together = yield from _verdict(claim, answer.cited(number for finding in found for number in finding.numbers))
    if together != "supports":
        return found
    return [replace(finding, verdict="supports", supported_by=(), right_numbers=()) for finding in found]


def _numbers(marker: str) -> tuple[int, ...]:
    match = _MARKER.fullmatch(marker.strip())
    return (citation_numbers(marker.strip(), match) or ()) if match else ()

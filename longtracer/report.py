"""A case for people to read, coloured by verdict. Needs the `cli` extra."""

from __future__ import annotations

import re

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from .contracts import CaseResult, ClaimAssessment, ClaimResult, ClaimScores, EvidenceSentence, QualityGate

__all__ = ["case_report", "claim_table", "visible"]

# Control characters and the marks that turn the direction of writing: an answer must not steer the terminal.
_STEERING = re.compile("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u202a-\\u202e\\u2066-\\u2069]")

_GATE_STYLE = {QualityGate.PASS: "bold green", QualityGate.FAIL: "bold red", QualityGate.INDETERMINATE: "bold yellow"}
_CLAIM_STYLE = {
    ClaimAssessment.SUPPORTED: "green",
    ClaimAssessment.CONTRADICTED: "red",
    ClaimAssessment.CONFLICTING_SOURCES: "magenta",
    ClaimAssessment.INSUFFICIENT_EVIDENCE: "yellow",
}
_VERDICT = {
    ClaimAssessment.SUPPORTED: "SUPPORTED",
    ClaimAssessment.CONTRADICTED: "CONTRADICTED",
    ClaimAssessment.CONFLICTING_SOURCES: "CONFLICTING",
    ClaimAssessment.INSUFFICIENT_EVIDENCE: "INSUFFICIENT",
}


def case_report(case: CaseResult, *, title: str = "grounding") -> RenderableType:
    """The gate, the summary, and the claims with their evidence."""
    gate = Text(case.quality_gate.value, style=_GATE_STYLE[case.quality_gate])
    parts: list[RenderableType] = [Text.assemble(gate, "  ", Text(visible(case.summary)))]
    if case.claims:
        parts += [Text(), claim_table(case.claims)]
    return Panel(Group(*parts), title=Text(visible(title)), title_align="left", border_style="dim")


def claim_table(claims: tuple[ClaimResult, ...]) -> Table:
    """Per claim: the verdict beside the claim, its evidence sentence with the source id, and the scores."""
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for claim in claims:
        table.add_row(_verdict(claim), _body(claim))
    return table


def _verdict(claim: ClaimResult) -> Text:
    if not claim.is_assessed:
        return Text("NOT ASSESSED", style="dim")
    return Text(_VERDICT[claim.assessment], style=_CLAIM_STYLE[claim.assessment])


def _body(claim: ClaimResult) -> Text:
    # Text objects throughout, since an answer's own square brackets are not markup.
    body = Text(visible(claim.claim_text), style="bold")
    for evidence in _shown(claim):
        body.append(f"\n{_relation(claim, evidence)} ", style="not bold cyan")
        body.append(visible(evidence.source_id), style="not bold cyan")
        body.append(f": {visible(evidence.text)}", style="not bold")
    body.append(f"\n{visible(_why(claim))}\n", style="not bold dim")
    return body


def _shown(claim: ClaimResult) -> list[EvidenceSentence]:
    """The sentence that decided; with a conflict, one sentence of each named source."""
    named = (*claim.supporting_sources, *claim.contradicting_sources)
    if claim.assessment is not ClaimAssessment.CONFLICTING_SOURCES:
        return list(claim.evidence[:1])
    by_source = {evidence.source_id: evidence for evidence in reversed(claim.evidence)}
    return [by_source[source] for source in named if source in by_source]


def _relation(claim: ClaimResult, evidence: EvidenceSentence) -> str:
    if evidence.source_id in claim.supporting_sources:
        return "supported by"
    if evidence.source_id in claim.contradicting_sources:
        return "contradicted by"
    return "closest in"


def _why(claim: ClaimResult) -> str:
    parts = [claim.reason.value if claim.reason else ""]
    scores = claim.scores
    if scores is not None:
        parts.append(f"similarity {scores.similarity:.2f}")
        if scores.entailment is not None and scores.contradiction is not None:
            parts.append(f"entails {scores.entailment:.2f}, contradicts {scores.contradiction:.2f}")
        if _has_unstated_words(claim, scores):
            parts.append("words or names that no document has")
        if scores.verbatim:
            parts.append("word for word")
        parts += [f"{each.finding}: {each.claim_text}" for each in scores.quantities]
    return "; ".join(part for part in parts if part)


def visible(text: str) -> str:
    """`text` with the characters that would steer a terminal written out, as in "\\x1b"; line breaks stay."""
    return _STEERING.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def _has_unstated_words(claim: ClaimResult, scores: ClaimScores) -> bool:
    """Whether an entailed claim was refused for words that stand in no document."""
    refused = claim.assessment is ClaimAssessment.INSUFFICIENT_EVIDENCE
    known = scores.support is not None and scores.entailment is not None
    return refused and known and (scores.support or 0.0) < (scores.entailment or 0.0) / 2

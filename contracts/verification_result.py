"""The legacy result, with the meaning its fields have always had."""

from __future__ import annotations

import html
from dataclasses import dataclass, field
from typing import Any

__all__ = ["VerificationResult"]


@dataclass(slots=True)
class VerificationResult:
    """What the legacy methods return. Use `CaseResult` for any new gating logic.

    Attributes:
        trust_score: mean cosine similarity of the claims to their best source sentence. Not the share of
            supported claims; 1.0 without claims and 0.0 without sources.
        claims: one dict per claim with the keys `claim, supported, score, best_score, sentence_results,
            contradiction_score, entailment_score, nli_ran, best_source, best_source_index, best_source_metadata,
            is_hallucination, is_meta_statement, has_hallucination_pattern`. `entailment_score` holds the NEUTRAL
            probability: a known issue that stored verdicts depend on.
        flagged_claims: the claims that are not supported.
        hallucinations: the claims that a source contradicts, or that lean on the model's own knowledge.
        verdict: "PASS" when nothing is flagged and nothing is a hallucination, else "FAIL"; "PASS" when empty.
        latency_stats: milliseconds per stage.
    """

    trust_score: float
    claims: list[dict[str, Any]] = field(default_factory=list)
    flagged_claims: list[dict[str, Any]] = field(default_factory=list)
    hallucinations: list[dict[str, Any]] = field(default_factory=list)
    all_supported: bool = True
    hallucination_count: int = 0
    verdict: str = "PASS"
    summary: str = ""
    latency_stats: dict[str, float] = field(default_factory=dict)

    def _repr_html_(self) -> str:
        """A table for notebooks; every text is escaped, since answers are not to be trusted."""
        rows = "".join(
            f"<tr><td>{'supported' if claim.get('supported') else 'flagged'}</td>"
            f"<td>{html.escape(str(claim.get('claim', '')))}</td></tr>"
            for claim in self.claims
        )
        return f"<p><b>{html.escape(self.verdict)}</b> {html.escape(self.summary)}</p><table>{rows}</table>"

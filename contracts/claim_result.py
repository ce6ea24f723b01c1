"""The assessment of one claim, with the evidence it was judged on."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from .plain import PlainFloat, PlainInt, PlainText
from .states import AssessmentAvailability, ClaimAssessment, ReasonCode

__all__ = ["CitationResult", "ClaimResult", "ClaimScores", "EvidenceSentence", "QuantityFinding"]


class _Plain(BaseModel):
    # A reader of version "1" ignores fields it has never seen; so do we.
    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)


class EvidenceSentence(_Plain):
    """A piece of a source that a claim was compared with.

    `text` is `source_text[char_start:char_end]`; offsets count Unicode code points. The three probabilities are
    None where NLI did not run on this piece. `joined` marks a premise built from several pieces, of which this
    is the first one by position.
    """

    source_id: PlainText
    source_index: PlainInt
    text: PlainText
    char_start: PlainInt
    char_end: PlainInt
    similarity: PlainFloat
    entailment: PlainFloat | None = None
    contradiction: PlainFloat | None = None
    neutral: PlainFloat | None = None
    joined: bool = False
    windowed: bool = False


class QuantityFinding(_Plain):
    """A number, date or unit of the claim that its evidence does not state the same way."""

    claim_text: PlainText
    evidence_text: PlainText | None = None
    finding: PlainText


class ClaimScores(_Plain):
    """The scores behind an assessment: cosine similarity in -1..1, probabilities in 0..1.

    `similarity` is the legacy similarity of the claim. Probabilities are those of the evidence that decided the
    assessment and None when NLI did not run. `support` is what a rule compares with its entailment threshold:
    p(entailment), lowered for words and names of the claim that its documents do not have. `quantities` lists
    what the number check found (empty: nothing, or switched off); `windowed` says that a text exceeded the model's
    length and was read in windows.
    """

    similarity: PlainFloat
    entailment: PlainFloat | None = None
    contradiction: PlainFloat | None = None
    neutral: PlainFloat | None = None
    support: PlainFloat | None = None
    verbatim: bool = False
    windowed: bool = False
    quantity_check: PlainText | None = None
    quantities: tuple[QuantityFinding, ...] = ()


class CitationResult(_Plain):
    """A citation marker of the claim, and what became of it.

    `verdict` is one of "supports", "does_not_support", "contradicts", "out_of_range" or, with citations
    not checked, "unchecked". `source_ids` are the sources its numbers name (1 is the first source).
    """

    text: PlainText
    char_start: PlainInt
    char_end: PlainInt
    source_ids: tuple[PlainText, ...] = ()
    verdict: PlainText = "unchecked"


class ClaimResult(_Plain):
    """One claim of a response and its assessment (schema version "1").

    Attributes:
        claim_id: "claim_1", "claim_2", … in order of appearance.
        claim_text: the claim as written; `response[char_start:char_end] == claim_text`.
        confidence: similarity of a supported or insufficient claim (0 when negative), probability of
            contradiction of a contradicted one; 0..1.
        details: the raw scores as text, for people; `scores` holds them typed.
        char_start, char_end: offsets in Unicode code points.
        scores, evidence, citations: optional additions to version "1".
    """

    claim_id: PlainText
    claim_text: PlainText
    assessment: ClaimAssessment
    availability: AssessmentAvailability = AssessmentAvailability.ASSESSED
    reason: ReasonCode | None = None
    supporting_sources: tuple[PlainText, ...] = ()
    contradicting_sources: tuple[PlainText, ...] = ()
    confidence: PlainFloat = Field(default=1.0, ge=0.0, le=1.0)
    details: PlainText | None = None
    char_start: PlainInt | None = None
    char_end: PlainInt | None = None
    scores: ClaimScores | None = None
    evidence: tuple[EvidenceSentence, ...] = ()
    citations: tuple[CitationResult, ...] = ()

    @property
    def is_assessed(self) -> bool:
        """Whether the claim was compared with evidence (a refusal is not)."""
        return self.availability is AssessmentAvailability.ASSESSED

    @property
    def is_supported(self) -> bool:
        """Whether the claim was assessed and its evidence supports it."""
        return self.is_assessed and self.assessment is ClaimAssessment.SUPPORTED

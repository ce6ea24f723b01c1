"""The numbers of a decision, named: which score counts as support, as contradiction, as conflict."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["SIMILARITY_RULE", "SPEC_RULE", "DecisionRule"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionRule:
    """Thresholds of a profile. All are probabilities or cosines; a score must exceed (>) its threshold.

    similarity_gate      below this cosine NLI does not run on a pair and the claim has no evidence (>= passes)
    entailment           p(entailment) above which evidence supports a claim
    contradiction        p(contradiction) above which evidence contradicts a claim
    support_similarity   when set, a cosine at or above it supports a claim without entailment (`rule="similarity"`)
    conflict_entailment, conflict_contradiction, conflict_sources
                         thresholds and number of distinct sources of `detect_conflicts=True`
    evidence_sentences   how many best sentences of the sources are premises for a claim
    antecedents          whether a sentence that opens with a pronoun is read with the one before it
    premise_margin       how far below the best one a further sentence may be without having a new word of the claim
    neighbour_window     whether the best sentence is also tried together with the ones before and after it
    joined_window        whether the best sentences are also tried together, as one premise
    contradiction_margin how far below the best similarity a contradicting sentence may be and still count
    agreement_margin     how far p(entailment) must be above p(contradiction) in a premise that supports
    veto_margin          a contradiction stronger than the best entailment by more than this outweighs it; None: never
    answer_weight        weight of a short answer alone in the log-odds of its support; the rest is for the statement
                         that it makes with its question
    unstated_penalty     taken off the log-odds of support when no content word of the claim stands in the documents of
                         the premise; less in proportion when some do
    name_penalty         taken off the log-odds of support for each word of a name that those documents do not have
    temperature          divides the logits: p_i ** (1 / temperature), renormalised (Guo et al., 2017)
    """

    name: str
    similarity_gate: float = 0.25
    entailment: float = 0.5
    contradiction: float = 0.5
    support_similarity: float | None = None
    conflict_entailment: float = 0.5
    conflict_contradiction: float = 0.5
    conflict_sources: int = 3
    evidence_sentences: int = 3
    antecedents: bool = True
    premise_margin: float = 0.15
    neighbour_window: bool = True
    joined_window: bool = True
    contradiction_margin: float = 0.1
    agreement_margin: float = 0.0
    veto_margin: float | None = 0.0
    answer_weight: float = 0.0
    unstated_penalty: float = 0.0
    name_penalty: float = 0.0
    temperature: float = 1.0


SPEC_RULE = DecisionRule(name="entailment")
"""Entailment proves, similarity only selects: the default for any pair without a rule of its own."""

SIMILARITY_RULE = DecisionRule(
    name="similarity",
    support_similarity=0.40,
    evidence_sentences=1,
    antecedents=False,
    neighbour_window=False,
    joined_window=False,
)
"""The rule of the LongTracer 0.3 engine: a cosine of 0.40 supports, unless the best sentence contradicts."""

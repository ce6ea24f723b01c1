"""The grounding check as a LlamaIndex evaluator, for evaluation runs and for engines that retry."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llama_index.core.evaluation import BaseEvaluator, EvaluationResult
from llama_index.core.prompts.mixin import PromptDictType

from longtracer import CaseResult, QualityGate
from longtracer_integrations.check import GroundingCheck, Verifier
from longtracer_integrations.documents import read_documents, unique_documents
from longtracer_integrations.draft import Draft
from longtracer_integrations.records import RetrievedDocument

from .nodes import node_documents
from .results import read_result

__all__ = ["GroundingEvaluationResult", "GroundingEvaluator"]


class GroundingEvaluationResult(EvaluationResult):
    """An evaluation result with the whole case."""

    case: CaseResult


class GroundingEvaluator(BaseEvaluator):
    """Passes a response whose claims all follow from its contexts.

    `passing` is the quality gate, and False when nothing could be assessed, which is then an invalid result too;
    `score` is the share of assessed claims that are supported; `feedback` names those that are not.

    Args:
        verifier: a `CitationVerifier`, or anything with its two methods; None: one that the process shares.
        timeout: seconds for one check.
        detect_conflicts: also look for contexts that disagree.

    Raises:
        InvalidInputError: for an unusable option.
    """

    def __init__(
        self, verifier: Verifier | None = None, *, timeout: float | None = None, detect_conflicts: bool = False
    ) -> None:
        self._check = GroundingCheck(verifier, timeout=timeout, detect_conflicts=detect_conflicts)

    def evaluate(
        self,
        query: str | None = None,
        response: str | None = None,
        contexts: Sequence[str] | None = None,
        **kwargs: Any,
    ) -> EvaluationResult:
        """Check `response` against `contexts`; without contexts (None) the result is invalid."""
        draft = _draft(query, response, None if contexts is None else read_documents(list(contexts)))
        return _evaluation(draft, self._check.run(draft))

    async def aevaluate(
        self,
        query: str | None = None,
        response: str | None = None,
        contexts: Sequence[str] | None = None,
        **kwargs: Any,
    ) -> EvaluationResult:
        """As `evaluate`, without blocking the event loop."""
        draft = _draft(query, response, None if contexts is None else read_documents(list(contexts)))
        return _evaluation(draft, await self._check.run_async(draft))

    def evaluate_response(self, query: str | None = None, response: Any = None, **kwargs: Any) -> EvaluationResult:
        """Check a response against its source nodes, which keep their ids."""
        draft = _response_draft(query, response)
        return _evaluation(draft, self._check.run(draft))

    async def aevaluate_response(
        self, query: str | None = None, response: Any = None, **kwargs: Any
    ) -> EvaluationResult:
        """As `evaluate_response`, without blocking the event loop."""
        draft = _response_draft(query, response)
        return _evaluation(draft, await self._check.run_async(draft))

    def _get_prompts(self) -> PromptDictType:
        return {}

    def _update_prompts(self, prompts_dict: PromptDictType) -> None:
        """There are no prompts: no model is asked."""


def _draft(query: str | None, response: str | None, documents: Sequence[RetrievedDocument] | None) -> Draft:
    return Draft(answer=response or "", documents=documents, question=query)


def _response_draft(query: str | None, response: object) -> Draft:
    result = read_result(response)
    if result is None:
        return _draft(query, None, None)
    return _draft(query, result.text, unique_documents(node_documents(result.nodes)))


def _evaluation(draft: Draft, case: CaseResult) -> GroundingEvaluationResult:
    undecided = case.quality_gate is QualityGate.INDETERMINATE
    return GroundingEvaluationResult(
        query=draft.question,
        contexts=None if draft.documents is None else [document.text for document in draft.documents],
        response=draft.answer,
        passing=case.passed,
        score=None if undecided else _score(case),
        feedback=_feedback(case),
        invalid_result=undecided,
        invalid_reason=case.summary if undecided else None,
        case=case,
    )


def _score(case: CaseResult) -> float:
    assessed = [claim for claim in case.claims if claim.is_assessed]
    if not assessed:
        return float(case.passed)
    return sum(claim.is_supported for claim in assessed) / len(assessed)


def _feedback(case: CaseResult) -> str:
    claims = "; ".join(f'"{claim.claim_text}"' for claim in case.unsupported_claims)
    return f"{case.summary} Not supported by the sources: {claims}" if claims else case.summary

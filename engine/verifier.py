"""The verifier: models, rule and workers, behind the methods that callers use."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from typing import Any, Self

from longtracer.contracts import CaseResult, InvalidInputError, VerificationResult

from .batch import Progress, run_in_order, run_in_order_async
from .case_view import case_view
from .decide import FactChecker
from .deferred_models import DeferredModels
from .embedding_cache import EmbeddingCache
from .evaluate import Checkpoint, Evaluation, evaluate
from .facts.compare import compare_facts
from .legacy_view import legacy_view
from .limits import Limits
from .pending_case import PendingCase
from .pool import WorkerPool
from .protocols import ModelPair
from .request import CaseItem, EvaluationRequest, checked_timeout, read_item, read_request
from .rule import SIMILARITY_RULE, DecisionRule
from .rules import named_rule, rule_for
from .waiting import Abandon, Deadline, wait, wait_async

__all__ = ["CitationVerifier"]

_Texts = Sequence[str | None]
_Metadata = Sequence[Mapping[str, Any] | None] | None
_Submitted = tuple[Future[Evaluation], Abandon]


class CitationVerifier:
    """Checks whether each claim of a response is grounded in its sources.

    Safe to share between threads and event loops; evaluations run on a few worker threads of its own.

    Args:
        threshold: accepted and stored for compatibility; no rule reads it.
        cache: keep the embeddings of source sentences between calls (bounded).
        models: a profile name, a profile file, a `ModelPair`, `DeferredModels`, or None (environment variable
            `LONGTRACER_MODELS`, else "embedded").
        rule: "similarity", "entailment", a `DecisionRule`, a profile file, or None for the rule of the models.
        max_workers: evaluations that run at the same time (default: the cores, at least 2 and at most 4).
        max_queue: evaluations that may wait; one more is refused as EVALUATION_FAILED. None: no bound. Batch methods
            keep few enough under way themselves, and wait rather than being refused.
        check_numbers: compare quantities, dates and units of a claim with its evidence, beside the model.
        max_claims, max_source_chars, max_sentences: see `Limits`.

    Raises:
        ModelUnavailableError: when the models cannot be loaded (`DeferredModels` are not loaded here).
        InvalidInputError: for an unknown profile or rule, or a bound that is no whole number above zero.
    """

    def __init__(
        self,
        threshold: float = 0.5,
        cache: bool = False,
        *,
        models: str | ModelPair | DeferredModels | None = None,
        rule: str | DecisionRule | None = None,
        max_workers: int | None = None,
        max_queue: int | None = None,
        check_numbers: bool = True,
        max_claims: int | None = None,
        max_source_chars: int | None = None,
        max_sentences: int | None = None,
    ) -> None:
        self.threshold = threshold
        self._rule = named_rule(rule)
        self._limits = Limits(max_claims=max_claims, max_source_chars=max_source_chars, max_sentences=max_sentences)
        self._pool = WorkerPool(max_workers, max_queue)
        self._facts: FactChecker | None = compare_facts if check_numbers else None
        self._cache = EmbeddingCache() if cache else None
        self._models = models if isinstance(models, DeferredModels) else DeferredModels(models)
        if not isinstance(models, DeferredModels):
            self._models.get()

    # Typed results -------------------------------------------------------------------------------------------

    def verify_case(
        self,
        response: str,
        sources: _Texts,
        source_metadata: _Metadata = None,
        *,
        case_id: str | None = None,
        timeout: float | None = None,
        detect_conflicts: bool = False,
        check_citations: bool = False,
        question: str | None = None,
        history: Sequence[Any] | None = None,
    ) -> CaseResult:
        """Check one response; whatever happens is in the result.

        Args:
            response: the answer, any text.
            sources: the documents; None entries are ignored and noted.
            source_metadata: one mapping per source; `source_id`, then `id`, names it, else "source_<index>".
            case_id: copied into the result.
            timeout: seconds until the result is a TIMEOUT; the evaluation stops at its next stage.
            detect_conflicts: also look for sources that disagree about a claim (costs more pairs).
            check_citations: judge `[n]` against the n-th source, and look quotations up.
            question: what the user asked; lets short answers be judged.
            history: earlier turns, (role, content); those of "user" and "tool" are evidence.

        Raises:
            InvalidInputError: for a timeout that is not a finite number above zero. Nothing else is raised.
        """
        return self._start_case(
            time.perf_counter(),
            Deadline(checked_timeout(timeout)),
            response,
            sources,
            source_metadata,
            case_id=case_id,
            detect_conflicts=detect_conflicts,
            check_citations=check_citations,
            question=question,
            history=history,
        ).result()

    async def verify_case_async(
        self,
        response: str,
        sources: _Texts,
        source_metadata: _Metadata = None,
        *,
        case_id: str | None = None,
        timeout: float | None = None,
        detect_conflicts: bool = False,
        check_citations: bool = False,
        question: str | None = None,
        history: Sequence[Any] | None = None,
    ) -> CaseResult:
        """As `verify_case`, without blocking the event loop.

        Raises:
            InvalidInputError: for an unusable timeout.
            asyncio.CancelledError: when the awaiting task is cancelled.
        """
        return await self._start_case(
            time.perf_counter(),
            Deadline(checked_timeout(timeout)),
            response,
            sources,
            source_metadata,
            case_id=case_id,
            detect_conflicts=detect_conflicts,
            check_citations=check_citations,
            question=question,
            history=history,
        ).result_async()

    def verify_cases(
        self,
        items: Iterable[CaseItem | Mapping[str, Any] | tuple[Any, ...]],
        *,
        timeout: float | None = None,
        detect_conflicts: bool = False,
        check_citations: bool = False,
        progress: Progress | None = None,
    ) -> list[CaseResult]:
        """Check many cases, a bounded number at a time; results in the order of `items`.

        Each item is a `CaseItem`, a mapping of its fields, or a (response, sources[, source_metadata]) tuple.
        `timeout` limits each case. A case that fails is a result like any other.

        Raises:
            InvalidInputError: for an unusable timeout.
        """
        seconds = checked_timeout(timeout)
        options = {"detect_conflicts": detect_conflicts, "check_citations": check_citations}

        def start(item: object) -> Callable[[], CaseResult]:
            return self._start_item(item, seconds, options).result

        return list(run_in_order(items, start, width=self._pool.width, progress=progress))

    async def verify_cases_async(
        self,
        items: Iterable[CaseItem | Mapping[str, Any] | tuple[Any, ...]],
        *,
        timeout: float | None = None,
        detect_conflicts: bool = False,
        check_citations: bool = False,
        progress: Progress | None = None,
    ) -> list[CaseResult]:
        """As `verify_cases`, without blocking the event loop."""
        seconds = checked_timeout(timeout)
        options = {"detect_conflicts": detect_conflicts, "check_citations": check_citations}

        async def run(item: object) -> CaseResult:
            return await self._start_item(item, seconds, options).result_async()

        return await run_in_order_async(items, run, width=self._pool.width, progress=progress)

    # Legacy results ------------------------------------------------------------------------------------------

    def verify(self, response: str, sources: _Texts, source_metadata: _Metadata = None) -> VerificationResult:
        """The legacy result.

        Raises:
            TypeError: for arguments of the wrong type.
            EvaluatorError: from the models, as they are.
        """
        return self.verify_parallel(response, sources, source_metadata)

    def verify_parallel(self, response: str, sources: _Texts, source_metadata: _Metadata = None) -> VerificationResult:
        """The same as `verify`: claims have been scored together since there is one batched call."""
        return legacy_view(_result(self._submit_legacy(response, sources, source_metadata)))

    async def verify_parallel_async(
        self, response: str, sources: _Texts, source_metadata: _Metadata = None
    ) -> VerificationResult:
        """As `verify_parallel`, without blocking the event loop."""
        return await _legacy_result_async(self._submit_legacy(response, sources, source_metadata))

    def verify_batch(
        self,
        responses: Sequence[str],
        sources: Sequence[_Texts],
        source_metadata: Sequence[_Metadata] | None = None,
    ) -> list[VerificationResult]:
        """Legacy results of many responses, each with the sources of the same index.

        Raises:
            TypeError: for arguments of the wrong type.
            InvalidInputError: when the lists differ in length.
            EvaluatorError: from the models, as they are.
        """
        items = _zipped(responses, sources, source_metadata)

        def start(item: tuple[str, _Texts, _Metadata]) -> Callable[[], VerificationResult]:
            submitted = self._submit_legacy(*item, bounded=False)
            return lambda: legacy_view(_result(submitted))

        return list(run_in_order(items, start, width=self._pool.width))

    async def verify_batch_async(
        self,
        responses: Sequence[str],
        sources: Sequence[_Texts],
        source_metadata: Sequence[_Metadata] | None = None,
    ) -> list[VerificationResult]:
        """As `verify_batch`, without blocking the event loop."""
        items = _zipped(responses, sources, source_metadata)

        async def run(item: tuple[str, _Texts, _Metadata]) -> VerificationResult:
            return await _legacy_result_async(self._submit_legacy(*item, bounded=False))

        return await run_in_order_async(items, run, width=self._pool.width)

    # Life cycle ----------------------------------------------------------------------------------------------

    def warmup(self) -> Self:
        """Load the models and run them once, so that the first real call is as fast as the next.

        Raises:
            ModelUnavailableError: when the models cannot be loaded.
        """
        self._models.get()
        self.verify_parallel("The lake is deep.", ["The lake is very deep."])
        return self

    def close(self) -> None:
        """Cancel what waits and end the workers. Idempotent; later calls report EVALUATION_FAILED."""
        self._pool.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # One path ------------------------------------------------------------------------------------------------

    def _start_item(self, item: object, seconds: float | None, options: Mapping[str, bool]) -> PendingCase:
        began, deadline = time.perf_counter(), Deadline(seconds)
        try:
            case = read_item(item)
        except TypeError as error:
            return PendingCase(began, deadline, None, failed=InvalidInputError(str(error)))
        return self._start_case(
            began,
            deadline,
            case.response,
            case.sources,
            case.source_metadata,
            case_id=case.case_id,
            question=case.question,
            history=case.history,
            bounded=False,
            **options,
        )

    def _start_case(
        self,
        began: float,
        deadline: Deadline,
        response: object,
        sources: object,
        source_metadata: object,
        *,
        bounded: bool = True,
        **options: Any,
    ) -> PendingCase:
        """Validate and queue one case; from here on everything is an outcome of it."""
        case_id = options["case_id"] if isinstance(options["case_id"], str) else None
        abandon = Abandon()
        try:
            request = read_request(response, sources, source_metadata, **options)
        except TypeError as error:
            return PendingCase(began, deadline, case_id, failed=InvalidInputError(str(error)))
        except Exception as error:  # noqa: BLE001 - the case boundary: a caller's own sequence may raise anything
            return PendingCase(began, deadline, case_id, failed=error)
        try:
            future = self._pool.submit(lambda: self._case(request, abandon.checkpoint), bounded=bounded)
        except RuntimeError as error:  # a full queue, a closed verifier, no thread
            return PendingCase(began, deadline, case_id, failed=error)
        return PendingCase(began, deadline, case_id, future=future, abandon=abandon)

    def _submit_legacy(
        self, response: object, sources: object, source_metadata: object, *, bounded: bool = True
    ) -> _Submitted:
        request = read_request(response, sources, source_metadata)
        abandon = Abandon()
        future = self._pool.submit(lambda: self._legacy_evaluation(request, abandon.checkpoint), bounded=bounded)
        return future, abandon

    def _case(self, request: EvaluationRequest, checkpoint: Checkpoint) -> CaseResult:
        evaluation = self._evaluate(request, self._rule, checkpoint)
        models = self._models.loaded if evaluation.used_models or evaluation.foreign else None
        return case_view(evaluation, rule_for(self._rule, models), models=models, facts=self._facts)

    def _legacy_evaluation(self, request: EvaluationRequest, checkpoint: Checkpoint) -> Evaluation:
        # The legacy rule reads one sentence per claim, and has no word for a language it does not know.
        return self._evaluate(request, SIMILARITY_RULE, checkpoint, judge_language=False)

    def _evaluate(
        self,
        request: EvaluationRequest,
        rule: DecisionRule | None,
        checkpoint: Checkpoint,
        *,
        judge_language: bool = True,
    ) -> Evaluation:
        return evaluate(
            request,
            self._models.get,
            rule,
            limits=self._limits,
            cache=self._cache,
            judge_language=judge_language,
            checkpoint=checkpoint,
        )


def _result(submitted: _Submitted) -> Evaluation:
    future, abandon = submitted
    return wait(future, Deadline(None), abandon.now)


async def _legacy_result_async(submitted: _Submitted) -> VerificationResult:
    future, abandon = submitted
    return legacy_view(await wait_async(future, Deadline(None), abandon.now))


def _zipped(
    responses: Sequence[str], sources: Sequence[_Texts], source_metadata: Sequence[_Metadata] | None
) -> list[tuple[str, _Texts, _Metadata]]:
    for name, value in (("responses", responses), ("sources", sources)):
        if isinstance(value, str) or not isinstance(value, Sequence):
            raise TypeError(f"{name} must be a list, not {type(value).__name__}")
    metadata = source_metadata if source_metadata is not None else [None] * len(responses)
    if not len(responses) == len(sources) == len(metadata):
        raise InvalidInputError(
            f"{len(responses)} responses, {len(sources)} lists of sources and {len(metadata)} of metadata differ"
        )
    return list(zip(responses, sources, metadata, strict=True))

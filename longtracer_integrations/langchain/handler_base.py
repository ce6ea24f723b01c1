"""What the sync and the async handler share: construction, records, and the recorder behind the events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self
from uuid import UUID, uuid4

from longtracer_integrations.check import GroundingCheck, Verifier
from longtracer_integrations.documents import read_documents
from longtracer_integrations.observer import Observer, OnResult
from longtracer_integrations.records import AnswerStatus, RagAnswer

from .capture_options import CaptureOptions, EvidenceKind
from .langsmith import FeedbackClient, FeedbackSender
from .recorder import Recorder

__all__ = ["HandlerBase"]


class HandlerBase:
    """Records of the answers of watched pipelines, newest last.

    One handler may serve any number of requests, threads and event loops at the same time.

    Args:
        verifier: checks the answers; by default the process's shared one with the embedded models.
        timeout: seconds for one check.
        detect_conflicts: also look for documents that disagree.
        answer_key, context_key, question_key: keys of the pipeline's output or input, if they are not the usual ones.
        id_key: metadata key that names a document, for documents without an id of their own.
        evidence: add "tool" to count text results of tools as documents.
        history: count earlier turns of the user and of tools as evidence.
        background: check in threads of its own; `wait()`, `aclose()` wait for it.
        max_queue: background checks that may wait.
        on_result: called with each finished record.
        sample_rate: share of the answers that are checked, 0 to 1; the others get a SKIPPED case.
        max_records: how many records are kept.
        raise_error: let what `on_result` raises stop the pipeline.
        check_options: more keyword arguments of `verify_case`, such as `check_citations`.
        langsmith_client: where feedback goes; by default LangSmith's own client when tracing is on.

    Raises:
        InvalidInputError: for an unusable option.
    """

    def __init__(
        self,
        verifier: Verifier | None = None,
        *,
        timeout: float | None = None,
        detect_conflicts: bool = False,
        answer_key: str | None = None,
        context_key: str | None = None,
        question_key: str | None = None,
        id_key: str | None = None,
        evidence: Sequence[EvidenceKind] = ("retriever",),
        history: bool = False,
        background: bool = False,
        max_queue: int = 1000,
        on_result: OnResult | None = None,
        sample_rate: float = 1.0,
        max_records: int = 1000,
        raise_error: bool = False,
        check_options: Mapping[str, Any] | None = None,
        langsmith_client: FeedbackClient | None = None,
    ) -> None:
        super().__init__()
        self.raise_error = raise_error
        options = CaptureOptions(
            answer_key=answer_key,
            context_key=context_key,
            question_key=question_key,
            id_key=id_key,
            evidence=evidence,
            history=history,
        )
        self.recorder = Recorder(options)
        self._feedback = FeedbackSender(langsmith_client)
        self._observer = Observer(
            GroundingCheck(verifier, timeout=timeout, detect_conflicts=detect_conflicts, options=check_options),
            on_result=on_result,
            sample_rate=sample_rate,
            background=background,
            max_queue=max_queue,
            max_records=max_records,
            raise_errors=raise_error,
            also=self._feedback.send,
        )

    @property
    def last(self) -> RagAnswer | None:
        """The newest record, or None."""
        return self._observer.log.last

    @property
    def records(self) -> tuple[RagAnswer, ...]:
        """The records that are kept, newest last."""
        return self._observer.log.records

    @property
    def open_requests(self) -> int:
        """How many requests have begun and not ended."""
        return len(self.recorder.table)

    def result_for(self, run_id: UUID | str) -> RagAnswer | None:
        """The record of the request whose root has this run id, or None."""
        return self._observer.log.result_for(run_id)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for background checks; False when `timeout` seconds pass first."""
        return self._observer.wait(timeout)

    async def aclose(self) -> None:
        """Finish background checks and end their threads, without blocking the event loop."""
        await self._observer.aclose()

    def close(self) -> None:
        """Finish background checks and end their threads."""
        self._observer.close()

    def check_answer(
        self, answer: str, documents: object, *, question: str | None = None, run_id: str | None = None
    ) -> RagAnswer:
        """Check and record an answer that no run ties to its documents, such as one put together by hand.

        documents: as a guard accepts them; None means that nothing was retrieved.

        Raises:
            TypeError: when `documents` cannot be read as documents.
        """
        read = read_documents(documents, id_key=self.recorder.options.id_key)
        status = AnswerStatus.OK if read else AnswerStatus.NO_DOCUMENTS
        record = RagAnswer(
            question=question,
            answer=answer,
            documents=read,
            status=AnswerStatus.NO_RETRIEVAL if documents is None else status,
            run_id=run_id or str(uuid4()),
        )
        return self._observer.finish_now(record)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        # Models and chains that hold the handler are copied; the records belong to the one the user has.
        return self

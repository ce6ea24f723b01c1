"""Finishing captured answers, records, documents and their ids."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from longtracer_integrations import AnswerStatus, RagAnswer, RetrievedDocument
from longtracer_integrations.check import GroundingCheck
from longtracer_integrations.documents import read_documents, to_sources, unique_documents
from longtracer_integrations.observer import Observer
from longtracer_integrations.record_log import RecordLog
from longtracer_integrations.sampling import is_sampled

DOCUMENTS = read_documents(["Dogs are allowed."])


def record(
    status: AnswerStatus = AnswerStatus.OK, run_id: str = "1", answer: str | None = "Dogs are allowed."
) -> RagAnswer:
    return RagAnswer(question="q", answer=answer, documents=DOCUMENTS, status=status, run_id=run_id)


@pytest.mark.parametrize(
    ("status", "execution"),
    [
        (AnswerStatus.OK, "SUCCESS"),
        (AnswerStatus.NO_DOCUMENTS, "SUCCESS"),
        (AnswerStatus.NO_RETRIEVAL, "SKIPPED"),
        (AnswerStatus.AMBIGUOUS, "SKIPPED"),
        (AnswerStatus.CLOSED_EARLY, "SKIPPED"),
        (AnswerStatus.ERROR, None),
        (AnswerStatus.CANCELLED, None),
        (AnswerStatus.INTERRUPTED, None),
    ],
)
def test_the_status_decides_whether_there_is_something_to_check(
    status: AnswerStatus, execution: str | None, verifier: Any
) -> None:
    finished = Observer(GroundingCheck(verifier)).finish(record(status))
    assert finished is not None
    assert (finished.case.execution.value if finished.case else None) == execution


async def test_sync_and_async_finish_alike(verifier: Any) -> None:
    observer = Observer(GroundingCheck(verifier))
    first, second = await observer.finish_async(record()), observer.finish(record())
    assert first is not None
    assert second is not None
    assert first.case is not None
    assert second.case is not None
    assert first.case.quality_gate is second.case.quality_gate


async def test_cancelling_an_async_finish_passes_through() -> None:
    class Never:
        async def verify_case_async(self, *_: Any, **__: Any) -> Any:
            await asyncio.sleep(60)

        verify_case = None

    observer = Observer(GroundingCheck(Never()))  # type: ignore[arg-type]
    task = asyncio.create_task(observer.finish_async(record()))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


def test_a_share_of_runs_is_sampled_and_the_same_run_always_is() -> None:
    runs = [f"run-{number}" for number in range(2000)]
    sampled = [run for run in runs if is_sampled(run, 0.25)]
    assert 400 < len(sampled) < 600
    assert all(is_sampled(run, 0.25) for run in sampled)
    assert all(is_sampled(run, 0.5) for run in sampled)


def test_a_log_keeps_the_newest_and_finds_by_run_id() -> None:
    log = RecordLog(capacity=2)
    for run_id in ("a", "b", "c"):
        log.add(record(run_id=run_id))
    assert [kept.run_id for kept in log.records] == ["b", "c"]
    assert (log.result_for("a"), log.last) == (None, log.result_for("c"))


def test_u72_two_texts_under_one_id_are_both_usable() -> None:
    found = unique_documents([RetrievedDocument(id="n", text=text) for text in ("one", "two", "one")])
    assert [(document.id, document.text) for document in found] == [("n", "one"), ("n#2", "two")]


def test_an_id_that_looks_like_a_made_one_stays_free() -> None:
    found = unique_documents([RetrievedDocument(id=i, text=t) for i, t in (("n", "a"), ("n#2", "b"), ("n", "c"))])
    assert len({document.id for document in found}) == 3


def test_metadata_never_overwrites_the_id() -> None:
    (document,) = read_documents([{"text": "x", "id": "own", "metadata": {"source_id": "other", "id_from": "?"}}])
    _, metadata = to_sources([document])
    assert metadata == [{"source_id": "own", "id_from": "document.id"}]


@pytest.mark.parametrize(
    ("entry", "identity", "origin"),
    [
        ({"text": "x", "id": 7}, "7", "document.id"),
        ({"text": "x", "metadata": {"ref": "r", "doc_id": "d"}}, "r", "metadata.ref"),
        ({"text": "x", "metadata": {"doc_id": "d", "id": "i"}}, "d", "metadata.doc_id"),
        ({"text": "x", "metadata": {"chunk_id": 3}}, "3", "metadata.chunk_id"),
        ({"text": "x", "metadata": {"source": "f.txt", "page": 0}}, "f.txt#page=0", "metadata.source"),
    ],
)
def test_where_an_id_comes_from(entry: Any, identity: str, origin: str) -> None:
    (document,) = read_documents([entry], id_key="ref")
    assert (document.id, document.id_from) == (identity, origin)


def test_a_text_without_any_id_is_named_by_its_content() -> None:
    first, second = read_documents(["one", "two"])
    assert first.id_from == "content-hash"
    assert first.id != second.id
    assert read_documents(["one"]) == (first,)


@pytest.mark.parametrize("value", [7, [7], [None], [{"metadata": {}}]])
def test_what_is_no_document_is_refused(value: Any) -> None:
    with pytest.raises(TypeError):
        read_documents(value)

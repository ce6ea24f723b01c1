"""Streamed query responses: the reader sees what it would see without us, and the end is known."""

from __future__ import annotations

import gc
import io
from collections.abc import Callable
from contextlib import redirect_stdout
from typing import Any

import pytest
from llama_index.core.base.response.schema import AsyncStreamingResponse, StreamingResponse

from longtracer_integrations import AnswerStatus
from longtracer_integrations.llamaindex import InstrumentHandle

from .fakes import GOOD, QUESTION, ScriptedLLM, engine, ids, retrieved_ids

ODD = "  The lighthouse:\n\n* white,\n* and red 🗼.\n```py\nx = 1\n```  "


def _stream(answer: str = GOOD, **options: object) -> StreamingResponse:
    response = engine(answer, streaming=True, **options).query(QUESTION)
    assert isinstance(response, StreamingResponse)
    return response


async def _astream(answer: str = GOOD, **options: object) -> AsyncStreamingResponse:
    response = await engine(answer, streaming=True, **options).aquery(QUESTION)
    assert isinstance(response, AsyncStreamingResponse)
    return response


def _printed(response: StreamingResponse) -> str:
    with redirect_stdout(io.StringIO()) as out:
        response.print_response_stream()
    return out.getvalue()


@pytest.mark.parametrize(
    "read", [lambda r: "".join(r.response_gen), str, _printed, lambda r: r.get_response().response]
)
def test_t41_the_answer_is_checked_after_the_stream(
    handle: InstrumentHandle, read: Callable[[StreamingResponse], str]
) -> None:
    response = _stream()
    assert handle.records == ()
    read(response)
    (record,) = handle.records
    assert (record.answer, ids(record), record.status) == (GOOD, retrieved_ids(QUESTION), AnswerStatus.OK)


async def test_t41_asynchronously(handle: InstrumentHandle) -> None:
    response = await _astream()
    async for _ in response.async_response_gen():
        assert handle.records == ()
    (record,) = handle.records
    assert (record.answer, ids(record), record.status) == (GOOD, retrieved_ids(QUESTION), AnswerStatus.OK)


async def test_iterating_the_asynchronous_generator_itself(handle: InstrumentHandle) -> None:
    response = await _astream()
    assert "".join([piece async for piece in response.response_gen]) == GOOD
    assert handle.last is not None
    assert handle.last.answer == GOOD


def test_the_result_is_in_the_metadata_after_the_end(handle: InstrumentHandle) -> None:
    response = _stream()
    list(response.response_gen)
    assert response.metadata is not None
    assert response.metadata["longtracer"]["quality_gate"] == "PASS"
    assert set(retrieved_ids(QUESTION)) < set(response.metadata)


async def test_the_result_is_in_the_metadata_after_an_asynchronous_end(handle: InstrumentHandle) -> None:
    response = await _astream()
    async for _ in response.response_gen:
        pass
    assert response.metadata is not None
    assert response.metadata["longtracer"]["quality_gate"] == "PASS"


@pytest.mark.parametrize("answer", [GOOD, ODD])
def test_u70_the_pieces_are_the_same_with_and_without_us(handle: InstrumentHandle, answer: str) -> None:
    watched = list(_stream(answer).response_gen)
    handle.close()
    assert watched == list(_stream(answer).response_gen)


@pytest.mark.parametrize("answer", [GOOD, ODD])
async def test_u70_asynchronous_pieces_are_the_same_with_and_without_us(handle: InstrumentHandle, answer: str) -> None:
    watched = [piece async for piece in (await _astream(answer)).response_gen]
    await handle.aclose()
    assert watched == [piece async for piece in (await _astream(answer)).response_gen]


def test_nothing_is_drained(handle: InstrumentHandle) -> None:
    watched = _given_after_one_piece()
    handle.close()
    assert watched == _given_after_one_piece()


def _given_after_one_piece() -> int:
    """How many pieces the model has given when its reader has one."""
    llm = SlowReader(GOOD)
    stream = iter(_stream(llm=llm).response_gen)
    next(stream)
    return llm.given


class SlowReader(ScriptedLLM):
    """Counts the pieces that were asked for."""

    given: int = 0

    def stream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> Any:
        for part in super().stream_complete(prompt, formatted, **kwargs):
            self.given += 1
            yield part


def test_t41_a_stream_that_is_left_early_is_not_graded(handle: InstrumentHandle) -> None:
    stream = _stream().response_gen
    read = next(stream)
    stream.close()  # type: ignore[attr-defined]
    (record,) = handle.records
    assert (record.status, record.answer, record.partial) == (AnswerStatus.CLOSED_EARLY, None, read)
    assert record.case is not None
    assert not record.case.passed


async def test_t41_an_asynchronous_stream_that_is_left_early_is_not_graded(handle: InstrumentHandle) -> None:
    stream = (await _astream()).response_gen
    await anext(aiter(stream))
    await stream.aclose()  # type: ignore[attr-defined]
    await handle.wait_async()
    (record,) = handle.records
    assert record.status is AnswerStatus.CLOSED_EARLY


def test_a_model_that_fails_in_mid_stream_is_an_error(handle: InstrumentHandle) -> None:
    with pytest.raises(RuntimeError, match="the model is down"):
        list(_stream(llm=ScriptedLLM(GOOD, fail_after=3)).response_gen)
    (record,) = handle.records
    assert (record.status, record.answer, record.case) == (AnswerStatus.ERROR, None, None)
    assert record.error == "the model is down"
    assert GOOD.startswith(record.partial or "")
    assert record.partial != GOOD
    assert ids(record) == retrieved_ids(QUESTION)


def test_t52_a_stream_that_nobody_reads_leaves_nothing(
    handle: InstrumentHandle, open_traces: Callable[[], int]
) -> None:
    for _ in range(5):
        _stream()
    gc.collect()
    assert (handle.records, open_traces()) == ((), 0)


async def test_t52_an_asynchronous_stream_that_nobody_reads_leaves_nothing(
    handle: InstrumentHandle, open_traces: Callable[[], int]
) -> None:
    for _ in range(5):
        await _astream()
    gc.collect()
    assert (handle.records, open_traces()) == ((), 0)


def test_a_stream_is_checked_after_its_response_is_gone(handle: InstrumentHandle) -> None:
    stream = _stream().response_gen
    gc.collect()
    assert "".join(stream) == GOOD
    assert [record.answer for record in handle.records] == [GOOD]

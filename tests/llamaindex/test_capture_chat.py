"""Chat engines: one record per turn, of what the user was told."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.chat_engine.types import StreamingAgentChatResponse

from longtracer import QualityGate
from longtracer_integrations import AnswerStatus
from longtracer_integrations.llamaindex import InstrumentHandle

from .fakes import BAD, GOOD, QUESTION, ScriptedLLM, chat_engine, ids, retrieved_ids

MODES = ["context", "condense_question", "condense_plus_context"]


@pytest.mark.parametrize("mode", MODES)
def test_t51_chat_records_the_answer_and_the_nodes(handle: InstrumentHandle, mode: str) -> None:
    response = chat_engine(mode).chat(QUESTION)
    (record,) = handle.records
    assert (record.question, record.answer, ids(record)) == (QUESTION, GOOD, retrieved_ids(QUESTION))
    assert response.metadata["longtracer"]["quality_gate"] == "PASS"


@pytest.mark.parametrize("mode", MODES)
async def test_t51_achat(handle: InstrumentHandle, mode: str) -> None:
    response = await chat_engine(mode).achat(QUESTION)
    await handle.wait_async()
    (record,) = handle.records
    assert (record.question, record.answer, ids(record)) == (QUESTION, GOOD, retrieved_ids(QUESTION))
    assert response.metadata["longtracer"]["quality_gate"] == "PASS"


@pytest.mark.parametrize("mode", MODES)
def test_t51_stream_chat(handle: InstrumentHandle, mode: str) -> None:
    assert "".join(chat_engine(mode).stream_chat(QUESTION).response_gen) == GOOD
    (record,) = handle.records
    assert (record.answer, ids(record), record.status) == (GOOD, retrieved_ids(QUESTION), AnswerStatus.OK)


@pytest.mark.parametrize("mode", MODES)
async def test_t51_astream_chat(handle: InstrumentHandle, mode: str) -> None:
    response = await chat_engine(mode).astream_chat(QUESTION)
    assert "".join([piece async for piece in response.async_response_gen()]) == GOOD
    await handle.wait_async()
    (record,) = handle.records
    assert (record.answer, ids(record), record.status) == (GOOD, retrieved_ids(QUESTION), AnswerStatus.OK)


def test_t51_a_simple_chat_retrieves_nothing_and_is_skipped(handle: InstrumentHandle) -> None:
    chat_engine("simple").chat(QUESTION)
    (record,) = handle.records
    assert (record.answer, record.status) == (GOOD, AnswerStatus.NO_RETRIEVAL)
    assert record.case is not None
    assert record.case.quality_gate is QualityGate.INDETERMINATE


@pytest.mark.parametrize("mode", ["condense_question", "condense_plus_context"])
def test_the_rewritten_question_is_no_answer(handle: InstrumentHandle, mode: str) -> None:
    engine = chat_engine(mode, _rewrite)
    engine.chat(QUESTION)
    engine.chat("And its keeper?")
    assert [(record.question, record.answer) for record in handle.records] == [
        (QUESTION, GOOD),
        ("And its keeper?", GOOD),
    ]
    assert ids(handle.last) == retrieved_ids("When did the lighthouse keeper retire?")


def _rewrite(prompt: str) -> str:
    # Both engines ask for a standalone question once there is a history.
    return "When did the lighthouse keeper retire?" if "standalone question" in prompt.lower() else GOOD


def test_a_bad_answer_of_a_chat_fails(handle: InstrumentHandle) -> None:
    chat_engine("context", BAD).chat(QUESTION)
    assert handle.last is not None
    assert handle.last.case is not None
    assert handle.last.case.quality_gate is QualityGate.FAIL


@pytest.mark.parametrize("mode", MODES)
def test_u70_chat_tokens_are_the_same_with_and_without_us(handle: InstrumentHandle, mode: str) -> None:
    watched = list(chat_engine(mode).stream_chat(QUESTION).response_gen)
    handle.close()
    assert watched == list(chat_engine(mode).stream_chat(QUESTION).response_gen)


def test_t52_a_chat_stream_that_nobody_reads_is_captured_once_by_its_writer(handle: InstrumentHandle) -> None:
    _join(chat_engine("context").stream_chat(QUESTION))
    assert [record.answer for record in handle.records] == [GOOD]


def _join(response: StreamingAgentChatResponse) -> None:
    thread = response.write_response_to_history_thread
    assert isinstance(thread, threading.Thread)
    thread.join()


async def test_t52_the_same_asynchronously(handle: InstrumentHandle) -> None:
    response = await chat_engine("context").astream_chat(QUESTION)
    assert response.awrite_response_to_history_task is not None
    await response.awrite_response_to_history_task
    await handle.wait_async()
    assert [record.answer for record in handle.records] == [GOOD]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_t52_a_chat_stream_that_fails_is_an_error(handle: InstrumentHandle, open_traces: Callable[[], int]) -> None:
    # LlamaIndex's own writer thread dies of the error as well, hence the filter.
    broken = chat_engine("context", llm=ScriptedLLM(GOOD, fail_after=3))
    with pytest.raises(RuntimeError, match="the model is down"):
        list(broken.stream_chat(QUESTION).response_gen)
    (record,) = handle.records
    assert (record.status, record.answer, record.case) == (AnswerStatus.ERROR, None, None)
    assert open_traces() == 0


async def test_t52_an_asynchronous_chat_stream_that_fails_is_an_error(
    handle: InstrumentHandle, open_traces: Callable[[], int]
) -> None:
    broken = chat_engine("context", llm=ScriptedLLM(GOOD, fail_after=3))
    with pytest.raises(RuntimeError, match="the model is down"):
        await _read(await broken.astream_chat(QUESTION))
    await handle.wait_async()
    (record,) = handle.records
    assert (record.status, open_traces()) == (AnswerStatus.ERROR, 0)


async def _read(response: StreamingAgentChatResponse) -> str:
    return "".join([piece async for piece in response.async_response_gen()])


MARIGOLD = "Your boat is called Marigold."
TOLD = "My boat is called Marigold."


def _gate(handle: InstrumentHandle) -> QualityGate:
    assert handle.last is not None
    assert handle.last.case is not None
    return handle.last.case.quality_gate


@pytest.mark.parametrize(("told", "gate"), [(TOLD, QualityGate.PASS), ("I like boats.", QualityGate.FAIL)])
def test_u75_what_the_user_said_in_an_earlier_turn_is_evidence(
    handle: InstrumentHandle, told: str, gate: QualityGate
) -> None:
    engine = chat_engine("context", MARIGOLD)
    engine.chat(told)
    engine.chat("What is my boat called?")
    assert _gate(handle) is gate


@pytest.mark.parametrize(("told", "gate"), [(TOLD, QualityGate.PASS), ("I like boats.", QualityGate.FAIL)])
async def test_u75_the_same_asynchronously(handle: InstrumentHandle, told: str, gate: QualityGate) -> None:
    engine = chat_engine("context", MARIGOLD)
    await _read(await engine.astream_chat(told))
    await _read(await engine.astream_chat("What is my boat called?"))
    await handle.wait_async()
    assert _gate(handle) is gate


@pytest.mark.parametrize("role", ["user", "assistant"])
def test_u75_in_a_history_that_is_passed_the_role_decides(handle: InstrumentHandle, role: str) -> None:
    history = [ChatMessage(role=role, content=TOLD)]
    chat_engine("condense_question", _answer_marigold).chat("What is my boat called?", chat_history=history)
    assert _gate(handle) is (QualityGate.PASS if role == "user" else QualityGate.FAIL)


def _answer_marigold(prompt: str) -> str:
    return "What is the boat called?" if "standalone question" in prompt.lower() else MARIGOLD


def test_a_question_is_no_evidence_for_its_own_answer(handle: InstrumentHandle) -> None:
    chat_engine("context", MARIGOLD).chat(TOLD)
    assert _gate(handle) is QualityGate.FAIL

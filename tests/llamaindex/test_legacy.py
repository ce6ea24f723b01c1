"""The handler of the legacy CallbackManager: it observes, and never breaks or changes a query."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from llama_index.core import Settings
from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.callbacks import CallbackManager
from llama_index.core.response_synthesizers import get_response_synthesizer

from longtracer import CaseResult, CitationVerifier, QualityGate
from longtracer_integrations import AnswerStatus
from longtracer_integrations.llamaindex import InstrumentHandle, LongTracerCallbackHandler

from .fakes import BAD, GOOD, QUESTION, ScriptedLLM, chat_engine, engine, fact_index, ids, retrieved_ids

Install = Callable[[LongTracerCallbackHandler], None]


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Install:
    """Puts a handler where applications put it, into the settings: engines overlook the manager of an index."""

    def installed(handler: LongTracerCallbackHandler) -> None:
        monkeypatch.setattr(Settings, "_callback_manager", CallbackManager([handler]))

    return installed


@pytest.fixture
def legacy(verifier: CitationVerifier, install: Install) -> LongTracerCallbackHandler:
    handler = LongTracerCallbackHandler(verifier=verifier)
    install(handler)
    return handler


def _engine(llm: Any = GOOD, **options: Any) -> BaseQueryEngine:
    return engine(llm=ScriptedLLM(llm) if isinstance(llm, str) else llm, **options)


def test_a_query_is_recorded(legacy: LongTracerCallbackHandler) -> None:
    _engine().query(QUESTION)
    (record,) = legacy.records
    assert (record.question, record.answer, ids(record)) == (QUESTION, GOOD, retrieved_ids(QUESTION))
    assert record.status is AnswerStatus.OK


@pytest.mark.parametrize(("answer", "gate"), [(GOOD, QualityGate.PASS), (BAD, QualityGate.FAIL)])
def test_a_query_is_checked(legacy: LongTracerCallbackHandler, answer: str, gate: QualityGate) -> None:
    response = _engine(answer).query(QUESTION)
    assert response.metadata is not None
    assert CaseResult.model_validate(response.metadata["longtracer"]).quality_gate is gate


async def test_an_asynchronous_query(legacy: LongTracerCallbackHandler) -> None:
    response = await _engine().aquery(QUESTION)
    await legacy.wait_async()
    assert legacy.last is not None
    assert response.metadata["longtracer"]["quality_gate"] == "PASS"


def test_ancestor_6_a_stream_is_not_drained(legacy: LongTracerCallbackHandler) -> None:
    response = _engine(streaming=True).query(QUESTION)
    assert legacy.records == ()
    assert "".join(response.response_gen) == GOOD  # type: ignore[union-attr, arg-type]
    assert legacy.last is not None
    assert legacy.last.answer == GOOD


async def test_an_asynchronous_stream(legacy: LongTracerCallbackHandler) -> None:
    response = await _engine(streaming=True).aquery(QUESTION)
    assert "".join([piece async for piece in response.response_gen]) == GOOD  # type: ignore[union-attr]
    assert legacy.last is not None
    assert legacy.last.answer == GOOD


def test_a_synthesis_by_hand(legacy: LongTracerCallbackHandler) -> None:
    nodes = fact_index().as_retriever(similarity_top_k=2).retrieve(QUESTION)
    get_response_synthesizer(llm=ScriptedLLM(GOOD)).synthesize(QUESTION, nodes)
    assert (ids(legacy.last), legacy.records[0].answer) == (retrieved_ids(QUESTION), GOOD)


@pytest.mark.parametrize("mode", ["context", "condense_question", "condense_plus_context"])
def test_a_chat_is_seen_by_its_engine_or_its_synthesizer(legacy: LongTracerCallbackHandler, mode: str) -> None:
    chat_engine(mode).chat(QUESTION)
    (record,) = legacy.records
    assert (record.answer, ids(record)) == (GOOD, retrieved_ids(QUESTION))


@pytest.mark.parametrize("mode", ["context", "condense_question", "condense_plus_context"])
def test_the_tokens_of_a_chat_are_the_same(legacy: LongTracerCallbackHandler, mode: str) -> None:
    watched = list(chat_engine(mode).stream_chat(QUESTION).response_gen)
    Settings.callback_manager.remove_handler(legacy)
    assert watched == list(chat_engine(mode).stream_chat(QUESTION).response_gen)


def test_a_model_that_fails_is_an_error(legacy: LongTracerCallbackHandler) -> None:
    with pytest.raises(RuntimeError, match="the model is down"):
        _engine(ScriptedLLM(GOOD, fail_after=0)).query(QUESTION)
    (record,) = legacy.records
    assert (record.status, record.answer, record.case) == (AnswerStatus.ERROR, None, None)
    assert record.error == "the model is down"


def test_ancestor_5_the_next_query_after_an_error_is_recorded(legacy: LongTracerCallbackHandler) -> None:
    with pytest.raises(RuntimeError):
        _engine(ScriptedLLM(GOOD, fail_after=0)).query(QUESTION)
    _engine().query(QUESTION)
    assert [record.status for record in legacy.records] == [AnswerStatus.ERROR, AnswerStatus.OK]


@pytest.mark.parametrize("error", [ValueError("broken hook"), SystemExit("broken hook")])
def test_it_never_breaks_a_query(
    verifier: CitationVerifier, install: Install, error: BaseException, caplog: pytest.LogCaptureFixture
) -> None:
    def hook(_: object) -> None:
        raise error

    install(LongTracerCallbackHandler(verifier=verifier, on_result=hook))
    assert str(_engine().query(QUESTION)) == GOOD
    assert "broken hook" in caplog.text


def test_a_fault_of_its_own_never_breaks_a_query(
    legacy: LongTracerCallbackHandler, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(legacy, "_stop", None)
    assert str(_engine().query(QUESTION)) == GOOD
    assert "TypeError" in caplog.text


def test_with_instrument_there_is_one_check(handle: InstrumentHandle, legacy: LongTracerCallbackHandler) -> None:
    response = _engine().query(QUESTION)
    assert response.metadata is not None
    assert legacy.last is not None
    assert handle.last is not None
    assert handle.last.case == legacy.last.case


def test_nothing_stays_open(legacy: LongTracerCallbackHandler) -> None:
    _engine().query(QUESTION)
    with pytest.raises(RuntimeError):
        _engine(ScriptedLLM(GOOD, fail_after=0)).query(QUESTION)
    assert len(legacy._traces) == 0


def test_a_record_is_found_by_its_id(legacy: LongTracerCallbackHandler) -> None:
    response = _engine().query(QUESTION)
    assert response.metadata is not None
    assert legacy.result_for(response.metadata["longtracer"]["case_id"]) is legacy.last


def test_an_engine_without_it_is_not_watched(verifier: CitationVerifier) -> None:
    handler = LongTracerCallbackHandler(verifier=verifier)
    _engine().query(QUESTION)
    assert handler.records == ()

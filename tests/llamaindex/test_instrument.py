"""Attaching and detaching, where results appear, and what a broken verifier or hook does: nothing to the app."""

from __future__ import annotations

import asyncio
import logging
import threading
from typing import Any

import pytest
from llama_index.core.instrumentation import get_dispatcher
from llama_index.core.instrumentation.dispatcher import instrument_tags

from longtracer import CaseResult, CitationVerifier, InvalidInputError, QualityGate, ReasonCode
from longtracer_integrations import AnswerStatus, RagAnswer
from longtracer_integrations.llamaindex import InstrumentHandle, instrument, uninstrument
from longtracer_integrations.llamaindex.hub import attached_hub

from .fakes import BAD, GOOD, QUESTION, ScriptedLLM, engine, ids, retrieved_ids


class Broken:
    """A verifier that raises."""

    def verify_case(self, *_: Any, **__: Any) -> CaseResult:
        raise MemoryError("no memory left")

    async def verify_case_async(self, *_: Any, **__: Any) -> CaseResult:
        raise MemoryError("no memory left")


class Gated:
    """A verifier that waits until `gate` is open; `calls` says which half was used."""

    def __init__(self, verifier: CitationVerifier, *, is_open: bool = True) -> None:
        self._verifier = verifier
        self.calls: list[str] = []
        self.gate = threading.Event()
        if is_open:
            self.gate.set()

    def verify_case(self, *arguments: Any, **options: Any) -> CaseResult:
        self.calls.append("sync")
        assert self.gate.wait(30)
        return self._verifier.verify_case(*arguments, **options)

    async def verify_case_async(self, *arguments: Any, **options: Any) -> CaseResult:
        self.calls.append("async")
        while not self.gate.is_set():  # noqa: ASYNC110 - both halves wait for the same gate
            await asyncio.sleep(0.005)
        return await self._verifier.verify_case_async(*arguments, **options)


def _ours() -> list[str]:
    dispatcher = get_dispatcher()
    handlers = [*dispatcher.span_handlers, *dispatcher.event_handlers]
    return [name for each in handlers if (name := type(each).__name__).startswith("LongTracer")]


def test_one_span_handler_and_one_event_handler(handle: InstrumentHandle) -> None:
    assert _ours() == ["LongTracerSpanHandler", "LongTracerEventHandler"]


def test_twice_attached_is_still_one_of_each(handle: InstrumentHandle, verifier: CitationVerifier) -> None:
    with instrument(verifier=verifier):
        assert _ours() == ["LongTracerSpanHandler", "LongTracerEventHandler"]


def test_twice_attached_is_still_one_record(handle: InstrumentHandle, verifier: CitationVerifier) -> None:
    with instrument(verifier=verifier) as second:
        engine().query(QUESTION)
    assert len(handle.records) == len(second.records) == 1


def test_twice_attached_is_still_one_check(verifier: CitationVerifier) -> None:
    gated = Gated(verifier)
    with instrument(verifier=gated), instrument(verifier=gated):
        engine().query(QUESTION)
    assert gated.calls == ["sync"]


def test_the_same_hook_twice_is_called_once(verifier: CitationVerifier) -> None:
    seen: list[RagAnswer] = []
    with instrument(verifier=verifier, on_result=seen.append), instrument(verifier=verifier, on_result=seen.append):
        engine().query(QUESTION)
    assert len(seen) == 1


def test_two_hooks_are_both_called(verifier: CitationVerifier) -> None:
    first: list[RagAnswer] = []
    second: list[RagAnswer] = []
    with (
        instrument(verifier=verifier, on_result=lambda record: first.append(record)),
        instrument(verifier=verifier, on_result=lambda record: second.append(record)),
    ):
        engine().query(QUESTION)
    assert first == second
    assert len(first) == 1


def test_leaving_an_inner_one_keeps_the_outer(handle: InstrumentHandle, verifier: CitationVerifier) -> None:
    with instrument(verifier=verifier) as inner:
        pass
    engine().query(QUESTION)
    assert (len(handle.records), len(inner.records)) == (1, 0)


def test_leaving_the_outer_one_keeps_the_inner(handle: InstrumentHandle, verifier: CitationVerifier) -> None:
    with instrument(verifier=verifier) as inner:
        handle.close()
        engine().query(QUESTION)
    assert (len(handle.records), len(inner.records)) == (0, 1)


def test_the_newest_handle_checks(handle: InstrumentHandle) -> None:
    with instrument(verifier=Broken()):
        engine().query(QUESTION)
    assert handle.last is not None
    assert handle.last.case is not None
    assert handle.last.case.reason is ReasonCode.EVALUATION_FAILED


def test_closing_detaches_and_twice_is_harmless(handle: InstrumentHandle) -> None:
    handle.close()
    handle.close()
    assert _ours() == []


def test_uninstrument_closes_every_handle(handle: InstrumentHandle, verifier: CitationVerifier) -> None:
    second = instrument(verifier=verifier)
    uninstrument()
    engine().query(QUESTION)
    assert (handle.records, second.records, _ours()) == ((), (), [])


def test_uninstrument_without_a_handle_is_harmless() -> None:
    uninstrument()
    assert _ours() == []


def test_records_stay_readable_after_closing(handle: InstrumentHandle) -> None:
    engine().query(QUESTION)
    handle.close()
    assert handle.last is not None
    assert handle.last.answer == GOOD


def test_a_record_is_found_by_the_id_in_the_result(handle: InstrumentHandle) -> None:
    engine("Something else.").query(QUESTION)
    response = engine().query(QUESTION)
    assert response.metadata is not None
    found = handle.result_for(response.metadata["longtracer"]["case_id"])
    assert found is not None
    assert found.answer == GOOD


def test_a_record_is_found_by_an_id_of_the_applications_own(handle: InstrumentHandle) -> None:
    with instrument_tags({"longtracer_run_id": "request-7"}):
        engine().query(QUESTION)
    assert handle.result_for("request-7") is handle.last is not None


def test_an_unknown_id_has_no_record(handle: InstrumentHandle) -> None:
    assert handle.result_for("nothing") is None


def test_a_synchronous_query_returns_with_its_result(handle: InstrumentHandle) -> None:
    response = engine().query(QUESTION)
    assert response.metadata is not None
    assert CaseResult.model_validate(response.metadata["longtracer"]).quality_gate is QualityGate.PASS


def test_the_metadata_keeps_the_keys_of_the_nodes(handle: InstrumentHandle) -> None:
    response = engine().query(QUESTION)
    assert response.metadata is not None
    assert list(response.metadata) == [*retrieved_ids(QUESTION), "longtracer"]


async def test_an_asynchronous_query_gets_its_result_later(handle: InstrumentHandle) -> None:
    response = await engine().aquery(QUESTION)
    await handle.wait_async()
    assert response.metadata["longtracer"]["quality_gate"] == "PASS"


async def test_an_asynchronous_application_is_checked_by_the_asynchronous_verifier(verifier: CitationVerifier) -> None:
    gated = Gated(verifier)
    async with instrument(verifier=gated):
        await engine().aquery(QUESTION)
    assert gated.calls == ["async"]


async def test_u85_neither_the_answer_nor_the_event_loop_waits_for_the_check(verifier: CitationVerifier) -> None:
    gated = Gated(verifier, is_open=False)
    async with instrument(verifier=gated) as watched:
        assert str(await engine().aquery(QUESTION)) == GOOD
        await asyncio.sleep(0.02)
        assert (gated.calls, watched.records) == (["async"], ())
        gated.gate.set()
    assert len(watched.records) == 1


async def test_leaving_the_context_waits_for_the_checks(verifier: CitationVerifier) -> None:
    async with instrument(verifier=verifier) as watched:
        await engine().aquery(QUESTION)
    assert watched.last is not None


async def test_closing_in_an_event_loop_finishes_what_is_under_way(verifier: CitationVerifier) -> None:
    seen: list[RagAnswer] = []
    with instrument(verifier=verifier, on_result=seen.append) as watched:
        response = await engine().aquery(QUESTION)
    assert watched.last is not None
    assert response.metadata["longtracer"]["quality_gate"] == "PASS"
    await asyncio.sleep(0.1)
    assert len(seen) == 1


async def test_a_check_that_has_begun_is_not_reported_twice(verifier: CitationVerifier) -> None:
    seen: list[RagAnswer] = []
    with instrument(verifier=verifier, on_result=seen.append) as watched:
        await engine().aquery(QUESTION)
        await asyncio.sleep(0)
        watched.close()
    await asyncio.sleep(0.3)
    assert (len(watched.records), len(seen)) == (1, 1)


def test_waiting_after_the_loop_has_stopped(verifier: CitationVerifier) -> None:
    loop = asyncio.new_event_loop()
    with instrument(verifier=verifier) as watched:
        loop.run_until_complete(engine().aquery(QUESTION))
        assert watched.wait(30)
        assert watched.last is not None
        loop.run_until_complete(asyncio.sleep(0))
    loop.close()


def test_a_loop_that_ends_at_once_loses_no_record(verifier: CitationVerifier) -> None:
    gated = Gated(verifier, is_open=False)
    with instrument(verifier=gated) as watched:
        asyncio.run(engine().aquery(QUESTION))
        gated.gate.set()
        assert watched.wait(30)
        assert watched.last is not None
        assert watched.last.case is not None
        assert watched.last.case.passed


def test_a_synchronous_query_in_an_event_loop_returns_with_its_result(handle: InstrumentHandle) -> None:
    async def in_a_notebook() -> Any:
        return engine().query(QUESTION).metadata

    assert asyncio.run(in_a_notebook())["longtracer"]["quality_gate"] == "PASS"


def test_a_broken_verifier_leaves_the_answer_alone() -> None:
    with instrument(verifier=Broken()) as watched:
        assert str(engine().query(QUESTION)) == GOOD
    assert watched.last is not None
    assert watched.last.case is not None
    assert (watched.last.case.quality_gate, watched.last.case.reason) == (
        QualityGate.INDETERMINATE,
        ReasonCode.EVALUATION_FAILED,
    )


@pytest.mark.parametrize("error", [ValueError("broken hook"), SystemExit("broken hook"), KeyboardInterrupt()])
def test_t56_a_hook_that_raises_leaves_the_answer_alone_and_is_logged(
    verifier: CitationVerifier, caplog: pytest.LogCaptureFixture, error: BaseException
) -> None:
    def hook(record: RagAnswer) -> None:
        raise error

    with instrument(verifier=verifier, on_result=hook) as watched, caplog.at_level(logging.ERROR, "longtracer"):
        assert str(engine().query(QUESTION)) == GOOD
    assert any(entry.exc_info is not None and entry.exc_info[1] is error for entry in caplog.records)
    assert len(watched.records) == 1


async def test_t56_the_same_asynchronously(verifier: CitationVerifier, caplog: pytest.LogCaptureFixture) -> None:
    async def hook(record: RagAnswer) -> None:
        raise SystemExit("broken hook")

    async with instrument(verifier=verifier, on_result=hook):
        assert str(await engine().aquery(QUESTION)) == GOOD
    assert "broken hook" in caplog.text


def test_t56_a_fault_of_the_handler_itself_is_logged(
    handle: InstrumentHandle, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub = attached_hub()
    assert hub is not None

    def broken(*_: object) -> None:
        raise SystemExit("a fault of ours")

    monkeypatch.setattr(hub.capture, "exit", broken)
    assert str(engine().query(QUESTION)) == GOOD
    assert "a fault of ours" in caplog.text
    hub.capture.traces.clear()


def test_t55_a_model_that_fails(handle: InstrumentHandle) -> None:
    with pytest.raises(RuntimeError, match="the model is down"):
        engine(llm=ScriptedLLM(GOOD, fail_after=0)).query(QUESTION)
    (record,) = handle.records
    assert (record.status, record.error, record.case) == (AnswerStatus.ERROR, "the model is down", None)
    assert ids(record) == retrieved_ids(QUESTION)


def test_the_next_answer_after_an_error_is_recorded(handle: InstrumentHandle) -> None:
    with pytest.raises(RuntimeError):
        engine(llm=ScriptedLLM(GOOD, fail_after=0)).query(QUESTION)
    engine().query(QUESTION)
    assert [record.status for record in handle.records] == [AnswerStatus.ERROR, AnswerStatus.OK]


async def test_t55_a_query_that_is_cancelled(handle: InstrumentHandle) -> None:
    class Waiting(ScriptedLLM):
        async def acomplete(self, *_: Any, **__: Any) -> Any:
            await asyncio.sleep(30)

    with pytest.raises(TimeoutError):
        await asyncio.wait_for(engine(llm=Waiting(GOOD)).aquery(QUESTION), 0.2)
    await handle.wait_async()
    (record,) = handle.records
    assert (record.status, record.case) == (AnswerStatus.CANCELLED, None)
    hub = attached_hub()
    assert hub is not None
    assert len(hub.capture.traces) == 0


def test_background_checks_do_not_delay_the_answer(verifier: CitationVerifier) -> None:
    gated = Gated(verifier, is_open=False)
    with instrument(verifier=gated, background=True) as watched:
        response = engine().query(QUESTION)
        assert watched.records == ()
        gated.gate.set()
        assert watched.wait(30)
        assert response.metadata is not None
        assert response.metadata["longtracer"]["quality_gate"] == "PASS"


def test_background_records_reach_every_handle(handle: InstrumentHandle, verifier: CitationVerifier) -> None:
    with instrument(verifier=verifier, background=True) as behind:
        engine().query(QUESTION)
        behind.wait(10)
    assert [record.answer for record in handle.records] == [GOOD]


def test_a_sample_rate_of_zero_checks_nothing(verifier: CitationVerifier) -> None:
    with instrument(verifier=verifier, sample_rate=0.0) as watched:
        engine(BAD).query(QUESTION)
    assert watched.last is not None
    assert watched.last.case is not None
    assert watched.last.case.reason is ReasonCode.EXECUTION_SKIPPED


@pytest.mark.parametrize("options", [{"timeout": 0}, {"timeout": float("nan")}, {"sample_rate": 2}])
def test_unusable_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidInputError):
        instrument(**options)
    assert _ours() == []

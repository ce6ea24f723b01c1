"""What the handler makes of attempts that failed, of errors, cancellations and abandoned streams."""

from __future__ import annotations

import asyncio
import gc
from typing import Any
from uuid import uuid4

import pytest
from langchain_core.runnables import RunnableGenerator, RunnableLambda
from lc_fakes import BAD, GOOD, Broken, FakeVerifier, ScriptedModel, alist, ids, lcel, retriever
from ways import ALL_WAYS, ways

from longtracer_integrations import AnswerStatus
from longtracer_integrations.langchain import AsyncLongTracerCallbackHandler, LongTracerCallbackHandler
from longtracer_integrations.langchain.run_table import RunTable
from longtracer_integrations.langchain.run_tree import Run

QUESTION = "What does the Pro plan cost?"


@pytest.fixture
def handler() -> LongTracerCallbackHandler:
    return LongTracerCallbackHandler(FakeVerifier())


def the_record(handler: Any) -> Any:
    assert handler.open_requests == 0
    (record,) = handler.records
    return record


async def reported(handler: Any) -> None:
    """Wait for the end of a run that the event loop reports in a task of its own."""
    for _ in range(100):
        if handler.records:
            return
        await asyncio.sleep(0.02)


def broken_model() -> ScriptedModel:
    return ScriptedModel(script=[RuntimeError("the model is down")])


@pytest.mark.parametrize("streams", [False, True])
def test_t11_a_model_s_fallback_is_no_failure_of_the_answer(handler: Any, streams: bool) -> None:
    model = broken_model().with_fallbacks([ScriptedModel(script=[GOOD])])
    chain = lcel(model)  # type: ignore[arg-type]
    if streams:
        list(chain.stream(QUESTION, {"callbacks": [handler]}))
    else:
        chain.invoke(QUESTION, {"callbacks": [handler]})
    record = the_record(handler)
    assert (ids(record), record.answer, record.status, record.error) == (["d1"], GOOD, AnswerStatus.OK, None)


@pytest.mark.parametrize("how", ["invoke", "stream", "ainvoke", "astream"])
async def test_l16_a_chain_with_fallbacks_gives_one_record_with_the_documents_of_the_attempt_that_worked(
    handler: Any, how: str
) -> None:
    chain = lcel(broken_model()).with_fallbacks([lcel(ScriptedModel(script=[GOOD]))])
    config = {"callbacks": [handler]}
    if how == "invoke":
        chain.invoke(QUESTION, config)
    elif how == "stream":
        list(chain.stream(QUESTION, config))
    elif how == "ainvoke":
        await chain.ainvoke(QUESTION, config)
    else:
        await alist(chain.astream(QUESTION, config))
    record = the_record(handler)
    assert (record.question, ids(record), record.answer, record.status) == (QUESTION, ["d1"], GOOD, AnswerStatus.OK)


def test_t13_a_retried_chain_s_documents_count_once(handler: Any) -> None:
    chain = lcel(ScriptedModel(script=[RuntimeError("once"), GOOD])).with_retry(wait_exponential_jitter=False)
    chain.invoke(QUESTION, {"callbacks": [handler]})
    record = the_record(handler)
    assert (ids(record), record.answer, record.status) == (["d1"], GOOD, AnswerStatus.OK)


def test_t14_a_failing_model_gives_an_error_record_without_a_case(handler: Any) -> None:
    with pytest.raises(RuntimeError, match="down"):
        lcel(broken_model()).invoke(QUESTION, {"callbacks": [handler]})
    record = the_record(handler)
    assert (ids(record), record.answer, record.status, record.case) == (["d1"], None, AnswerStatus.ERROR, None)
    assert record.error == "RuntimeError: the model is down"


def test_t14_what_a_model_said_before_it_failed_is_kept_apart(handler: Any) -> None:
    with pytest.raises(RuntimeError, match="broke"):
        list(lcel(ScriptedModel(script=[Broken("The Pro plan costs")])).stream(QUESTION, {"callbacks": [handler]}))
    record = the_record(handler)
    assert (record.answer, record.partial, record.case) == (None, "The Pro plan costs", None)


def test_the_handler_goes_on_after_an_error(handler: Any) -> None:
    with pytest.raises(RuntimeError):
        lcel(broken_model()).invoke(QUESTION, {"callbacks": [handler]})
    lcel(ScriptedModel(script=[GOOD])).invoke(QUESTION, {"callbacks": [handler]})
    assert (handler.last.answer, handler.last.case.passed) == (GOOD, True)


@pytest.mark.parametrize("taken", [1, 2])
def test_t15_a_sync_stream_that_is_closed_is_not_a_whole_answer(handler: Any, taken: int) -> None:
    stream = lcel(ScriptedModel(script=[GOOD])).stream(QUESTION, {"callbacks": [handler]})
    for _ in range(taken):
        next(stream)
    stream.close()
    record = the_record(handler)
    assert (record.answer, record.status) == (None, AnswerStatus.CLOSED_EARLY)
    assert record.case.quality_gate.value == "INDETERMINATE"


def test_t15_a_sync_stream_that_is_dropped_is_not_a_whole_answer(handler: Any) -> None:
    stream = lcel(ScriptedModel(script=[GOOD])).stream(QUESTION, {"callbacks": [handler]})
    next(stream)
    del stream
    gc.collect()
    assert the_record(handler).status is AnswerStatus.CLOSED_EARLY


@pytest.mark.parametrize("kind", [LongTracerCallbackHandler, AsyncLongTracerCallbackHandler])
async def test_t16_an_async_stream_that_is_closed_is_not_a_whole_answer(kind: type[Any]) -> None:
    handler = kind(FakeVerifier())
    stream = lcel(ScriptedModel(script=[GOOD])).astream(QUESTION, {"callbacks": [handler]})
    await anext(stream)
    await stream.aclose()  # type: ignore[attr-defined]
    await reported(handler)
    assert the_record(handler).status is AnswerStatus.CLOSED_EARLY


def stops_its_model(said: str) -> RunnableGenerator[Any, Any]:
    """A chain that leaves the stream of its model after the first sentence."""
    model = ScriptedModel(script=[f"{said} And then it goes on."])

    def talk(inputs: Any) -> Any:
        for question in inputs:
            retriever().invoke("Pro plan")
            for chunk in model.stream(question):
                yield chunk.text
                if "." in chunk.text:
                    break

    async def atalk(inputs: Any) -> Any:
        async for question in inputs:
            await retriever().ainvoke("Pro plan")
            async for chunk in model.astream(question):
                yield chunk.text
                if "." in chunk.text:
                    break

    return RunnableGenerator(talk, atalk)


@pytest.mark.parametrize("kind", [LongTracerCallbackHandler, AsyncLongTracerCallbackHandler])
@pytest.mark.parametrize(("said", "gate"), [(GOOD, "PASS"), (BAD, "FAIL")])
@pytest.mark.parametrize("how", ALL_WAYS)
async def test_an_answer_that_the_chain_itself_ended_is_whole(kind: type[Any], said: str, gate: str, how: str) -> None:
    handler = kind(FakeVerifier())
    await ways(stops_its_model(said).with_config(callbacks=[handler]), QUESTION, how)
    await reported(handler)
    record = the_record(handler)
    assert (record.answer, record.case.quality_gate.value) == (said, gate)


@pytest.mark.parametrize("kind", [LongTracerCallbackHandler, AsyncLongTracerCallbackHandler])
@pytest.mark.parametrize(("said", "gate"), [(GOOD, "PASS"), (BAD, "FAIL")])
@pytest.mark.parametrize("how", ["ainvoke", "astream", "abatch"])
async def test_a_task_that_goes_on_does_not_keep_an_answer_open(
    kind: type[Any], said: str, gate: str, how: str
) -> None:
    go_on = asyncio.Event()
    tasks: list[asyncio.Task[Any]] = []

    async def title(_: str) -> str:
        await go_on.wait()
        return "A title"

    async def answer(_: str) -> str:
        tasks.append(asyncio.create_task(RunnableLambda(title).ainvoke("")))
        await asyncio.sleep(0.01)
        await retriever().ainvoke("Pro plan")
        return said

    handler = kind(FakeVerifier())
    await ways(RunnableLambda(answer).with_config(callbacks=[handler]), QUESTION, how)
    await reported(handler)
    record = the_record(handler)
    assert (record.answer, record.case.quality_gate.value) == (said, gate)
    go_on.set()
    await asyncio.gather(*tasks)
    assert (handler.open_requests, len(handler.records)) == (0, 1)


@pytest.mark.parametrize("kind", [LongTracerCallbackHandler, AsyncLongTracerCallbackHandler])
async def test_t16_a_cancelled_call_says_so_and_leaves_no_state(kind: type[Any]) -> None:
    async def never(_: str) -> str:
        await asyncio.sleep(60)
        return ""

    handler = kind(FakeVerifier())
    chain = lcel(ScriptedModel(script=[GOOD])) | RunnableLambda(never)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(chain.ainvoke(QUESTION, {"callbacks": [handler]}), 0.5)
    await reported(handler)
    assert the_record(handler).status is AnswerStatus.CANCELLED


def test_t33_a_failing_verifier_changes_nothing_and_is_seen_in_the_record() -> None:
    handler = LongTracerCallbackHandler(FakeVerifier(error=RuntimeError("the check is down")))
    answer = lcel(ScriptedModel(script=[GOOD])).invoke(QUESTION, {"callbacks": [handler]})
    record = the_record(handler)
    assert (answer, record.answer) == (GOOD, GOOD)
    assert (record.case.execution.value, record.case.quality_gate.value) == ("ERROR", "INDETERMINATE")
    assert record.error == "the check is down"


def raise_on_result(_: Any) -> None:
    raise LookupError("the hook is down")


def test_t33_a_failing_hook_changes_nothing_and_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    handler = LongTracerCallbackHandler(FakeVerifier(), on_result=raise_on_result)
    assert lcel(ScriptedModel(script=[GOOD])).invoke(QUESTION, {"callbacks": [handler]}) == GOOD
    assert the_record(handler).case.passed
    assert "on_result raised" in caplog.text


def test_t33_raise_error_lets_a_failing_hook_stop_the_chain_and_leaves_no_state() -> None:
    handler = LongTracerCallbackHandler(FakeVerifier(), on_result=raise_on_result, raise_error=True)
    with pytest.raises(LookupError, match="the hook is down"):
        lcel(ScriptedModel(script=[GOOD])).invoke(QUESTION, {"callbacks": [handler]})
    assert the_record(handler).case.passed


async def test_t33_raise_error_stops_an_async_call_too() -> None:
    handler = AsyncLongTracerCallbackHandler(FakeVerifier(), on_result=raise_on_result, raise_error=True)
    with pytest.raises(LookupError, match="the hook is down"):
        await lcel(ScriptedModel(script=[GOOD])).ainvoke(QUESTION, {"callbacks": [handler]})
    assert handler.open_requests == 0


def test_l8_an_error_of_our_own_capture_is_a_record_and_not_an_error_of_the_chain(
    handler: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("a fault of ours")

    monkeypatch.setattr("longtracer_integrations.langchain.recorder.record_of_end", broken)
    assert lcel(ScriptedModel(script=[GOOD])).invoke(QUESTION, {"callbacks": [handler]}) == GOOD
    record = the_record(handler)
    assert record.case.quality_gate.value == "INDETERMINATE"
    assert "a fault of ours" in record.error


def run(parent: Any = None) -> Run:
    return Run(run_id=uuid4(), parent_id=parent, kind="chain")


def test_open_requests_are_bounded_in_number() -> None:
    table = RunTable(max_open=2)
    first = run()
    table.start(first, None, None)
    table.start(run(), None, None)
    given_up = table.start(run(), None, None)
    assert ([tree.root for tree in given_up], len(table)) == ([first], 2)


def test_open_requests_are_bounded_in_age() -> None:
    table = RunTable(max_age=0.0)
    table.start(run(), None, None)
    table.start(run(), None, None)
    assert len(table) <= 1


def test_a_run_below_a_closed_request_is_no_request_of_its_own() -> None:
    table = RunTable()
    root = run()
    table.start(root, None, None)
    found = table.find(root.run_id)
    assert found is not None
    table.close(found[1])
    table.start(run(root.run_id), None, None)
    assert len(table) == 0


def test_a_run_id_that_is_used_again_is_a_request_of_its_own(handler: Any) -> None:
    run_id = uuid4()
    for question in ("Pro plan", "Oslo"):
        lcel(ScriptedModel(script=[GOOD])).invoke(question, {"callbacks": [handler], "run_id": run_id})
    assert (handler.open_requests, handler.result_for(run_id).question) == (0, "Oslo")


def test_a_request_that_is_given_up_leaves_a_record(handler: Any) -> None:
    handler.recorder.table._max_open = 1
    for _ in range(2):
        handler.on_chain_start({}, {"question": QUESTION}, run_id=uuid4())
    (record,) = handler.records
    assert (record.question, record.status) == (QUESTION, AnswerStatus.CLOSED_EARLY)

"""Checks in the background, sampling, hooks, and the event loop."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from lc_fakes import GOOD, FakeVerifier, ScriptedModel, alist, lcel, longest_stall

from longtracer import InvalidInputError
from longtracer_integrations import RagAnswer
from longtracer_integrations.langchain import AsyncLongTracerCallbackHandler, LongTracerCallbackHandler
from longtracer_integrations.langchain.events import RecordingHandler

QUESTION = "What does the Pro plan cost?"


def chain() -> Any:
    return lcel(ScriptedModel(script=[GOOD]))


class Inline(LongTracerCallbackHandler):
    run_inline = True


@pytest.mark.parametrize("kind", [LongTracerCallbackHandler, Inline, AsyncLongTracerCallbackHandler])
async def test_t37_a_slow_check_does_not_stall_the_event_loop(kind: type[Any]) -> None:
    handler = kind(FakeVerifier(delay=0.5))
    await chain().ainvoke(QUESTION)  # imports and caches of LangChain are not what is measured
    assert await longest_stall(chain().ainvoke(QUESTION, {"callbacks": [handler]})) < 0.05
    handler.wait()
    assert handler.last.case.passed


async def test_l3_ainvoke_is_checked_at_all(verifier: Any) -> None:
    handler = LongTracerCallbackHandler(verifier)
    await chain().ainvoke(QUESTION, {"callbacks": [handler]})
    assert handler.last is not None
    assert handler.last.case is not None
    assert handler.last.case.passed


def test_background_checks_do_not_hold_the_answer_up() -> None:
    handler = LongTracerCallbackHandler(FakeVerifier(delay=0.3), background=True)
    chain().invoke(QUESTION, {"callbacks": [handler]})
    assert handler.records == ()
    assert handler.wait(5.0)
    assert handler.last is not None
    assert handler.last.case is not None


def test_waiting_for_background_checks_has_a_limit() -> None:
    handler = LongTracerCallbackHandler(FakeVerifier(delay=0.3), background=True)
    chain().invoke(QUESTION, {"callbacks": [handler]})
    assert handler.wait(0.01) is False
    handler.close()


async def test_aclose_finishes_background_checks_without_stalling_the_loop() -> None:
    handler = AsyncLongTracerCallbackHandler(FakeVerifier(delay=0.3), background=True)
    await chain().ainvoke(QUESTION, {"callbacks": [handler]})
    assert await longest_stall(handler.aclose()) < 0.05
    assert len(handler.records) == 1


def test_a_full_background_queue_is_seen_in_the_record() -> None:
    handler = LongTracerCallbackHandler(FakeVerifier(delay=0.3), background=True, max_queue=1)
    for _ in range(5):
        chain().invoke(QUESTION, {"callbacks": [handler]})
    handler.close()
    gates = [record.case.quality_gate.value for record in handler.records if record.case]
    assert len(gates) == 5
    assert "INDETERMINATE" in gates
    assert any("waiting" in (record.error or "") for record in handler.records)


def test_an_answer_after_closing_is_a_record_all_the_same() -> None:
    handler = LongTracerCallbackHandler(FakeVerifier(), background=True)
    handler.close()
    assert chain().invoke(QUESTION, {"callbacks": [handler]}) == GOOD
    assert handler.last is not None
    assert handler.last.case is not None
    assert handler.last.case.quality_gate.value == "INDETERMINATE"


def test_on_result_gets_the_finished_record() -> None:
    seen: list[RagAnswer] = []
    handler = LongTracerCallbackHandler(FakeVerifier(), on_result=seen.append)
    chain().invoke(QUESTION, {"callbacks": [handler]})
    assert seen == [handler.last]


async def test_on_result_of_the_async_handler_may_be_a_coroutine_function() -> None:
    seen: list[RagAnswer] = []

    async def note(record: RagAnswer) -> None:
        await asyncio.sleep(0)
        seen.append(record)

    handler = AsyncLongTracerCallbackHandler(FakeVerifier(), on_result=note)
    await alist(chain().astream(QUESTION, {"callbacks": [handler]}))
    assert seen == [handler.last]


def test_a_coroutine_function_for_the_sync_handler_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    async def note(record: RagAnswer) -> None: ...

    handler = LongTracerCallbackHandler(FakeVerifier(), on_result=note)
    assert chain().invoke(QUESTION, {"callbacks": [handler]}) == GOOD
    assert "coroutine function" in caplog.text


@pytest.mark.parametrize(("rate", "checked"), [(0.0, 0), (1.0, 40)])
def test_the_ends_of_the_sample_rate(rate: float, checked: int) -> None:
    verifier = FakeVerifier()
    handler = LongTracerCallbackHandler(verifier, sample_rate=rate)
    chain().batch([QUESTION] * 40, {"callbacks": [handler]})
    assert (len(verifier.calls), len(handler.records)) == (checked, 40)


def test_answers_outside_the_sample_are_records_that_never_pass() -> None:
    handler = LongTracerCallbackHandler(FakeVerifier(), sample_rate=0.0)
    chain().invoke(QUESTION, {"callbacks": [handler]})
    assert handler.last is not None
    assert handler.last.case is not None
    assert (handler.last.case.execution.value, handler.last.case.quality_gate.value) == ("SKIPPED", "INDETERMINATE")


@pytest.mark.parametrize(
    "options", [{"sample_rate": 1.5}, {"timeout": 0}, {"evidence": ("web",)}, {"evidence": "tool"}, {"evidence": ()}]
)
def test_unusable_options_are_refused_before_any_traffic(options: Any) -> None:
    with pytest.raises(InvalidInputError):
        LongTracerCallbackHandler(FakeVerifier(), **options)


def test_records_are_bounded() -> None:
    handler = LongTracerCallbackHandler(FakeVerifier(), max_records=3)
    chain().batch([f"Pro plan {number}" for number in range(5)], {"callbacks": [handler], "max_concurrency": 1})
    assert [record.question for record in handler.records] == ["Pro plan 2", "Pro plan 3", "Pro plan 4"]


def test_options_reach_the_verifier() -> None:
    verifier = FakeVerifier()
    options = {"check_citations": True}
    handler = LongTracerCallbackHandler(verifier, timeout=3.0, detect_conflicts=True, check_options=options)
    chain().invoke(QUESTION, {"callbacks": [handler]})
    (call,) = verifier.calls
    assert (call["timeout"], call["detect_conflicts"], call["check_citations"]) == (3.0, True, True)


def test_u78_under_uvloop() -> None:
    uvloop = pytest.importorskip("uvloop")
    handler = AsyncLongTracerCallbackHandler(FakeVerifier())
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(chain().ainvoke(QUESTION, {"callbacks": [handler]}))
    assert handler.last is not None
    assert handler.last.answer == GOOD


def test_the_handler_listens_to_every_kind_of_run() -> None:
    handler = LongTracerCallbackHandler(FakeVerifier())
    assert isinstance(handler, RecordingHandler)
    assert not any((handler.ignore_chain, handler.ignore_retriever, handler.ignore_llm, handler.ignore_agent))

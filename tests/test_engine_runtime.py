"""Timeouts, cancellation, threads, event loops and batches."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor

import pytest

from longtracer import (
    AssessmentAvailability,
    CaseResult,
    CitationVerifier,
    ExecutionStatus,
    InvalidInputError,
    QualityGate,
    ReasonCode,
    check_case,
)
from longtracer.engine import CaseItem, ModelPair
from longtracer.engine.pool import WorkerPool
from longtracer.testing import ScriptedNli, WordOverlapEncoder, scripted_models

LAKE = "The lake is 40 metres deep."
CLAIM = "The lake is deep."
BAD_TIMEOUTS = [0, -1, 0.0, float("nan"), float("inf"), True, False, "1", [1]]


class Gate:
    """A classifier that waits until it is opened, so that a test decides how slow it is."""

    def __init__(self) -> None:
        self.open = threading.Event()
        self.entered = threading.Event()
        self.name = "gate"
        self._nli = ScriptedNli(lambda premise, hypothesis: "entailment")

    def predict(self, pairs):
        self.entered.set()
        assert self.open.wait(20)
        return self._nli.predict(pairs)


@pytest.fixture
def gate():
    made = Gate()
    yield made
    made.open.set()


@pytest.fixture
def slow(gate):
    with CitationVerifier(models=ModelPair(encoder=WordOverlapEncoder(), nli=gate), max_workers=2) as made:
        yield made


def longtracer_threads() -> int:
    return sum(thread.name.startswith("longtracer") for thread in threading.enumerate())


@pytest.mark.parametrize("timeout", BAD_TIMEOUTS)
def test_bad_timeouts_raise(verifier, timeout):
    with pytest.raises(InvalidInputError, match="timeout"):
        verifier.verify_case(CLAIM, [LAKE], timeout=timeout)
    with pytest.raises(InvalidInputError, match="timeout"):
        check_case(CLAIM, [LAKE], timeout=timeout)
    with pytest.raises(InvalidInputError, match="timeout"):
        asyncio.run(verifier.verify_case_async(CLAIM, [LAKE], timeout=timeout))
    with pytest.raises(InvalidInputError, match="timeout"):
        verifier.verify_cases([(CLAIM, [LAKE])], timeout=timeout)


def check_timed_out(case: CaseResult) -> None:
    assert case.execution is ExecutionStatus.TIMEOUT
    assert case.availability is AssessmentAvailability.NOT_EVALUATED
    assert case.reason is ReasonCode.EVALUATION_TIMEOUT
    assert case.quality_gate is QualityGate.INDETERMINATE
    assert case.claims == ()


def test_a_timeout_returns_within_50_ms_of_its_limit(slow):
    overshoots = []
    for _ in range(5):
        began = time.perf_counter()
        check_timed_out(slow.verify_case(CLAIM, [LAKE], timeout=0.1))
        overshoots.append(time.perf_counter() - began - 0.1)
    assert min(overshoots) >= 0
    # The median, since a busy machine may delay any one of them.
    assert sorted(overshoots)[2] < 0.05


async def test_an_async_timeout_is_the_same(slow):
    check_timed_out(await slow.verify_case_async(CLAIM, [LAKE], timeout=0.05))


def test_a_limit_that_is_not_reached_changes_nothing(verifier):
    with_limit = verifier.verify_case(CLAIM, [LAKE], timeout=60)
    assert with_limit.claims == verifier.verify_case(CLAIM, [LAKE]).claims


def test_200_timeouts_leave_a_bounded_number_of_threads(slow):
    before = longtracer_threads()
    for _ in range(200):
        check_timed_out(slow.verify_case(CLAIM, [LAKE], timeout=0.001))
    assert longtracer_threads() - before <= 2


def test_the_verifier_works_again_after_timeouts(slow, gate):
    for _ in range(5):
        check_timed_out(slow.verify_case(CLAIM, [LAKE], timeout=0.01))
    gate.open.set()
    assert slow.verify_case(CLAIM, [LAKE], timeout=20).quality_gate is QualityGate.PASS


def test_an_abandoned_evaluation_is_not_carried_on():
    """Once its caller has gone, an evaluation stops before its next model call."""
    encoding, go_on = threading.Event(), threading.Event()

    class SlowEncoder(WordOverlapEncoder):
        def encode(self, sentences):
            encoding.set()
            assert go_on.wait(20)
            return super().encode(sentences)

    nli = ScriptedNli(lambda premise, hypothesis: "entailment")
    with CitationVerifier(models=ModelPair(encoder=SlowEncoder(), nli=nli), max_workers=1) as fresh:
        check_timed_out(fresh.verify_case(CLAIM, [LAKE], timeout=0.05))
        assert encoding.is_set()
        go_on.set()
        assert fresh.verify_case("The lake is blue.", [LAKE]).execution is ExecutionStatus.SUCCESS
    assert len(nli.calls) == 1


async def test_cancelling_the_task_propagates(slow, gate):
    task = asyncio.create_task(slow.verify_case_async(CLAIM, [LAKE]))
    assert await asyncio.to_thread(gate.entered.wait, 20)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_cancelling_the_evaluation_itself_is_an_outcome(gate):
    fresh = CitationVerifier(models=ModelPair(encoder=WordOverlapEncoder(), nli=gate), max_workers=1)
    running = asyncio.create_task(fresh.verify_case_async(CLAIM, [LAKE]))
    assert await asyncio.to_thread(gate.entered.wait, 20)
    waiting = asyncio.create_task(fresh.verify_case_async(CLAIM, [LAKE], case_id="w"))
    await asyncio.sleep(0.01)
    fresh.close()
    case = await waiting
    assert (case.execution, case.reason) == (ExecutionStatus.CANCELLED, ReasonCode.EXECUTION_CANCELLED)
    assert (case.quality_gate, case.case_id) == (QualityGate.INDETERMINATE, "w")
    gate.open.set()
    assert (await running).execution is ExecutionStatus.SUCCESS


def test_a_cancelled_future_is_an_outcome_of_the_sync_call(monkeypatch, verifier):
    def cancelled(job, **_):
        future: Future[None] = Future()
        future.cancel()
        return future

    monkeypatch.setattr(verifier._pool, "submit", cancelled)
    assert verifier.verify_case(CLAIM, [LAKE]).reason is ReasonCode.EXECUTION_CANCELLED


def test_a_closed_verifier_reports_and_does_not_hang():
    fresh = CitationVerifier(models=scripted_models(lambda p, h: "entailment"))
    fresh.close()
    fresh.close()
    case = fresh.verify_case(CLAIM, [LAKE])
    assert (case.reason, case.quality_gate) == (ReasonCode.EVALUATION_FAILED, QualityGate.INDETERMINATE)
    with pytest.raises(RuntimeError, match="closed"):
        fresh.verify(CLAIM, [LAKE])


async def test_the_loop_is_never_blocked(slow, gate):
    """While every worker is held up the loop still turns; a blocked one could not open the gate."""
    checks = [asyncio.create_task(slow.verify_case_async(CLAIM, [LAKE])) for _ in range(8)]
    assert await asyncio.to_thread(gate.entered.wait, 20)
    for _ in range(20):
        await asyncio.sleep(0.001)
    assert not any(check.done() for check in checks)
    gate.open.set()
    assert all(case.quality_gate is QualityGate.PASS for case in await asyncio.gather(*checks))


def test_a_full_queue_is_a_typed_refusal(gate):
    models = ModelPair(encoder=WordOverlapEncoder(), nli=gate)
    with CitationVerifier(models=models, max_workers=1, max_queue=1) as fresh, ThreadPoolExecutor(4) as callers:
        running = callers.submit(fresh.verify_case, CLAIM, [LAKE])
        assert gate.entered.wait(20)
        waiting = callers.submit(fresh.verify_case, CLAIM, [LAKE])
        deadline = time.monotonic() + 20
        while not fresh._pool._waiting and time.monotonic() < deadline:
            time.sleep(0.001)
        refused = fresh.verify_case(CLAIM, [LAKE])
        assert refused.reason is ReasonCode.EVALUATION_FAILED
        assert "max_queue" in (refused.error_message or "")
        gate.open.set()
        assert running.result().quality_gate is waiting.result().quality_gate is QualityGate.PASS


@pytest.mark.parametrize("options", [{"max_workers": 0}, {"max_queue": -1}, {"max_workers": True}, {"max_claims": 0}])
def test_bad_bounds_fail_before_any_traffic(options):
    with pytest.raises(InvalidInputError, match=next(iter(options))):
        CitationVerifier(models=scripted_models(lambda p, h: "neutral"), **options)


ITEMS = [("The lake is deep.", [LAKE]), ("The lake is dry.", [LAKE]), ("", [LAKE]), (7, [LAKE]), (CLAIM, [])]


def comparable(case: CaseResult) -> CaseResult:
    metadata = {key: value for key, value in case.metadata.items() if key != "stage_ms"}
    return case.model_copy(update={"latency_ms": None, "metadata": metadata})


def test_batch_equals_single_and_async_equals_sync(verifier):
    single = [comparable(verifier.verify_case(*item)) for item in ITEMS]
    assert [comparable(case) for case in verifier.verify_cases(ITEMS)] == single
    assert [comparable(case) for case in asyncio.run(verifier.verify_cases_async(ITEMS))] == single

    async def one_by_one():
        return [await verifier.verify_case_async(*item) for item in ITEMS]

    assert [comparable(case) for case in asyncio.run(one_by_one())] == single


def test_items_of_every_form(verifier):
    items = [
        CaseItem(response=CLAIM, sources=[LAKE], case_id="a"),
        {"response": CLAIM, "sources": [LAKE], "case_id": "b"},
        (CLAIM, [LAKE], [{"id": "x"}]),
        {"response": CLAIM},
        "no case",
    ]
    cases = verifier.verify_cases(items)
    assert [case.case_id for case in cases[:2]] == ["a", "b"]
    assert cases[2].claims[0].supporting_sources == ("x",)
    assert [case.reason for case in cases[3:]] == [ReasonCode.INVALID_INPUT] * 2


def test_progress_is_told_in_order(verifier):
    seen: list[tuple[int, int | None]] = []
    verifier.verify_cases(ITEMS, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(n, len(ITEMS)) for n in range(1, len(ITEMS) + 1)]


def test_one_failure_in_a_batch_is_one_result():
    class FailsOnTwo(ScriptedNli):
        def predict(self, pairs):
            if any("two" in hypothesis for _, hypothesis in pairs):
                raise RuntimeError("boom")
            return super().predict(pairs)

    models = ModelPair(encoder=WordOverlapEncoder(), nli=FailsOnTwo(lambda p, h: "entailment"))
    with CitationVerifier(models=models) as fresh:
        cases = fresh.verify_cases([(f"The lake has name {n}.", [LAKE]) for n in ("north", "two", "south")])
    assert [case.quality_gate.value for case in cases] == ["PASS", "INDETERMINATE", "PASS"]


def test_legacy_batches(verifier):
    results = verifier.verify_batch([CLAIM, "The lake is dry."], [[LAKE], [LAKE]])
    assert results[0].trust_score == pytest.approx(verifier.verify(CLAIM, [LAKE]).trust_score)
    again = asyncio.run(verifier.verify_batch_async([CLAIM, "The lake is dry."], [[LAKE], [LAKE]]))
    assert [result.trust_score for result in again] == pytest.approx([result.trust_score for result in results])
    with pytest.raises(InvalidInputError):
        verifier.verify_batch([CLAIM], [])


def test_16_threads_give_the_results_of_one(verifier):
    work = [(f"The lake is {n} metres deep. {'It is cold. ' * (n % 3)}", [LAKE, "It is very cold."]) for n in range(48)]
    serial = [comparable(verifier.verify_case(*item)) for item in work]
    with ThreadPoolExecutor(16) as threads:
        parallel = list(threads.map(lambda item: comparable(verifier.verify_case(*item)), work))
    for one, other in zip(serial, parallel, strict=True):
        assert [c.assessment for c in one.claims] == [c.assessment for c in other.claims]
        assert one.trust_score == pytest.approx(other.trust_score, abs=1e-4)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_workers_start_anew_in_a_forked_child():
    with CitationVerifier(models=scripted_models(lambda p, h: "entailment")) as fresh:
        assert fresh.verify_case(CLAIM, [LAKE]).passed
        child = os.fork()
        if child == 0:
            os._exit(0 if fresh.verify_case(CLAIM, [LAKE], timeout=10).passed else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_the_embedding_cache_changes_no_result(verifier):
    with CitationVerifier(cache=True) as cached:
        for _ in range(2):
            again = comparable(cached.verify_case(CLAIM, [LAKE, "It is cold."]))
            assert [c.assessment for c in again.claims] == [
                c.assessment for c in verifier.verify_case(CLAIM, [LAKE, "It is cold."]).claims
            ]
        assert len(cached._cache) == 2


def test_the_sync_api_works_inside_a_running_loop(verifier):
    async def app():
        return verifier.verify_case(CLAIM, [LAKE])

    assert asyncio.run(app()).quality_gate is QualityGate.PASS


def test_it_works_under_uvloop(verifier):
    uvloop = pytest.importorskip("uvloop")

    async def app():
        return await verifier.verify_case_async(CLAIM, [LAKE], timeout=60)

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        assert runner.run(app()).quality_gate is QualityGate.PASS


def test_the_pool_forgets_cancelled_work_at_once():
    pool = WorkerPool(1)
    started, release = threading.Event(), threading.Event()
    running = pool.submit(lambda: started.set() or release.wait(20))
    assert started.wait(20)
    futures = [pool.submit(lambda: None) for _ in range(50)]
    for future in futures:
        future.cancel()
    assert not pool._waiting
    release.set()
    assert running.result(20)
    with pytest.raises(CancelledError):
        futures[0].result(0)
    pool.close()

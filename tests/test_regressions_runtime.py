"""Failures of threads, waits and batches that once escaped, hung or cost a result."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from longtracer import CaseResult, CitationVerifier, ExecutionStatus, InvalidInputError, ReasonCode, check_case
from longtracer.contracts import QueueFullError
from longtracer.engine import ModelPair
from longtracer.engine.pool import WorkerPool
from longtracer.engine.waiting import Abandon, Deadline, wait_async
from longtracer.testing import ScriptedNli, WordOverlapEncoder, scripted_models

LAKE = "The lake is 40 metres deep."
CLAIM = "The lake is deep."


class Acting(ScriptedNli):
    """A classifier that does something before it answers."""

    def __init__(self, act):
        super().__init__(lambda premise, hypothesis: "entailment")
        self._act = act

    def predict(self, pairs):
        self._act(pairs)
        return super().predict(pairs)


def acting(act, **options) -> CitationVerifier:
    return CitationVerifier(models=ModelPair(encoder=WordOverlapEncoder(), nli=Acting(act)), **options)


@pytest.fixture
def plain():
    with CitationVerifier(models=scripted_models(lambda premise, hypothesis: "entailment")) as made:
        yield made


class Panic(BaseException):
    """As a Rust extension raises it: outside `Exception`."""


@pytest.mark.parametrize("error", [SystemExit(3), KeyboardInterrupt(), asyncio.CancelledError(), Panic("index")])
def test_a_model_that_exits_or_panics_is_an_outcome(error):
    def act(pairs):
        raise error

    with acting(act) as fresh:
        cases = [fresh.verify_case(CLAIM, [LAKE]), asyncio.run(fresh.verify_case_async(CLAIM, [LAKE]))]
    for case in cases:
        assert (case.execution, case.reason) == (ExecutionStatus.ERROR, ReasonCode.EVALUATION_FAILED)
        assert type(error).__name__ in (case.error_message or "")


def test_a_thread_that_cannot_be_started_costs_one_result_and_no_worker(monkeypatch, plain):
    def refuse(thread):
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", refuse)
        case = plain.verify_case(CLAIM, [LAKE], timeout=10)
    assert case.reason is ReasonCode.EVALUATION_FAILED
    assert "new thread" in (case.error_message or "")
    assert plain._pool.thread_count == 0
    assert not plain._pool._waiting
    assert plain.verify_case(CLAIM, [LAKE], timeout=10).passed


def test_without_a_second_thread_the_first_one_does_the_work(monkeypatch):
    pool, release = WorkerPool(2), threading.Event()
    first = pool.submit(lambda: release.wait(20))
    monkeypatch.setattr(threading.Thread, "start", lambda thread: (_ for _ in ()).throw(RuntimeError("no thread")))
    second = pool.submit(lambda: "done")
    release.set()
    assert first.result(20)
    assert second.result(20) == "done"
    pool.close()


def test_whoever_sees_a_result_finds_its_worker_free():
    """So that a caller who starts one job after another is never refused."""
    pool = WorkerPool(1, max_queue=1)
    idle: list[int] = []
    for _ in range(50):
        future = pool.submit(lambda: None)
        future.add_done_callback(lambda _: idle.append(pool._idle))
        future.result(20)
    pool.close()
    assert min(idle) == 1


def test_a_job_that_an_idle_worker_is_about_to_take_does_not_count_as_waiting():
    pool = WorkerPool(2, max_queue=1)
    with pool._changed:  # no worker takes anything meanwhile
        futures = [pool.submit(lambda: None) for _ in range(3)]
        with pytest.raises(QueueFullError, match="max_queue"):
            pool.submit(lambda: None)
    assert [future.result(20) for future in futures] == [None] * 3
    pool.close()


@pytest.mark.parametrize("timeout", [1e10, 10**20, 1e300])
def test_a_limit_of_ages_is_a_limit(plain, timeout):
    assert plain.verify_case(CLAIM, [LAKE], timeout=timeout).passed
    assert asyncio.run(plain.verify_case_async(CLAIM, [LAKE], timeout=timeout)).passed


def test_a_limit_beyond_any_float_is_refused(plain):
    with pytest.raises(InvalidInputError, match="timeout"):
        plain.verify_case(CLAIM, [LAKE], timeout=10**400)


async def test_a_cancellation_that_meets_the_result_is_not_lost():
    pool = WorkerPool(1)
    future = pool.submit(lambda: "done")
    waiting = asyncio.create_task(wait_async(future, Deadline(20), Abandon().now))
    await asyncio.sleep(0)
    future.result(20)
    pool.submit(lambda: None).result(20)  # the first future has told the loop by now
    asyncio.get_running_loop().call_soon(waiting.cancel)
    with pytest.raises(asyncio.CancelledError):
        await waiting
    pool.close()


async def test_an_async_timeout_abandons_its_evaluation():
    encoding, go_on = threading.Event(), threading.Event()

    class SlowEncoder(WordOverlapEncoder):
        def encode(self, sentences):
            encoding.set()
            assert go_on.wait(20)
            return super().encode(sentences)

    nli = ScriptedNli(lambda premise, hypothesis: "entailment")
    with CitationVerifier(models=ModelPair(encoder=SlowEncoder(), nli=nli), max_workers=1) as fresh:
        case = await fresh.verify_case_async(CLAIM, [LAKE], timeout=0.05)
        assert case.reason is ReasonCode.EVALUATION_TIMEOUT
        waiting = await fresh.verify_case_async("The lake is wet.", [LAKE], timeout=0.05)
        assert waiting.reason is ReasonCode.EVALUATION_TIMEOUT
        assert not fresh._pool._waiting
        assert await asyncio.to_thread(encoding.wait, 20)
        go_on.set()
        assert (await fresh.verify_case_async("The lake is blue.", [LAKE])).passed
    assert len(nli.calls) == 1


def test_an_interrupted_caller_leaves_nothing_behind(monkeypatch):
    release, entered = threading.Event(), threading.Event()
    with acting(lambda pairs: None, max_workers=1) as fresh:
        running = fresh._pool.submit(lambda: entered.set() or release.wait(20))
        assert entered.wait(20)

        def interrupted(future, timeout=None):
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr("concurrent.futures.Future.result", interrupted)
            with pytest.raises(KeyboardInterrupt):
                fresh.verify_case(CLAIM, [LAKE])
        assert not fresh._pool._waiting
        release.set()
        assert running.result(20)


def test_a_sequence_that_raises_is_an_outcome(plain):
    class Lazy(list):
        def __iter__(self):
            raise ValueError("the database has gone")

    case = plain.verify_case(CLAIM, Lazy([LAKE]))
    assert case.reason is ReasonCode.EVALUATION_FAILED
    assert "database" in (case.error_message or "")


# Batches -----------------------------------------------------------------------------------------------------------


async def batched(verifier: CitationVerifier, how: str, items, **options) -> list[CaseResult]:
    if how == "async":
        return await verifier.verify_cases_async(items, **options)
    return await asyncio.to_thread(verifier.verify_cases, items, **options)


@pytest.mark.parametrize("how", ["sync", "async"])
async def test_a_batch_is_not_refused_by_its_own_queue(how):
    with acting(lambda pairs: None, max_workers=1, max_queue=1) as fresh:
        cases = await batched(fresh, how, [(CLAIM, [LAKE])] * 40)
    assert all(case.passed for case in cases)


@pytest.mark.parametrize("how", ["sync", "async"])
async def test_abandoned_cases_of_a_batch_refuse_no_other(how):
    release = threading.Event()
    with acting(lambda pairs: release.wait(20), max_workers=1, max_queue=1) as fresh:
        cases = await batched(fresh, how, [(CLAIM, [LAKE])] * 6, timeout=0.02)
        release.set()
    assert {case.reason for case in cases} == {ReasonCode.EVALUATION_TIMEOUT}


@pytest.mark.parametrize("how", ["sync", "async"])
async def test_a_batch_draws_its_items_as_it_needs_them(plain, how):
    drawn = 0

    def items():
        nonlocal drawn
        for _ in range(200):
            drawn += 1
            yield CLAIM, [LAKE]

    ahead: list[int] = []
    cases = await batched(plain, how, items(), progress=lambda done, total: ahead.append(drawn - done))
    assert len(cases) == 200
    assert max(ahead) <= plain._pool.width


async def test_an_error_in_an_async_batch_is_raised_as_it_is(plain):
    with pytest.raises(TypeError, match="sources"):
        await plain.verify_batch_async([CLAIM, CLAIM], [[LAKE], 7])

    def progress(done, total):
        raise KeyError("display")

    with pytest.raises(KeyError, match="display"):
        await plain.verify_cases_async([(CLAIM, [LAKE])] * 3, progress=progress)


async def test_cancelling_an_async_batch_leaves_nothing_under_way():
    entered, release = threading.Event(), threading.Event()
    with acting(lambda pairs: entered.set() or release.wait(20), max_workers=1) as fresh:
        batch = asyncio.create_task(fresh.verify_cases_async([(CLAIM, [LAKE])] * 9))
        assert await asyncio.to_thread(entered.wait, 20)
        batch.cancel()
        with pytest.raises(asyncio.CancelledError):
            await batch
        assert not fresh._pool._waiting
        release.set()


def test_the_latency_of_a_case_is_its_own():
    def act(pairs):
        if any("slow" in hypothesis for _, hypothesis in pairs):
            time.sleep(0.5)

    with acting(act, max_workers=2) as fresh:
        slow, quick = fresh.verify_cases([("The lake is slow.", [LAKE]), (CLAIM, [LAKE])])
    assert slow.latency_ms >= 500
    assert quick.latency_ms < 400


def test_models_that_cannot_be_hashed_share_one_verifier():
    class Unhashable(ScriptedNli):
        __hash__ = None

        def __eq__(self, other):
            return self is other

    models = ModelPair(encoder=WordOverlapEncoder(), nli=Unhashable(lambda p, h: "entailment"))
    before = threading.active_count()
    for _ in range(30):
        assert check_case(CLAIM, [LAKE], models=models, max_workers=1).passed
    assert threading.active_count() - before <= 1

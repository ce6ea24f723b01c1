"""What the handlers capture of LCEL chains, however they are called."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.runnables import Runnable, RunnableBranch, RunnableLambda, RunnableParallel
from langchain_core.vectorstores import InMemoryVectorStore
from lc_fakes import FACTS, GOOD, FakeVerifier, ScriptedModel, alist, facts, ids, lcel, lcel_dict, retriever

from longtracer_integrations import AnswerStatus, RagAnswer
from longtracer_integrations.langchain import AsyncLongTracerCallbackHandler, LongTracerCallbackHandler

QUESTION = "What does the Pro plan cost?"

Call = Callable[[Runnable[Any, Any], dict[str, Any]], Awaitable[None]]


async def invoke(chain: Runnable[Any, Any], config: dict[str, Any]) -> None:
    await asyncio.to_thread(chain.invoke, QUESTION, config)


async def stream(chain: Runnable[Any, Any], config: dict[str, Any]) -> None:
    await asyncio.to_thread(lambda: list(chain.stream(QUESTION, config)))


async def ainvoke(chain: Runnable[Any, Any], config: dict[str, Any]) -> None:
    await chain.ainvoke(QUESTION, config)


async def astream(chain: Runnable[Any, Any], config: dict[str, Any]) -> None:
    await alist(chain.astream(QUESTION, config))


async def astream_events(chain: Runnable[Any, Any], config: dict[str, Any]) -> None:
    await alist(chain.astream_events(QUESTION, config, version="v2"))


async def invoke_inside_a_loop(chain: Runnable[Any, Any], config: dict[str, Any]) -> None:
    chain.invoke(QUESTION, config)


CALLS: list[Call] = [invoke, stream, ainvoke, astream, astream_events, invoke_inside_a_loop]


def the_record(handler: Any) -> RagAnswer:
    """The only record of a handler that has nothing left open."""
    assert handler.open_requests == 0
    (record,) = handler.records
    return record


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.__name__)
@pytest.mark.parametrize("kind", [LongTracerCallbackHandler, AsyncLongTracerCallbackHandler])
async def test_t01_t02_t03_every_call_gives_one_record_with_question_documents_and_answer(
    call: Call, kind: type[Any]
) -> None:
    handler = kind(FakeVerifier())
    await call(lcel(ScriptedModel(script=[GOOD])), {"callbacks": [handler]})
    record = the_record(handler)
    assert (record.question, ids(record), record.answer, record.status) == (QUESTION, ["d1"], GOOD, AnswerStatus.OK)


@pytest.mark.parametrize("call", [ainvoke, astream], ids=lambda call: call.__name__)
async def test_t03_a_sync_handler_run_inline_gives_the_same_record_after_waiting(call: Call) -> None:
    handler = LongTracerCallbackHandler(FakeVerifier())
    handler.run_inline = True
    await call(lcel(ScriptedModel(script=[GOOD])), {"callbacks": [handler]})
    handler.wait()
    record = the_record(handler)
    assert (record.question, ids(record), record.answer, record.status) == (QUESTION, ["d1"], GOOD, AnswerStatus.OK)


def test_the_answer_is_checked_against_the_full_documents_and_their_ids() -> None:
    verifier = FakeVerifier()
    handler = LongTracerCallbackHandler(verifier)
    long = Document(page_content="The Pro plan is described here. " * 100 + GOOD, id="long", metadata={"page": 3})
    lcel(ScriptedModel(script=[GOOD]), retriever(long)).invoke(QUESTION, {"callbacks": [handler]})
    (call,) = verifier.calls
    assert call["sources"] == [long.page_content]
    assert call["metadata"] == [{"page": 3, "source_id": "long", "id_from": "document.id"}]
    assert call["question"] == QUESTION


def test_the_real_models_pass_a_grounded_answer(verifier: Any) -> None:
    handler = LongTracerCallbackHandler(verifier)
    lcel(ScriptedModel(script=["The Pro plan costs 20 dollars."])).invoke(QUESTION, {"callbacks": [handler]})
    assert the_record(handler).case.passed


def test_the_real_models_fail_the_same_answer_with_another_number(verifier: Any) -> None:
    handler = LongTracerCallbackHandler(verifier)
    lcel(ScriptedModel(script=["The Pro plan costs 90 dollars."])).invoke(QUESTION, {"callbacks": [handler]})
    assert the_record(handler).case.quality_gate.value == "FAIL"


QUESTIONS = ["Pro plan", "Oslo office", "dogs", "cats", "garden", "plan"]
FOUND = [["d1"], ["d2"], ["d3"], ["d3"], ["d3"], ["d1"]]


def echo(messages: list[Any]) -> str:
    """An answer that names its question."""
    return "About " + messages[-1].text.rsplit("Question: ", 1)[1]


def pairs(handler: Any) -> list[tuple[str | None, list[str], str | None]]:
    assert handler.open_requests == 0
    return sorted((record.question, ids(record), record.answer) for record in handler.records)


EXPECTED = sorted((q, found, f"About {q}") for q, found in zip(QUESTIONS, FOUND, strict=True))


def test_t04_batch_pairs_every_question_with_its_own_documents() -> None:
    handler = LongTracerCallbackHandler(FakeVerifier())
    lcel(ScriptedModel(script=echo)).batch(QUESTIONS, {"callbacks": [handler], "max_concurrency": 3})
    assert pairs(handler) == EXPECTED


@pytest.mark.parametrize("kind", [LongTracerCallbackHandler, AsyncLongTracerCallbackHandler])
async def test_t04_abatch_pairs_every_question_with_its_own_documents(kind: type[Any]) -> None:
    handler = kind(FakeVerifier())
    await lcel(ScriptedModel(script=echo)).abatch(QUESTIONS, {"callbacks": [handler]})
    assert pairs(handler) == EXPECTED


@pytest.mark.parametrize("kind", [LongTracerCallbackHandler, AsyncLongTracerCallbackHandler])
async def test_t04_parallel_astreams_pair_every_question_with_its_own_documents(kind: type[Any]) -> None:
    handler = kind(FakeVerifier())
    chain = lcel(ScriptedModel(script=echo))
    await asyncio.gather(*(alist(chain.astream(q, {"callbacks": [handler]})) for q in QUESTIONS))
    assert pairs(handler) == EXPECTED


def test_a_batch_finds_each_record_by_the_run_id_of_its_item() -> None:
    handler = LongTracerCallbackHandler(FakeVerifier())
    run_ids = ["01a23159-0000-7000-8000-000000000001", "01a23159-0000-7000-8000-000000000002"]
    configs = [{"callbacks": [handler], "run_id": run_id} for run_id in run_ids]
    lcel(ScriptedModel(script=echo)).batch(["dogs", "Oslo"], configs)
    assert [handler.result_for(run_id).question for run_id in run_ids] == ["dogs", "Oslo"]


def test_a_dict_chain_is_captured_from_its_answer_and_context() -> None:
    handler = LongTracerCallbackHandler(FakeVerifier())
    lcel_dict(ScriptedModel(script=[GOOD])).invoke({"question": QUESTION}, {"callbacks": [handler]})
    record = the_record(handler)
    assert (record.question, ids(record), record.answer) == (QUESTION, ["d1"], GOOD)


def test_t17_a_retriever_that_finds_nothing_is_no_pass(verifier: Any) -> None:
    handler = LongTracerCallbackHandler(verifier)
    lcel(ScriptedModel(script=[GOOD])).invoke("zebra", {"callbacks": [handler]})
    record = the_record(handler)
    assert (record.status, record.documents) == (AnswerStatus.NO_DOCUMENTS, ())
    assert (record.case.reason.value, record.case.quality_gate.value) == ("NO_SOURCES_SUPPLIED", "FAIL")


def test_t17_a_branch_without_retrieval_is_skipped_and_says_so() -> None:
    handler = LongTracerCallbackHandler(FakeVerifier())
    small_talk = ScriptedModel(script=["Hello!"])
    RunnableBranch((lambda _: False, lcel(small_talk)), small_talk).invoke(QUESTION, {"callbacks": [handler]})
    record = the_record(handler)
    assert record.status is AnswerStatus.NO_RETRIEVAL
    assert (record.case.execution.value, record.case.quality_gate.value) == ("SKIPPED", "INDETERMINATE")


def test_u58_missing_retrieval_is_warned_about_once(caplog: pytest.LogCaptureFixture) -> None:
    handler = LongTracerCallbackHandler(FakeVerifier())
    for _ in range(3):
        ScriptedModel(script=["Hello!"]).invoke(QUESTION, {"callbacks": [handler]})
    assert [r.message for r in caplog.records if "without any retrieved documents" in r.message] != []
    assert len([r for r in caplog.records if "without any retrieved documents" in r.message]) == 1


def test_u58_an_answer_put_together_by_hand_can_be_checked_with_its_documents() -> None:
    handler = LongTracerCallbackHandler(FakeVerifier())
    documents = retriever().invoke(QUESTION)
    record = handler.check_answer(GOOD, documents, question=QUESTION)
    assert (record, ids(record), record.case.passed) == (handler.last, ["d1"], True)


def vector_store() -> InMemoryVectorStore:
    store = InMemoryVectorStore(DeterministicFakeEmbedding(size=8))
    store.add_documents(facts())
    return store


@pytest.mark.parametrize("call", [invoke, stream, ainvoke], ids=lambda call: call.__name__)
async def test_t18_a_similarity_search_in_a_lambda_brings_documents(call: Call) -> None:
    handler = LongTracerCallbackHandler(FakeVerifier())
    store = vector_store()
    search = RunnableLambda(lambda question: store.similarity_search(question, k=2))
    await call(lcel(ScriptedModel(script=[GOOD]), search), {"callbacks": [handler]})
    record = the_record(handler)
    expected = [document.id for document in store.similarity_search(QUESTION, k=2)]
    assert (ids(record), record.status) == (expected, AnswerStatus.OK)


@pytest.mark.parametrize("call", [invoke, stream], ids=lambda call: call.__name__)
async def test_documents_that_a_later_step_filters_out_do_not_count(call: Call) -> None:
    handler = LongTracerCallbackHandler(FakeVerifier())
    source = RunnableLambda(lambda _: "Pro plan in the Oslo office") | retriever() | RunnableLambda(lambda d: d[1:])
    await call(lcel(ScriptedModel(script=[GOOD]), source), {"callbacks": [handler]})
    assert ids(the_record(handler)) == ["d2"]


def test_t20_the_same_handler_bound_and_passed_gives_one_record() -> None:
    handler = LongTracerCallbackHandler(FakeVerifier())
    chain = lcel(ScriptedModel(script=[GOOD])).with_config(callbacks=[handler])
    chain.invoke(QUESTION, {"callbacks": [handler]})
    assert the_record(handler).answer == GOOD


def test_t20_two_handlers_give_one_record_each() -> None:
    first, second = LongTracerCallbackHandler(FakeVerifier()), LongTracerCallbackHandler(FakeVerifier())
    lcel(ScriptedModel(script=[GOOD])).with_config(callbacks=[first]).invoke(QUESTION, {"callbacks": [second]})
    assert the_record(first).answer == the_record(second).answer == GOOD


def test_t22_two_answers_under_one_root_are_reported_as_ambiguous() -> None:
    handler = LongTracerCallbackHandler(FakeVerifier())
    chain = lcel(ScriptedModel(script=[GOOD]))
    RunnableParallel(a=chain, b=chain).invoke(QUESTION, {"callbacks": [handler]})
    record = the_record(handler)
    assert (record.status, record.answer) == (AnswerStatus.AMBIGUOUS, None)
    assert record.case.quality_gate.value == "INDETERMINATE"


def test_t22_a_handler_for_each_branch_gives_two_records() -> None:
    handler = LongTracerCallbackHandler(FakeVerifier())
    chain = lcel(ScriptedModel(script=[GOOD])).with_config(callbacks=[handler])
    RunnableParallel(a=chain, b=chain).invoke(QUESTION)
    assert [(ids(record), record.status) for record in handler.records] == [(["d1"], AnswerStatus.OK)] * 2


def test_u60_a_bare_retriever_gives_no_record_and_leaves_no_state() -> None:
    handler = LongTracerCallbackHandler(FakeVerifier())
    retriever().invoke(QUESTION, {"callbacks": [handler]})
    assert (handler.records, handler.open_requests) == ((), 0)


def test_l14_a_retriever_called_without_config_in_a_lambda_is_seen() -> None:
    handler = LongTracerCallbackHandler(FakeVerifier())
    search = RunnableLambda(lambda question: retriever().invoke(question))
    lcel(ScriptedModel(script=[GOOD]), search).invoke(QUESTION, {"callbacks": [handler]})
    assert ids(the_record(handler)) == ["d1"]


class Mutation(BaseCallbackHandler):
    """Notes the text of what the retriever returned, after the handler under test has seen it."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def on_retriever_end(self, documents: Any, **_: Any) -> None:
        self.texts.extend(document.page_content for document in documents)
        for document in documents:
            document.metadata["late"] = True


def test_records_hold_copies_of_the_documents() -> None:
    handler, later = LongTracerCallbackHandler(FakeVerifier()), Mutation()
    lcel(ScriptedModel(script=[GOOD])).invoke(QUESTION, {"callbacks": [handler, later]})
    assert later.texts == [FACTS["d1"]]
    assert the_record(handler).documents[0].metadata == {"source": "d1.txt"}

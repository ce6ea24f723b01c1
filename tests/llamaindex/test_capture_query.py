"""What is captured of query engines: the answer of the root, and the documents its model read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from llama_index.core.base.response.schema import Response
from llama_index.core.indices.query.query_transform import HyDEQueryTransform
from llama_index.core.query_engine import (
    CustomQueryEngine,
    RetrieverQueryEngine,
    RouterQueryEngine,
    TransformQueryEngine,
)
from llama_index.core.retrievers import BaseRetriever, QueryFusionRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
from llama_index.core.selectors import LLMMultiSelector, LLMSingleSelector
from llama_index.core.tools import QueryEngineTool
from pydantic import BaseModel

from longtracer import QualityGate
from longtracer_integrations import AnswerStatus
from longtracer_integrations.llamaindex import InstrumentHandle

from .fakes import BAD, GOOD, QUESTION, ScriptedLLM, engine, fact_index, ids, retrieved_ids

MODES = ["compact", "refine", "tree_summarize", "accumulate", "simple_summarize"]


@pytest.mark.parametrize("mode", MODES)
def test_t40_answer_and_nodes_of_every_response_mode(handle: InstrumentHandle, mode: str) -> None:
    response = engine(response_mode=mode).query(QUESTION)
    (record,) = handle.records
    assert (record.answer, ids(record), record.status) == (str(response), retrieved_ids(QUESTION), AnswerStatus.OK)


@pytest.mark.parametrize("mode", MODES)
async def test_t40_the_same_asynchronously(handle: InstrumentHandle, mode: str) -> None:
    response = await engine(response_mode=mode).aquery(QUESTION)
    await handle.wait_async()
    (record,) = handle.records
    assert (record.answer, ids(record), record.status) == (str(response), retrieved_ids(QUESTION), AnswerStatus.OK)


def test_the_question_is_recorded(handle: InstrumentHandle) -> None:
    engine().query(QUESTION)
    assert handle.last is not None
    assert handle.last.question == QUESTION


def test_the_question_of_a_bundle_is_its_text(handle: InstrumentHandle) -> None:
    engine().query(QueryBundle(QUESTION))
    assert handle.last is not None
    assert handle.last.question == QUESTION


@pytest.mark.parametrize(("answer", "gate"), [(GOOD, QualityGate.PASS), (BAD, QualityGate.FAIL)])
def test_the_answer_is_checked_against_its_nodes(handle: InstrumentHandle, answer: str, gate: QualityGate) -> None:
    engine(answer).query(QUESTION)
    assert handle.last is not None
    assert handle.last.case is not None
    assert handle.last.case.quality_gate is gate


def test_refine_does_not_record_its_first_draft(handle: InstrumentHandle) -> None:
    engine(["A first draft.", GOOD], response_mode="refine").query(QUESTION)
    assert [record.answer for record in handle.records] == [GOOD]


def test_t44_a_router_with_one_choice_gives_one_record(handle: InstrumentHandle) -> None:
    router = _router(LLMSingleSelector.from_defaults(llm=ScriptedLLM('[{"choice": 1, "reason": "facts"}]')))
    router.query(QUESTION)
    (record,) = handle.records
    assert (record.answer, ids(record)) == (GOOD, retrieved_ids(QUESTION))


def test_t44_a_router_with_several_choices_has_the_union_of_their_nodes(handle: InstrumentHandle) -> None:
    choices = '[{"choice": 1, "reason": "facts"}, {"choice": 2, "reason": "more"}]'
    router = _router(LLMMultiSelector.from_defaults(llm=ScriptedLLM(choices)))
    router.query(QUESTION)
    (record,) = handle.records
    assert record.answer == "Summed up."
    assert set(ids(record)) == {"n1", "n2", "n3"}


def _router(selector: Any) -> RouterQueryEngine:
    tools = [
        QueryEngineTool.from_defaults(engine(GOOD), name="facts", description="facts"),
        QueryEngineTool.from_defaults(engine("The ferry leaves at seven.", top_k=3), name="more", description="more"),
    ]
    from llama_index.core.response_synthesizers import TreeSummarize

    return RouterQueryEngine(
        selector, tools, llm=ScriptedLLM("Summed up."), summarizer=TreeSummarize(llm=ScriptedLLM("Summed up."))
    )


def test_a_transformed_query_keeps_the_users_question(handle: InstrumentHandle) -> None:
    hyde = HyDEQueryTransform(llm=ScriptedLLM("The lighthouse at Brundy Head is blue."), include_original=True)
    TransformQueryEngine(engine(), hyde).query(QUESTION)
    (record,) = handle.records
    assert (record.question, record.answer) == (QUESTION, GOOD)


def test_t49_fusion_counts_the_outermost_nodes_once(handle: InstrumentHandle) -> None:
    retriever = fact_index().as_retriever(similarity_top_k=2)
    fusion = QueryFusionRetriever(
        [retriever, retriever],
        llm=ScriptedLLM("lighthouse keeper\nferry"),
        num_queries=3,
        similarity_top_k=3,
        use_async=False,
    )
    response = RetrieverQueryEngine.from_args(fusion, llm=ScriptedLLM(GOOD)).query(QUESTION)
    (record,) = handle.records
    assert ids(record) == [node.node_id for node in response.source_nodes]
    assert len(ids(record)) == 3


class TextEngine(CustomQueryEngine):
    """Returns a text, and no nodes."""

    retriever: BaseRetriever
    answer: str = GOOD

    def custom_query(self, query_str: str) -> str:
        self.retriever.retrieve(query_str)
        return self.answer


def test_t49_a_custom_engine_that_returns_text_has_the_retrieved_nodes(handle: InstrumentHandle) -> None:
    TextEngine(retriever=fact_index().as_retriever(similarity_top_k=2)).query(QUESTION)
    (record,) = handle.records
    assert (record.answer, ids(record), record.question) == (GOOD, retrieved_ids(QUESTION), QUESTION)


class Painted(BaseModel):
    """A structured answer."""

    answer: str
    confidence: float


def test_t50_a_structured_response_gives_its_answer_field(handle: InstrumentHandle) -> None:
    llm = ScriptedLLM(f'{{"answer": "{GOOD}", "confidence": 0.9}}')
    response = engine(llm=llm, output_cls=Painted, response_mode="compact").query(QUESTION)
    (record,) = handle.records
    assert type(response).__name__ == "PydanticResponse"
    assert record.answer == GOOD


class NothingRetriever(BaseRetriever):
    """Finds nothing."""

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return []


def test_t50_empty_retrieval_is_no_documents_and_does_not_pass(handle: InstrumentHandle) -> None:
    RetrieverQueryEngine.from_args(NothingRetriever(), llm=ScriptedLLM(GOOD)).query(QUESTION)
    (record,) = handle.records
    assert (record.answer, record.status, record.documents) == ("Empty Response", AnswerStatus.NO_DOCUMENTS, ())
    assert record.case is not None
    assert not record.case.passed


class NoRetrieval(CustomQueryEngine):
    """Answers from nowhere."""

    def custom_query(self, query_str: str) -> str:
        return GOOD


def test_an_engine_that_retrieves_nothing_at_all_is_skipped(handle: InstrumentHandle) -> None:
    NoRetrieval().query(QUESTION)
    (record,) = handle.records
    assert record.status is AnswerStatus.NO_RETRIEVAL
    assert record.case is not None
    assert record.case.quality_gate is QualityGate.INDETERMINATE


def test_a_bare_retrieval_is_no_answer(handle: InstrumentHandle) -> None:
    fact_index().as_retriever().retrieve(QUESTION)
    assert handle.records == ()


def test_a_bare_model_call_is_no_answer(handle: InstrumentHandle) -> None:
    ScriptedLLM(GOOD).complete("hello")
    assert handle.records == ()


def test_a_node_of_a_response_that_is_no_document_of_the_index_counts(handle: InstrumentHandle) -> None:
    class Handmade(CustomQueryEngine):
        def custom_query(self, query_str: str) -> Response:
            return Response(GOOD, source_nodes=[NodeWithScore(node=TextNode(id_="mine", text=GOOD))])

    Handmade().query(QUESTION)
    assert ids(handle.last) == ["mine"]


@pytest.mark.parametrize("ask", [lambda e: e.query(QUESTION), lambda e: e.query(QueryBundle(QUESTION))])
def test_nothing_is_open_after_an_answer(
    handle: InstrumentHandle, open_traces: Callable[[], int], ask: Callable[[Any], Any]
) -> None:
    ask(engine())
    assert open_traces() == 0

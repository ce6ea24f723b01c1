"""Which nodes become documents, and by which id: what a model wrote is none, whatever engine it comes from."""

from __future__ import annotations

import pytest
from llama_index.core import Settings, VectorStoreIndex
from llama_index.core.base.response.schema import Response
from llama_index.core.evaluation import GuidelineEvaluator, RelevancyEvaluator
from llama_index.core.indices.query.query_transform.base import StepDecomposeQueryTransform
from llama_index.core.postprocessor import LLMRerank, MetadataReplacementPostProcessor, SimilarityPostprocessor
from llama_index.core.query_engine import (
    CitationQueryEngine,
    CustomQueryEngine,
    MultiStepQueryEngine,
    RetrieverQueryEngine,
    RetryQueryEngine,
    SubQuestionQueryEngine,
)
from llama_index.core.question_gen import LLMQuestionGenerator
from llama_index.core.response_synthesizers import get_response_synthesizer
from llama_index.core.schema import IndexNode, NodeWithScore, TextNode
from llama_index.core.tools import QueryEngineTool

from longtracer_integrations.llamaindex import InstrumentHandle

from .fakes import FACTS, GOOD, QUESTION, ScriptedLLM, WordEmbedding, engine, fact_index, fact_nodes, ids, retrieved_ids

SUB_QUESTIONS = '```json\n[{"sub_question": "lighthouse painted", "tool_name": "facts"}]\n```'


def _sub_question_engine(*, use_async: bool) -> SubQuestionQueryEngine:
    tool = QueryEngineTool.from_defaults(engine("White and red."), name="facts", description="facts")
    return SubQuestionQueryEngine.from_defaults(
        [tool],
        llm=ScriptedLLM(GOOD),
        question_gen=LLMQuestionGenerator.from_defaults(llm=ScriptedLLM(SUB_QUESTIONS)),
        response_synthesizer=get_response_synthesizer(llm=ScriptedLLM(GOOD), use_async=use_async),
        use_async=use_async,
        verbose=False,
    )


@pytest.mark.parametrize("use_async", [False, True])
def test_t45_sub_answers_are_no_documents(handle: InstrumentHandle, use_async: bool) -> None:
    response = _sub_question_engine(use_async=use_async).query(QUESTION)
    (record,) = handle.records
    assert any(node.text.startswith("Sub question:") for node in response.source_nodes)
    assert (record.answer, set(ids(record))) == (GOOD, set(retrieved_ids("lighthouse painted")))


def test_t45_steps_are_no_documents(handle: InstrumentHandle) -> None:
    steps = StepDecomposeQueryTransform(llm=ScriptedLLM(["lighthouse painted", "None"]), verbose=False)
    multi = MultiStepQueryEngine(
        engine("White and red."),
        steps,
        response_synthesizer=get_response_synthesizer(llm=ScriptedLLM(GOOD)),
        index_summary="facts",
    )
    response = multi.query(QUESTION)
    (record,) = handle.records
    assert any(node.text.startswith("\nQuestion:") for node in response.source_nodes)
    assert (record.answer, set(ids(record))) == (GOOD, set(retrieved_ids("lighthouse painted")))


def test_t46_the_answers_of_an_evaluator_are_not_answers(
    handle: InstrumentHandle, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The engine makes its feedback transformation itself, with the model of the settings, which it does not call.
    monkeypatch.setattr(Settings, "_llm", ScriptedLLM("unused"))
    monkeypatch.setattr(Settings, "_embed_model", WordEmbedding())
    evaluator = RelevancyEvaluator(llm=ScriptedLLM(["NO", "YES"]))
    RetryQueryEngine(engine(["A first try.", GOOD]), evaluator).query(QUESTION)
    (record,) = handle.records
    assert record.answer == GOOD
    assert set(ids(record)) <= set(FACTS)


def test_t46_a_guideline_evaluator_is_no_answer_either(handle: InstrumentHandle) -> None:
    verdict = ScriptedLLM('{"passing": true, "feedback": "fine"}')
    RetryQueryEngine(engine(), GuidelineEvaluator(llm=verdict)).query(QUESTION)
    assert [record.answer for record in handle.records] == [GOOD]


def test_citation_nodes_keep_the_id_of_the_node_they_come_from(handle: InstrumentHandle) -> None:
    cited = CitationQueryEngine.from_args(fact_index(), llm=ScriptedLLM(f"{GOOD[:-1]} [1]."), similarity_top_k=2)
    cited.query(QUESTION)
    assert ids(handle.last) == retrieved_ids(QUESTION)


def test_citation_headings_are_not_part_of_the_text(handle: InstrumentHandle) -> None:
    CitationQueryEngine.from_args(fact_index(), llm=ScriptedLLM(GOOD), similarity_top_k=2).query(QUESTION)
    assert handle.last is not None
    assert handle.last.documents[0].text == FACTS["n1"][1]


def test_two_pieces_of_one_node_are_kept_apart(handle: InstrumentHandle) -> None:
    text = " ".join(f"Sentence number {n} speaks of the lighthouse." for n in range(12))
    index = VectorStoreIndex([TextNode(id_="long", text=text)], embed_model=WordEmbedding())
    cited = CitationQueryEngine.from_args(
        index, llm=ScriptedLLM(GOOD), similarity_top_k=1, citation_chunk_size=40, citation_chunk_overlap=0
    )
    response = cited.query(QUESTION)
    expected = ["long", *(f"long#{n}" for n in range(2, len(response.source_nodes) + 1))]
    assert len(expected) > 1
    assert ids(handle.last) == expected


class TwoOfOneId(CustomQueryEngine):
    """Returns two nodes that share an id and differ in their text."""

    def custom_query(self, query_str: str) -> Response:
        nodes = [TextNode(id_="same", text="The lighthouse is white."), TextNode(id_="same", text="It is also red.")]
        return Response("The lighthouse is white.", [NodeWithScore(node=node) for node in nodes])


def test_u72_equal_ids_with_different_texts_are_made_unique(handle: InstrumentHandle) -> None:
    TwoOfOneId().query(QUESTION)
    assert handle.last is not None
    assert [(d.id, d.text) for d in handle.last.documents] == [
        ("same", "The lighthouse is white."),
        ("same#2", "It is also red."),
    ]


def test_the_document_id_and_its_origin_are_both_kept(handle: InstrumentHandle) -> None:
    engine(top_k=1).query(QUESTION)
    assert handle.last is not None
    (document,) = handle.last.documents
    assert (document.id, document.id_from, document.metadata["ref_doc_id"]) == ("n1", "document.id", "f1")


def test_the_case_names_node_ids(handle: InstrumentHandle) -> None:
    engine().query(QUESTION)
    assert handle.last is not None
    assert handle.last.case is not None
    assert handle.last.case.claims[0].supporting_sources == ("n1",)


def test_a_reranker_decides_what_is_a_document(handle: InstrumentHandle) -> None:
    rerank = LLMRerank(llm=ScriptedLLM("Doc: 2, Relevance: 9"), top_n=1, choice_batch_size=5)
    response = engine(top_k=3, node_postprocessors=[rerank]).query(QUESTION)
    assert len(response.source_nodes) == 1
    assert ids(handle.last) == [response.source_nodes[0].node_id] == retrieved_ids(QUESTION, 3)[1:2]


def test_a_cutoff_decides_what_is_a_document(handle: InstrumentHandle) -> None:
    engine(top_k=5, node_postprocessors=[SimilarityPostprocessor(similarity_cutoff=0.5)]).query(QUESTION)
    assert ids(handle.last) == ["n1"]


def test_a_replaced_text_is_the_text_of_the_document(handle: InstrumentHandle) -> None:
    nodes = fact_nodes()
    nodes[0].metadata["window"] = f"{FACTS['n1'][1]} {FACTS['n2'][1]}"
    index = VectorStoreIndex(nodes, embed_model=WordEmbedding())
    replacing = MetadataReplacementPostProcessor(target_metadata_key="window")
    index.as_query_engine(llm=ScriptedLLM(GOOD), similarity_top_k=1, node_postprocessors=[replacing]).query(QUESTION)
    assert handle.last is not None
    assert [document.text for document in handle.last.documents] == [nodes[0].metadata["window"]]


def test_an_engine_behind_an_index_node_gives_its_nodes_not_its_answer(handle: InstrumentHandle) -> None:
    inner = engine("The lighthouse at Brundy Head is painted blue.")
    entry = IndexNode(text=QUESTION, index_id="inner", obj=inner)
    outer = VectorStoreIndex(objects=[entry], embed_model=WordEmbedding())
    outer.as_query_engine(llm=ScriptedLLM(GOOD), similarity_top_k=1).query(QUESTION)
    (record,) = handle.records
    assert (record.answer, ids(record)) == (GOOD, retrieved_ids(QUESTION))


def test_a_document_is_never_cut(handle: InstrumentHandle) -> None:
    text = "The lighthouse stands on a cliff. " * 200
    index = VectorStoreIndex([TextNode(id_="long", text=text)], embed_model=WordEmbedding())
    index.as_query_engine(llm=ScriptedLLM("The lighthouse stands on a cliff."), similarity_top_k=1).query(QUESTION)
    assert handle.last is not None
    assert handle.last.documents[0].text == text


def test_nodes_given_to_a_synthesizer_by_hand_count_without_any_retrieval(handle: InstrumentHandle) -> None:
    nodes = [NodeWithScore(node=TextNode(id_="h1", text=FACTS["n1"][1]))]
    get_response_synthesizer(llm=ScriptedLLM(GOOD)).synthesize(QUESTION, nodes)
    assert ids(handle.last) == ["h1"]


def test_t43_retrieve_then_synthesize_gives_the_record_of_the_synthesis(handle: InstrumentHandle) -> None:
    nodes = fact_index().as_retriever(similarity_top_k=2).retrieve(QUESTION)
    get_response_synthesizer(llm=ScriptedLLM(GOOD)).synthesize(QUESTION, nodes)
    (record,) = handle.records
    assert (record.question, record.answer, ids(record)) == (QUESTION, GOOD, retrieved_ids(QUESTION))


async def test_t43_the_same_asynchronously(handle: InstrumentHandle) -> None:
    nodes = await fact_index().as_retriever(similarity_top_k=2).aretrieve(QUESTION)
    await get_response_synthesizer(llm=ScriptedLLM(GOOD)).asynthesize(QUESTION, nodes)
    await handle.wait_async()
    (record,) = handle.records
    assert (record.answer, ids(record)) == (GOOD, retrieved_ids(QUESTION))


def test_a_retriever_engine_built_by_hand(handle: InstrumentHandle) -> None:
    built = RetrieverQueryEngine(
        fact_index().as_retriever(similarity_top_k=2), get_response_synthesizer(llm=ScriptedLLM(GOOD))
    )
    built.query(QUESTION)
    assert ids(handle.last) == retrieved_ids(QUESTION)

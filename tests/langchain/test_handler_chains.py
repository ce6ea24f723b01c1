"""What the handler captures of the chains and retrievers of langchain and langchain-classic."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import BaseDocumentCompressor, Document
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder, PromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.stores import InMemoryStore
from langchain_core.vectorstores import InMemoryVectorStore
from lc_fakes import GOOD, FakeVerifier, ScriptedModel, alist, facts, ids, lcel, retriever

from longtracer_integrations import AnswerStatus, GuardrailPolicy
from longtracer_integrations.langchain import GroundingGuardrail, LongTracerCallbackHandler

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    from langchain_classic.chains import ConversationalRetrievalChain, RetrievalQA
    from langchain_classic.chains.combine_documents import create_stuff_documents_chain
    from langchain_classic.chains.history_aware_retriever import create_history_aware_retriever
    from langchain_classic.chains.retrieval import create_retrieval_chain
    from langchain_classic.retrievers import (
        ContextualCompressionRetriever,
        EnsembleRetriever,
        MergerRetriever,
        MultiQueryRetriever,
        ParentDocumentRetriever,
        RePhraseQueryRetriever,
    )
    from langchain_classic.retrievers.document_compressors import LLMChainExtractor

pytestmark = pytest.mark.filterwarnings("ignore::langchain_core._api.deprecation.LangChainDeprecationWarning")

QUESTION = "What does the Pro plan cost?"
STUFF_PROMPT = ChatPromptTemplate.from_template("{context}\n\n{input}")


def watched(chain: Any, given: Any, how: str = "invoke") -> Any:
    """The only record of one call."""
    handler = LongTracerCallbackHandler(FakeVerifier())
    config = {"callbacks": [handler]}
    if how == "stream":
        list(chain.stream(given, config))
    else:
        chain.invoke(given, config)
    assert handler.open_requests == 0
    (record,) = handler.records
    return record


@pytest.mark.parametrize("how", ["invoke", "stream"])
def test_t05_create_retrieval_chain_gives_its_answer_and_each_document_once(how: str) -> None:
    stuff = create_stuff_documents_chain(ScriptedModel(script=[GOOD]), STUFF_PROMPT)
    record = watched(create_retrieval_chain(retriever(), stuff), {"input": QUESTION}, how)
    assert (record.question, ids(record), record.answer, record.status) == (QUESTION, ["d1"], GOOD, AnswerStatus.OK)


async def test_t05_create_retrieval_chain_astream() -> None:
    handler = LongTracerCallbackHandler(FakeVerifier())
    stuff = create_stuff_documents_chain(ScriptedModel(script=[GOOD]), STUFF_PROMPT)
    chain = create_retrieval_chain(retriever(), stuff)
    await alist(chain.astream({"input": QUESTION}, {"callbacks": [handler]}))
    (record,) = handler.records
    assert (record.question, ids(record), record.answer) == (QUESTION, ["d1"], GOOD)


@pytest.mark.parametrize("returned", [True, False])
def test_t06_retrieval_qa_stuff(returned: bool) -> None:
    chain = RetrievalQA.from_chain_type(
        ScriptedModel(script=[GOOD]), retriever=retriever(), return_source_documents=returned
    )
    record = watched(chain, {"query": QUESTION})
    assert (record.question, ids(record), record.answer) == (QUESTION, ["d1"], GOOD)


def test_t06_the_partial_answers_of_refine_are_not_the_answer() -> None:
    model = ScriptedModel(script=["A first try.", GOOD])
    chain = RetrievalQA.from_chain_type(model, chain_type="refine", retriever=retriever())
    record = watched(chain, {"query": "Pro plan in the Oslo office"})
    assert (ids(record), record.answer) == (["d1", "d2"], GOOD)


@pytest.mark.filterwarnings("ignore:The apply_and_parse method:UserWarning")
def test_t06_the_answer_of_map_rerank_is_the_parsed_one_of_the_best_score() -> None:
    model = ScriptedModel(script=lambda m: f"{GOOD}\nScore: 90" if "20 dollars" in m[-1].text else "Nine.\nScore: 10")
    chain = RetrievalQA.from_chain_type(model, chain_type="map_rerank", retriever=retriever())
    record = watched(chain, {"query": "Pro plan in the Oslo office"})
    assert (ids(record), record.answer) == (["d1", "d2"], GOOD)


def test_t07_conversational_retrieval_gives_the_answer_and_not_the_rewritten_question() -> None:
    model = ScriptedModel(script=["What does the Pro plan cost?", GOOD])
    chain = ConversationalRetrievalChain.from_llm(model, retriever())
    record = watched(chain, {"question": "And what is its price?", "chat_history": [("Which plan?", "The Pro plan.")]})
    assert (record.question, ids(record), record.answer) == ("And what is its price?", ["d1"], GOOD)


@pytest.mark.parametrize("how", ["invoke", "stream"])
def test_t07_a_history_aware_retriever_brings_the_documents_of_the_rewritten_question(how: str) -> None:
    rewrite = ChatPromptTemplate.from_messages([MessagesPlaceholder("chat_history"), ("user", "{input}")])
    rewriter = create_history_aware_retriever(ScriptedModel(script=["Oslo office?"]), retriever(), rewrite)
    stuff = create_stuff_documents_chain(ScriptedModel(script=["It opens at nine."]), STUFF_PROMPT)
    given = {"input": "When does it open?", "chat_history": [HumanMessage("Oslo?"), AIMessage("Yes.")]}
    record = watched(create_retrieval_chain(rewriter, stuff), given, how)
    assert (record.question, ids(record), record.answer) == ("When does it open?", ["d2"], "It opens at nine.")


def test_t08_multi_query_gives_the_union_once() -> None:
    queries = ScriptedModel(script=["Pro plan?\nOslo office?\nPro price plan?"])
    found = MultiQueryRetriever.from_llm(retriever(), queries)
    record = watched(lcel(ScriptedModel(script=[GOOD]), found), QUESTION)
    assert (ids(record), record.answer) == (["d1", "d2"], GOOD)


def test_t08_an_ensemble_gives_its_fused_order() -> None:
    first, second = retriever(*facts("d2", "d1")), retriever(*facts("d1"))
    found = EnsembleRetriever(retrievers=[first, second], weights=[0.5, 0.5])
    record = watched(lcel(ScriptedModel(script=[GOOD]), found), "Pro plan in the Oslo office")
    assert ids(record) == [document.id for document in found.invoke("Pro plan in the Oslo office")] == ["d1", "d2"]


def test_t08_a_merger_s_duplicates_count_once() -> None:
    found = MergerRetriever(retrievers=[retriever(), retriever(*facts("d1", "d2"))])
    record = watched(lcel(ScriptedModel(script=[GOOD]), found), QUESTION)
    assert len(found.invoke(QUESTION)) == 2
    assert ids(record) == ["d1"]


def extractor() -> Any:
    extracts = ScriptedModel(script=lambda m: "costs 20 dollars" if "20 dollars" in m[-1].text else "NO_OUTPUT")
    return LLMChainExtractor.from_llm(extracts)


class Filter(BaseDocumentCompressor):
    """Keeps what speaks of dollars, without ids, as the filters of langchain-classic do."""

    def compress_documents(self, documents: Any, query: str, callbacks: Any = None) -> list[Document]:
        kept = [document for document in documents if "dollars" in document.page_content]
        return [Document(page_content=document.page_content, metadata=document.metadata) for document in kept]


@pytest.mark.parametrize(
    ("compressor", "text"),
    [(extractor, "costs 20 dollars"), (Filter, "The Pro plan costs 20 dollars.")],
    ids=["extractor", "filter"],
)
def test_l10_compressed_documents_get_back_the_id_they_lost(compressor: Callable[[], Any], text: str) -> None:
    found = ContextualCompressionRetriever(base_compressor=compressor(), base_retriever=retriever())
    record = watched(lcel(ScriptedModel(script=[GOOD]), found), "Pro plan in the Oslo office")
    assert all(document.id is None for document in found.invoke("Pro plan in the Oslo office"))
    assert [(d.id, d.id_from, d.text) for d in record.documents] == [("d1", "document.id", text)]


def test_l11_the_query_of_a_rephrasing_retriever_is_not_the_question() -> None:
    prompt = PromptTemplate.from_template("{question}")
    found = RePhraseQueryRetriever.from_llm(retriever(), ScriptedModel(script=["Oslo office?"]), prompt)
    record = watched(lcel(ScriptedModel(script=[GOOD]), found), QUESTION)
    assert (record.question, ids(record)) == (QUESTION, ["d2"])


def test_l11_a_parent_document_retriever_gives_the_parents() -> None:
    from langchain_core.embeddings import DeterministicFakeEmbedding
    from langchain_text_splitters import CharacterTextSplitter

    found = ParentDocumentRetriever(
        vectorstore=InMemoryVectorStore(DeterministicFakeEmbedding(size=8)),
        docstore=InMemoryStore(),
        child_splitter=CharacterTextSplitter(separator=" ", chunk_size=12, chunk_overlap=0),
    )
    found.add_documents(facts("d1"), ids=["parent-1"])
    record = watched(lcel(ScriptedModel(script=[GOOD]), found), QUESTION)
    assert [document.text for document in record.documents] == ["The Pro plan costs 20 dollars."]


class CarelessRetriever(BaseRetriever):
    """Calls a model and another retriever without handing its run manager on."""

    inner: Any
    model: Any

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        self.model.invoke(query)
        return list(self.inner.invoke(query))


def test_t10_a_careless_retriever_s_documents_count_once_and_its_model_is_not_the_answer() -> None:
    found = CarelessRetriever(inner=retriever(), model=ScriptedModel(script=["A rewritten query."]))
    record = watched(lcel(ScriptedModel(script=[GOOD]), found), QUESTION)
    assert (ids(record), record.answer) == (["d1"], GOOD)


@pytest.mark.parametrize(("answer", "shown"), [(GOOD, GOOD), ("The Pro plan costs 90 dollars.", "No.")])
def test_classic_chains_can_be_guarded(answer: str, shown: str) -> None:
    options: Any = {"policy": GuardrailPolicy(block_message="No."), "verifier": FakeVerifier()}
    qa = RetrievalQA.from_chain_type(ScriptedModel(script=[answer]), retriever=retriever())
    stuff = create_stuff_documents_chain(ScriptedModel(script=[answer]), STUFF_PROMPT)
    made = create_retrieval_chain(retriever(), stuff)
    assert GroundingGuardrail.around(qa, **options).invoke({"query": QUESTION})["result"] == shown
    assert GroundingGuardrail.around(made, **options).invoke({"input": QUESTION})["answer"] == shown
    assert (made | GroundingGuardrail(**options)).invoke({"input": QUESTION})["answer"] == shown
    streamed = list((made | GroundingGuardrail(**options)).stream({"input": QUESTION}))
    assert "".join(chunk.get("answer", "") for chunk in streamed) == shown

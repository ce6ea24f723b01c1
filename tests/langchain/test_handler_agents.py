"""What the handler captures of agents and LangGraph graphs."""

from __future__ import annotations

import operator
import warnings
from typing import Annotated, Any, TypedDict

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware, AgentState, HumanInTheLoopMiddleware, dynamic_prompt
from langchain.agents.structured_output import ToolStrategy
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.tools import BaseTool, create_retriever_tool, tool
from langchain_core.vectorstores import InMemoryVectorStore
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.pregel import Pregel
from langgraph.types import Command, interrupt
from lc_fakes import GOOD, FakeVerifier, ScriptedModel, alist, facts, ids, retriever, tool_call
from pydantic import BaseModel

from longtracer_integrations import AnswerStatus
from longtracer_integrations.langchain import AsyncLongTracerCallbackHandler, LongTracerCallbackHandler

needs_v3 = pytest.mark.skipif(not hasattr(Pregel, "stream_events"), reason="this langgraph has no v3 streams yet")

QUESTION = "What does the Pro plan cost?"
ASKED = {"messages": [("user", QUESTION)]}


def search_tool(response_format: str = "content") -> BaseTool:
    return create_retriever_tool(retriever(), "search", "Finds facts.", response_format=response_format)  # type: ignore[arg-type]


def agent(*tools: Any, script: Any = None, **options: Any) -> Any:
    said = script or [tool_call("search", "Let me look that up.", query="Pro plan"), GOOD]
    return create_agent(ScriptedModel(script=said), list(tools) or [search_tool()], **options)


@pytest.fixture
def handler() -> LongTracerCallbackHandler:
    return LongTracerCallbackHandler(FakeVerifier())


def the_record(handler: Any) -> Any:
    assert handler.open_requests == 0
    (record,) = handler.records
    return record


def assert_captured(record: Any) -> None:
    assert (record.question, ids(record), record.answer, record.status) == (QUESTION, ["d1"], GOOD, AnswerStatus.OK)


@pytest.mark.parametrize("response_format", ["content", "content_and_artifact"])
def test_t25_an_agent_with_a_retriever_tool(handler: Any, response_format: str) -> None:
    agent(search_tool(response_format)).invoke(ASKED, {"callbacks": [handler]})
    assert_captured(the_record(handler))


@pytest.mark.parametrize("mode", ["updates", "values", "messages", ["updates", "messages"]])
def test_t25_an_agent_s_stream(handler: Any, mode: Any) -> None:
    list(agent().stream(ASKED, {"callbacks": [handler]}, stream_mode=mode))
    assert_captured(the_record(handler))


@pytest.mark.parametrize("kind", [LongTracerCallbackHandler, AsyncLongTracerCallbackHandler])
async def test_t25_an_agent_in_async_code(kind: type[Any]) -> None:
    first, second = kind(FakeVerifier()), kind(FakeVerifier())
    await agent().ainvoke(ASKED, {"callbacks": [first]})
    await alist(agent().astream(ASKED, {"callbacks": [second]}, stream_mode="messages"))
    assert_captured(the_record(first))
    assert_captured(the_record(second))


@needs_v3
@pytest.mark.filterwarnings("ignore:The v3 streaming protocol")
def test_t25_an_agent_s_v3_stream(handler: Any) -> None:
    list(agent().stream_events(ASKED, {"callbacks": [handler]}, version="v3"))
    assert_captured(the_record(handler))


def vector_store() -> InMemoryVectorStore:
    store = InMemoryVectorStore(DeterministicFakeEmbedding(size=8))
    store.add_documents(facts("d1"))
    return store


def test_t26_documents_of_a_search_in_a_tool_come_from_its_artifact(handler: Any) -> None:
    @tool(response_format="content_and_artifact")
    def search(query: str) -> tuple[str, list[Document]]:
        """Finds facts."""
        found = vector_store().similarity_search(query, k=1)
        return found[0].page_content, found

    agent(search).invoke(ASKED, {"callbacks": [handler]})
    assert_captured(the_record(handler))


def test_l24_a_search_in_a_dynamic_prompt_is_nowhere_to_be_seen(handler: Any) -> None:
    @dynamic_prompt
    def with_context(request: Any) -> str:
        return vector_store().similarity_search(QUESTION, k=1)[0].page_content

    create_agent(ScriptedModel(script=[GOOD]), [], middleware=[with_context]).invoke(ASKED, {"callbacks": [handler]})
    assert the_record(handler).status is AnswerStatus.NO_RETRIEVAL


class DocsState(AgentState[Any]):
    context: list[Document]


class Retrieves(AgentMiddleware):  # type: ignore[type-arg]
    """Puts documents into the state before the model is called."""

    state_schema = DocsState

    def before_model(self, state: Any, runtime: Any) -> dict[str, Any]:
        return {"context": vector_store().similarity_search(QUESTION, k=1)}


def test_l25_documents_that_a_middleware_puts_into_the_state(handler: Any) -> None:
    create_agent(ScriptedModel(script=[GOOD]), [], middleware=[Retrieves()]).invoke(ASKED, {"callbacks": [handler]})
    assert_captured(the_record(handler))


def test_t28_a_second_turn_without_retrieval_has_no_documents() -> None:
    handler = LongTracerCallbackHandler(FakeVerifier())
    said = [tool_call("search", query="Pro plan"), GOOD, "You are welcome."]
    made = agent(search_tool("content_and_artifact"), script=said, checkpointer=InMemorySaver())
    config: Any = {"callbacks": [handler], "configurable": {"thread_id": "1"}}
    made.invoke(ASKED, config)
    made.invoke({"messages": [("user", "Thank you.")]}, config)
    first, second = handler.records
    assert_captured(first)
    assert (second.question, ids(second), second.answer) == ("Thank you.", [], "You are welcome.")
    assert second.status is AnswerStatus.NO_RETRIEVAL


class Facts(TypedDict, total=False):
    question: str
    context: list[Document]
    answer: str


def rag_graph(**options: Any) -> Any:
    """Retrieves for questions about plans only; the state keeps what it found."""
    graph = StateGraph(Facts)
    graph.add_node("retrieve", lambda state: {"context": retriever().invoke(state["question"])})
    graph.add_node("generate", lambda state: {"answer": GOOD if "plan" in state["question"] else "You are welcome."})
    graph.add_conditional_edges(START, lambda state: "retrieve" if "plan" in state["question"] else "generate")
    graph.add_edge("retrieve", "generate")
    graph.add_edge("generate", END)
    return graph.compile(**options)


@pytest.mark.parametrize("streams", [False, True])
def test_l26_a_graph_s_state_names_answer_and_documents(handler: Any, streams: bool) -> None:
    if streams:
        list(rag_graph().stream({"question": QUESTION}, {"callbacks": [handler]}))
    else:
        rag_graph().invoke({"question": QUESTION}, {"callbacks": [handler]})
    assert_captured(the_record(handler))


def test_t28_documents_that_a_graph_kept_from_an_earlier_turn_do_not_count(handler: Any) -> None:
    made = rag_graph(checkpointer=InMemorySaver())
    config: Any = {"callbacks": [handler], "configurable": {"thread_id": "1"}}
    made.invoke({"question": QUESTION}, config)
    made.invoke({"question": "Thank you."}, config)
    assert [record.status for record in handler.records] == [AnswerStatus.OK, AnswerStatus.NO_RETRIEVAL]


def corrective_graph(keeps_context: bool) -> Any:
    """Retrieves, finds it useless, asks otherwise and retrieves again."""
    queries = iter(["Oslo office", "Pro plan"])

    class State(TypedDict, total=False):
        question: str
        context: Annotated[list[Document], lambda old, new: new]
        tries: Annotated[int, operator.add]
        answer: str

    def retrieve(state: State) -> dict[str, Any]:
        return {"context": retriever().invoke(next(queries)), "tries": 1}

    output = State if keeps_context else TypedDict("Output", {"answer": str})  # type: ignore[operator]
    graph = StateGraph(State, output_schema=output)
    graph.add_node("retrieve", retrieve)
    graph.add_node("generate", lambda state: {"answer": GOOD})
    graph.add_edge(START, "retrieve")
    graph.add_conditional_edges("retrieve", lambda state: "retrieve" if state["tries"] < 2 else "generate")
    graph.add_edge("generate", END)
    return graph.compile()


@pytest.mark.parametrize("keeps_context", [True, False])
def test_t30_of_a_corrective_loop_the_last_retrieval_counts(handler: Any, keeps_context: bool) -> None:
    corrective_graph(keeps_context).invoke({"question": QUESTION}, {"callbacks": [handler]})
    assert_captured(the_record(handler))


class OtherNames(TypedDict, total=False):
    frage: str
    fundstellen: list[Document]
    hinweis: str
    antwort: str


def graph_with_other_names() -> Any:
    graph = StateGraph(OtherNames)
    graph.add_node("suchen", lambda state: {"fundstellen": vector_store().similarity_search(state["frage"], k=1)})
    graph.add_node("antworten", lambda state: {"antwort": GOOD, "hinweis": "Without tax."})
    graph.add_edge(START, "suchen")
    graph.add_edge("suchen", "antworten")
    graph.add_edge("antworten", END)
    return graph.compile()


def test_t31_the_keys_of_a_graph_can_be_named() -> None:
    named = {"answer_key": "antwort", "context_key": "fundstellen", "question_key": "frage"}
    handler = LongTracerCallbackHandler(FakeVerifier(), **named)  # type: ignore[arg-type]
    graph_with_other_names().invoke({"frage": QUESTION}, {"callbacks": [handler]})
    assert_captured(the_record(handler))


def test_t18_a_search_in_a_graph_node_brings_documents(handler: Any) -> None:
    graph_with_other_names().invoke({"frage": QUESTION}, {"callbacks": [handler]})
    record = the_record(handler)
    assert (ids(record), record.status) == (["d1"], AnswerStatus.AMBIGUOUS)


@tool
def account(owner: str) -> str:
    """The balance of an account."""
    return "The balance of the account is 42 euros."


ACCOUNT_SCRIPT = [tool_call("account", owner="me"), "Your balance is 42 euros."]


def test_u74_tool_results_are_evidence_when_asked_for(verifier: Any) -> None:
    handler = LongTracerCallbackHandler(verifier, evidence=("retriever", "tool"))
    agent(account, script=ACCOUNT_SCRIPT).invoke(ASKED, {"callbacks": [handler]})
    record = the_record(handler)
    assert record.case.passed
    assert [(d.text, d.id_from) for d in record.documents] == [
        ("The balance of the account is 42 euros.", "metadata.tool_call_id")
    ]


def test_u74_another_number_than_the_tool_s_is_not_supported(verifier: Any) -> None:
    handler = LongTracerCallbackHandler(verifier, evidence=("retriever", "tool"))
    script = [ACCOUNT_SCRIPT[0], "Your balance is 43 euros."]
    agent(account, script=script).invoke(ASKED, {"callbacks": [handler]})
    assert not the_record(handler).case.passed


def test_tool_results_are_no_evidence_unless_asked_for(handler: Any) -> None:
    agent(account, script=ACCOUNT_SCRIPT).invoke(ASKED, {"callbacks": [handler]})
    assert the_record(handler).status is AnswerStatus.NO_RETRIEVAL


class Price(BaseModel):
    """The answer."""

    answer: str
    euros: int = 0


def test_t23_an_agent_s_structured_answer_is_the_field(handler: Any) -> None:
    said = [tool_call("search", query="Pro plan"), tool_call("Price", answer=GOOD, euros=20)]
    agent(script=said, response_format=ToolStrategy(Price)).invoke(ASKED, {"callbacks": [handler]})
    assert_captured(the_record(handler))


def test_l29_an_agent_that_waits_for_a_human_has_no_answer_yet() -> None:
    handler = LongTracerCallbackHandler(FakeVerifier())
    approval = HumanInTheLoopMiddleware(interrupt_on={"search": True})
    made = agent(middleware=[approval], checkpointer=InMemorySaver())
    config: Any = {"callbacks": [handler], "configurable": {"thread_id": "1"}}
    made.invoke(ASKED, config)
    made.invoke(Command(resume={"decisions": [{"type": "approve"}]}), config)
    first, second = handler.records
    assert (first.status, first.answer, first.case) == (AnswerStatus.INTERRUPTED, None, None)
    assert_captured(second)


def test_l29_documents_retrieved_before_an_interruption_count_afterwards(handler: Any) -> None:
    graph = StateGraph(Facts)
    graph.add_node("retrieve", lambda state: {"context": retriever().invoke(state["question"])})
    graph.add_node("generate", lambda state: {"answer": interrupt("Go on?") and GOOD})
    graph.add_edge(START, "retrieve")
    graph.add_edge("retrieve", "generate")
    made = graph.compile(checkpointer=InMemorySaver())
    config: Any = {"callbacks": [handler], "configurable": {"thread_id": "1"}}
    made.invoke({"question": QUESTION}, config)
    made.invoke(Command(resume="yes"), config)
    first, second = handler.records
    assert first.status is AnswerStatus.INTERRUPTED
    assert (ids(second), second.answer, second.status) == (["d1"], GOOD, AnswerStatus.OK)


def test_two_tool_searches_of_one_turn_add_up(handler: Any) -> None:
    said = [tool_call("search", query="Pro plan"), tool_call("search", query="Oslo"), GOOD]
    agent(script=said).invoke(ASKED, {"callbacks": [handler]})
    assert ids(the_record(handler)) == ["d1", "d2"]


def test_l30_an_agent_executor_s_answer_is_its_output(handler: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from langchain_classic.agents import AgentExecutor, create_tool_calling_agent
        from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder

        prompt = ChatPromptTemplate.from_messages([("user", "{input}"), MessagesPlaceholder("agent_scratchpad")])
        model = ScriptedModel(script=[tool_call("search", query="Pro plan"), GOOD])
        executor = AgentExecutor(agent=create_tool_calling_agent(model, [search_tool()], prompt), tools=[search_tool()])
        executor.invoke({"input": QUESTION}, {"callbacks": [handler]})
    assert_captured(the_record(handler))


def test_a_graph_stream_that_is_closed_is_not_a_whole_answer(handler: Any) -> None:
    stream = rag_graph().stream({"question": QUESTION}, {"callbacks": [handler]})
    next(stream)
    stream.close()
    assert the_record(handler).status is AnswerStatus.CLOSED_EARLY

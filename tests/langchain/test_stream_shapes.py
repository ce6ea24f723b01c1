"""What leaves a guarded stream is what was judged, whatever its chunks look like and however they add up."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import AsyncIterator, Iterator
from typing import Annotated, Any, TypedDict

import pytest
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, HumanMessage, RemoveMessage
from langchain_core.output_parsers import JsonOutputParser
from langchain_core.runnables import Runnable, RunnableGenerator, RunnableLambda, RunnablePassthrough
from langchain_core.runnables.utils import AddableDict
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.types import interrupt
from lc_fakes import BAD, GOOD, PROMPT, FakeVerifier, ScriptedModel, alist, facts, joined, retriever

from longtracer_integrations import GroundingBlocked, GuardrailPolicy
from longtracer_integrations.langchain import GroundingGuardrail

QUESTION = "How much is the Pro plan?"
BLOCKED = "No."
POLICY = GuardrailPolicy(block_message=BLOCKED)
WAYS = ("invoke", "ainvoke", "batch", "abatch", "stream", "astream")
STREAMS = ("stream", "astream")


def around(chain: Any, policy: GuardrailPolicy = POLICY, **options: Any) -> Any:
    return GroundingGuardrail.around(chain, policy, verifier=FakeVerifier(), **options)


async def left_by(guarded: Any, way: str, given: Any = QUESTION, **options: Any) -> list[Any]:
    """All that a guarded chain lets out, the result aside."""
    ways = {
        "invoke": lambda: asyncio.to_thread(lambda: [guarded.invoke(given, **options)]),
        "ainvoke": lambda: as_list(guarded.ainvoke(given, **options)),
        "batch": lambda: asyncio.to_thread(lambda: guarded.batch([given], **options)),
        "abatch": lambda: guarded.abatch([given], **options),
        "stream": lambda: asyncio.to_thread(lambda: list(guarded.stream(given, **options))),
        "astream": lambda: alist(guarded.astream(given, **options)),
    }
    return [without_result(chunk) for chunk in await ways[way]()]


async def as_list(one: Any) -> list[Any]:
    return [await one]


def without_result(value: Any) -> Any:
    if isinstance(value, BaseMessage):
        return value.model_copy(update={"response_metadata": {}})
    if isinstance(value, dict):
        return {key: without_result(entry) for key, entry in value.items() if key != "longtracer"}
    return [without_result(entry) for entry in value] if isinstance(value, list) else value


def with_documents(output: Any) -> Any:
    """A chain that retrieves and returns `output`."""
    return RunnableLambda(lambda _: (retriever().invoke("Pro plan"), output)[1])


def streaming(*chunks: Any) -> Any:
    """A chain that retrieves and streams `chunks`."""

    def talk(inputs: Iterator[Any]) -> Iterator[Any]:
        for _ in inputs:
            retriever().invoke("Pro plan")
            yield from chunks

    return both_ways(talk)


def both_ways(talk: Any) -> Any:
    """A chain that streams in sync and in async code what `talk` yields for its inputs."""

    async def atalk(inputs: AsyncIterator[Any]) -> AsyncIterator[Any]:
        for chunk in talk(iter([one async for one in inputs])):
            yield chunk

    return RunnableGenerator(talk, atalk)


class OwnRag(Runnable[Any, Any]):
    """A chain of the caller's own: it opens no run, and its first step returns another text than it does."""

    def __init__(self, step: str, answer: str) -> None:
        self.step, self.answer = step, answer

    def invoke(self, input: Any, config: Any = None, **kwargs: Any) -> Any:
        RunnableLambda(lambda _: self.step).invoke(input, config)
        retriever().invoke("Pro plan", config)
        return self.answer


@pytest.mark.parametrize("mode", ["buffer", "sentence"])
@pytest.mark.parametrize("way", WAYS)
async def test_the_output_of_a_step_is_not_that_of_the_chain(way: str, mode: Any) -> None:
    assert await left_by(around(OwnRag(GOOD, BAD), stream_mode=mode), way) == [BLOCKED]
    assert await left_by(around(OwnRag(BAD, GOOD), stream_mode=mode), way) == [GOOD]


@pytest.mark.parametrize("mode", ["buffer", "sentence"])
@pytest.mark.parametrize("way", STREAMS)
@pytest.mark.parametrize(
    "chunks",
    [
        ({"output": BAD}, {"answer": GOOD}),
        ({"answer": BAD}, {"answer": GOOD}),
        (BAD, {"answer": GOOD}),
        (BAD, None, GOOD),
        ({"answer": BAD}, GOOD),
        (AIMessage(BAD), AIMessage(GOOD)),
        (AddableDict({"answer": BAD}), AddableDict({"answer": {"text": GOOD}}), {"answer": GOOD}),
    ],
)
async def test_a_chunk_that_was_replaced_does_not_leave(chunks: Any, way: str, mode: Any) -> None:
    left = await left_by(around(streaming(*chunks), stream_mode=mode), way)
    assert "90 dollars" not in repr(left)


@pytest.mark.parametrize("mode", ["buffer", "sentence"])
@pytest.mark.parametrize("way", STREAMS)
@pytest.mark.parametrize(
    "chunks",
    [
        (GOOD, {"answer": BAD}),
        (GOOD, None, BAD),
        ({"answer": GOOD}, {"answer": BAD}),
        (AIMessage(GOOD), AIMessage(BAD)),
        (AIMessageChunk(GOOD), AIMessageChunk([{"type": "text", "text": f" {BAD}"}])),
        (AddableDict({"answer": GOOD}), AddableDict({"answer": f" {BAD}"})),
    ],
)
async def test_the_chunk_that_comes_last_is_judged(chunks: Any, way: str, mode: Any) -> None:
    left = await left_by(around(streaming(*chunks), stream_mode=mode), way)
    assert "90 dollars" not in repr(left)
    assert BLOCKED in repr(left)


def json_chain(answer: str) -> Any:
    model = ScriptedModel(script=[f'{{"answer": "{answer}", "stars": 1}}'])
    return {"context": retriever() | joined, "question": RunnablePassthrough()} | PROMPT | model | JsonOutputParser()


@pytest.mark.parametrize("mode", ["buffer", "sentence"])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("answer", "shown"),
    [(GOOD, GOOD), (BAD, BLOCKED), (f"{GOOD} {GOOD}", f"{GOOD} {GOOD}"), (f"{GOOD} {BAD}", BLOCKED)],
)
async def test_an_object_that_grows_leaves_as_it_is_in_the_end(answer: str, shown: str, way: str, mode: Any) -> None:
    assert await left_by(around(json_chain(answer), stream_mode=mode), way) == [{"answer": shown, "stars": 1}]


@pytest.mark.parametrize("way", WAYS)
async def test_a_chain_behind_a_growing_object_is_given_what_it_is_in_the_end(way: str) -> None:
    given: list[Any] = []

    def answer(asked: Any) -> str:
        given.append(asked)
        retriever().invoke("Pro plan")
        return BAD

    first = ScriptedModel(script=[f'{{"question": "{QUESTION}"}}']) | JsonOutputParser()
    chain = first | around(RunnableLambda(answer))
    assert await left_by(chain, way) == [BLOCKED]
    assert given == [{"question": QUESTION}]


@pytest.mark.parametrize("way", STREAMS)
async def test_a_growing_object_is_piped_into_a_guard_once(way: str) -> None:
    verifier = FakeVerifier()
    chunks = [{"answer": GOOD[:end], "context": facts()} for end in (7, 12, len(GOOD))]
    chain = streaming(*chunks) | GroundingGuardrail(POLICY, verifier=verifier)
    left = await left_by(chain, way)
    assert [call["response"] for call in verifier.calls] == [GOOD]
    assert [chunk["answer"] for chunk in left if "answer" in chunk] == [GOOD]
    assert [len(chunk["context"]) for chunk in left if "context" in chunk] == [3]


@pytest.mark.parametrize("way", STREAMS)
async def test_a_sentence_that_left_is_not_repeated_when_the_object_grows(way: str) -> None:
    chunks = ({"answer": f"{GOOD} And "}, {"answer": f"{GOOD} And so on."})
    left = await left_by(around(streaming(*chunks), stream_mode="sentence"), way)
    assert [chunk["answer"] for chunk in left] == [f"{GOOD} ", "And so on."]


# What may be shown before the verdict.

SAID_SO = {"chat_history": [HumanMessage(QUESTION), AIMessage(BAD)], "answer": BAD}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("output", "options"),
    [
        (SAID_SO, {}),
        (AddableDict(SAID_SO), {}),
        ({"query": BAD, "x": 1}, {"answer_key": "query"}),
        (AddableDict({"query": BAD, "x": 1}), {"answer_key": "query"}),
        ({"question": BAD, "answer": BAD}, {}),
        (AddableDict({"question": BAD, "answer": BAD}), {}),
        (AddableDict({"context": BAD, "answer": BAD}), {}),
        (AddableDict({"docs": [{"page_content": BAD}], "answer": BAD}), {}),
    ],
)
async def test_a_harmless_name_makes_no_answer_harmless(output: Any, options: Any, way: str) -> None:
    left = await left_by(around(with_documents(output), **options), way)
    assert "90 dollars" not in repr([{k: v for k, v in chunk.items() if k != "docs"} for chunk in left])
    if way in STREAMS:
        guarded = around(with_documents(output), GuardrailPolicy(on_fail="raise"), **options)
        assert await early(guarded, way) == []


async def early(guarded: Any, way: str, given: Any = QUESTION) -> list[Any]:
    """What a guard that raises has let out before."""
    left: list[Any] = []

    async def read() -> None:
        stream = guarded.astream(given) if way == "astream" else one_by_one(guarded.stream(given))
        async for chunk in stream:
            left.append(chunk)

    with pytest.raises(GroundingBlocked):
        await read()
    return left


async def one_by_one(chunks: Iterator[Any]) -> AsyncIterator[Any]:
    for chunk in chunks:
        yield chunk


@pytest.mark.parametrize("way", STREAMS)
@pytest.mark.parametrize(
    "output", [SAID_SO, AddableDict(SAID_SO), AddableDict({"query": BAD, "context": facts()})], ids=str
)
async def test_a_piped_guard_shows_no_history_and_no_answer_early(output: Any, way: str) -> None:
    options = {"answer_key": "query"} if "query" in output else {}
    guard = GroundingGuardrail(GuardrailPolicy(on_fail="raise"), verifier=FakeVerifier(), **options)
    chain = RunnableLambda(lambda _: output | {"context": facts()}) | guard
    assert [key for chunk in await early(chain, way) for key in chunk] == ["context"]


@pytest.mark.parametrize("way", STREAMS)
async def test_what_the_user_said_is_shown_early_as_it_was_given(way: str) -> None:
    def answer(given: dict[str, Any]) -> dict[str, Any]:
        retriever().invoke("Pro plan")
        given["chat_history"].append(AIMessage(BAD))  # as a memory does, with the very list it was given
        return {**given, "answer": BAD}

    def talk(inputs: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        for given in inputs:
            yield AddableDict(given)
            yield AddableDict({"answer": answer(given)["answer"]})

    earlier = [HumanMessage("Hello"), AIMessage("Hi")]
    given = {"question": QUESTION, "chat_history": list(earlier)}
    guarded = around(both_ways(talk), GuardrailPolicy(on_fail="raise"))
    assert await early(guarded, way, given) == [{"question": QUESTION, "chat_history": earlier}]
    given = {"question": QUESTION, "chat_history": list(earlier)}
    left = await left_by(around(RunnableLambda(answer)), way, given)
    assert "90 dollars" not in repr(left)


@pytest.mark.parametrize("way", WAYS)
async def test_the_memory_of_a_classic_chain_tells_no_answer_early(way: str) -> None:
    chains = pytest.importorskip("langchain_classic.chains")
    memory = pytest.importorskip("langchain_classic.memory")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        buffer = memory.ConversationBufferMemory(memory_key="chat_history", return_messages=True, output_key="answer")
        model = ScriptedModel(script=[BAD])
        chain = chains.ConversationalRetrievalChain.from_llm(model, retriever(), memory=buffer)
        left = await left_by(around(chain), way, {"question": QUESTION})
    assert "90 dollars" not in repr(left)


# Graphs: the state is judged, and their streams show what it has lost.


class State(TypedDict, total=False):
    question: str
    context: list[Any]
    answer: str


def graph(*answers: str, **options: Any) -> Any:
    """A graph that retrieves, then makes and remakes its answer."""
    made = StateGraph(State)
    made.add_node("retrieve", lambda state: {"context": retriever().invoke(state["question"])})
    made.add_edge(START, "retrieve")
    before = "retrieve"
    for number, answer in enumerate(answers):
        name = f"draft{number}"
        made.add_node(name, lambda _, answer=answer: {"answer": answer})
        made.add_edge(before, name)
        before = name
    made.add_edge(before, END)
    return made.compile(**options)


MODES: list[Any] = [
    "updates",
    "values",
    "debug",
    "tasks",
    ["updates", "values"],
    ["messages", "updates", "custom"],
]


@pytest.mark.parametrize("mode", MODES, ids=str)
@pytest.mark.parametrize("way", STREAMS)
async def test_a_draft_that_the_state_has_lost_does_not_leave_a_graph(way: str, mode: Any) -> None:
    left = await left_by(around(graph(BAD, GOOD)), way, {"question": QUESTION}, stream_mode=mode)
    assert "90 dollars" not in repr(left)
    assert "20 dollars" in repr(left)


@pytest.mark.parametrize("mode", MODES, ids=str)
@pytest.mark.parametrize("way", STREAMS)
async def test_a_bad_answer_leaves_a_graph_in_no_mode(way: str, mode: Any) -> None:
    left = await left_by(around(graph(GOOD, BAD)), way, {"question": QUESTION}, stream_mode=mode)
    assert "90 dollars" not in repr(left)
    assert BLOCKED in repr(left)


@pytest.mark.parametrize("way", ["invoke", "ainvoke", "batch", "abatch"])
async def test_a_graph_s_last_answer_is_judged(way: str) -> None:
    (left,) = await left_by(around(graph(BAD, GOOD)), way, {"question": QUESTION})
    assert left["answer"] == GOOD
    (left,) = await left_by(around(graph(GOOD, BAD)), way, {"question": QUESTION})
    assert left["answer"] == BLOCKED


@pytest.mark.parametrize("way", STREAMS)
async def test_the_updates_of_a_graph_leave_with_their_documents_and_its_last_answer(way: str) -> None:
    left = await left_by(around(graph(GOOD).with_config(run_name="mine")), way, {"question": QUESTION})
    documents = [Document(page_content=GOOD, id="d1", metadata={"source": "d1.txt"})]
    assert left == [{"retrieve": {"context": documents}}, {"draft0": {"answer": GOOD}}, {}]


@pytest.mark.parametrize("way", STREAMS)
async def test_a_graph_behind_another_step_is_judged_by_its_last_update(way: str) -> None:
    for answers, shown in ((BAD, GOOD), GOOD), ((GOOD, BAD), BLOCKED):
        chain = RunnableLambda(lambda asked: {"question": asked}) | graph(*answers)
        left = await left_by(around(chain), way)
        assert "90 dollars" not in repr(left)
        assert shown in repr(left)


@pytest.mark.parametrize("way", STREAMS)
async def test_a_graph_that_waits_for_a_human_tells_what_it_asks(way: str) -> None:
    made = StateGraph(State)
    made.add_node("draft", lambda _: {"answer": GOOD})
    made.add_node("ask", lambda _: {"answer": interrupt("May I?")})
    made.add_edge(START, "draft")
    made.add_edge("draft", "ask")
    guarded = around(made.compile(checkpointer=InMemorySaver()))
    left = await left_by(guarded, way, {"question": QUESTION}, config={"configurable": {"thread_id": "1"}})
    assert "May I?" in repr(left)


# Sentences that are hard to tell apart.

FILLING = f"{GOOD} " * 40


@pytest.mark.parametrize(
    "opening", ['The screen is 5" wide. ', "See (below. ", "- Yes\n" * 300 + "\n", "## Prices\n\n" * 100]
)
@pytest.mark.parametrize("way", WAYS)
async def test_a_bad_sentence_does_not_leave_however_the_text_began(way: str, opening: str) -> None:
    left = await left_by(around(streaming(opening, FILLING, f"{BAD} ", GOOD), stream_mode="sentence"), way)
    assert "90 dollars" not in "".join(left)
    assert left[-1] == BLOCKED
    left = await left_by(around(streaming(opening, FILLING, GOOD), stream_mode="sentence"), way)
    assert "".join(left) == opening + FILLING + GOOD


class Talk(TypedDict, total=False):
    messages: Annotated[list[Any], add_messages]


DRAFTS = [
    AIMessage(BAD, id="draft"),
    AIMessage([{"type": "reasoning", "reasoning": BAD}], id="draft"),
    AIMessage("", id="draft", additional_kwargs={"reasoning_content": BAD}),
    HumanMessage(BAD, id="draft"),
]


@pytest.mark.parametrize("mode", ["updates", "values", "messages"])
@pytest.mark.parametrize("draft", DRAFTS, ids=str)
@pytest.mark.parametrize("way", STREAMS)
async def test_a_message_that_the_state_has_lost_does_not_leave_a_graph(way: str, draft: Any, mode: str) -> None:
    made = StateGraph(Talk)
    made.add_node("retrieve", lambda _: (retriever().invoke("Pro plan"), {})[1])
    made.add_node("draft", lambda _: {"messages": [draft.model_copy(deep=True)]})
    made.add_node("revise", lambda _: {"messages": [RemoveMessage(id="draft"), AIMessage(GOOD)]})
    for before, after in ((START, "retrieve"), ("retrieve", "draft"), ("draft", "revise"), ("revise", END)):
        made.add_edge(before, after)
    left = await left_by(around(made.compile()), way, {"messages": [HumanMessage(QUESTION)]}, stream_mode=mode)
    assert "90 dollars" not in repr(left)
    assert "20 dollars" in repr(left)

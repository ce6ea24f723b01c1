"""One handler for many requests at the same time, and no trace of it in what they return."""

from __future__ import annotations

import asyncio
import copy
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.documents import Document
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import AIMessage
from langchain_core.runnables import Runnable, RunnableLambda
from langchain_core.tools import create_retriever_tool
from lc_fakes import GOOD, FakeVerifier, ScriptedModel, alist, ids, lcel, lcel_dict, retriever

from longtracer_integrations.langchain import AsyncLongTracerCallbackHandler, LongTracerCallbackHandler

COUNT = 50
STORE = [Document(page_content=f"The topic{n} fact is {n}.", id=f"doc{n}") for n in range(COUNT)]
ANSWERS = {f"topic{n}": f"The topic{n} fact is {n}." for n in range(COUNT)}


def topic(messages: list[Any]) -> str:
    """The topic that was asked for; the question is the last word of the prompt."""
    return str(messages[-1].text).split()[-1]


def answers(messages: list[Any]) -> str:
    return ANSWERS[topic(messages)]


def agent_says(messages: list[Any]) -> Any:
    asked = next(str(message.text) for message in messages if message.type == "human")
    if messages[-1].type == "tool":
        return ANSWERS[asked]
    return AIMessage("One moment.", tool_calls=[{"name": "search", "args": {"query": asked}, "id": f"call-{asked}"}])


SOURCE = retriever(*STORE)
PLAIN = lcel(ScriptedModel(script=answers), SOURCE)
DICT = lcel_dict(ScriptedModel(script=answers), SOURCE)
FALLBACK = lcel(ScriptedModel(script=[RuntimeError("down")]), SOURCE).with_fallbacks([PLAIN])
AGENT = create_agent(ScriptedModel(script=agent_says), [create_retriever_tool(SOURCE, "search", "Finds facts.")])


async def request(number: int, config: dict[str, Any]) -> None:
    """One of eight kinds of call."""
    name = f"topic{number}"
    asked = {"messages": [("user", name)]}
    calls = [
        lambda: PLAIN.ainvoke(name, config),
        lambda: alist(PLAIN.astream(name, config)),
        lambda: DICT.ainvoke({"question": name}, config),
        lambda: alist(PLAIN.astream_events(name, config, version="v2")),
        lambda: FALLBACK.ainvoke(name, config),
        lambda: AGENT.ainvoke(asked, config),
        lambda: alist(AGENT.astream(asked, config, stream_mode="messages")),
        lambda: asyncio.to_thread(lambda: list(DICT.stream({"question": name}, config))),
    ]
    await calls[number % len(calls)]()  # type: ignore[no-untyped-call]


EXPECTED = sorted((f"topic{n}", [f"doc{n}"], f"The topic{n} fact is {n}.") for n in range(COUNT))


def pairs(handler: Any) -> list[tuple[Any, ...]]:
    assert handler.open_requests == 0
    return sorted((record.question, ids(record), record.answer) for record in handler.records)


@pytest.mark.parametrize("kind", [LongTracerCallbackHandler, AsyncLongTracerCallbackHandler])
async def test_fifty_mixed_requests_give_fifty_right_pairs_and_leave_no_state(kind: type[Any]) -> None:
    handler = kind(FakeVerifier())
    await asyncio.gather(*(request(number, {"callbacks": [handler]}) for number in range(COUNT)))
    assert pairs(handler) == EXPECTED


def test_u60_fifty_threads_give_fifty_right_pairs_and_leave_no_state() -> None:
    handler = LongTracerCallbackHandler(FakeVerifier())
    with ThreadPoolExecutor(COUNT) as pool:
        list(pool.map(lambda n: PLAIN.invoke(f"topic{n}", {"callbacks": [handler]}), range(COUNT)))
    assert pairs(handler) == EXPECTED


async def test_the_real_models_judge_fifty_requests_each_by_its_own_documents(verifier: Any) -> None:
    handler = AsyncLongTracerCallbackHandler(verifier)
    await PLAIN.abatch([f"topic{n}" for n in range(COUNT)], {"callbacks": [handler]})
    assert [record.case.passed for record in handler.records] == [True] * COUNT
    assert pairs(handler) == EXPECTED


def same(value: Any) -> Any:
    """`value` without ids that every run makes anew."""
    if isinstance(value, list):
        return [same(entry) for entry in value]
    if isinstance(value, dict):
        return {key: same(entry) for key, entry in value.items()}
    return value.model_copy(update={"id": None}) if hasattr(value, "type") and hasattr(value, "model_copy") else value


OBSERVED: dict[str, tuple[Runnable[Any, Any], Any]] = {
    "text": (PLAIN, "topic3"),
    "dict": (DICT, {"question": "topic3"}),
    "agent": (AGENT, {"messages": [("user", "topic3")]}),
}


@pytest.mark.parametrize("name", OBSERVED)
def test_outputs_with_and_without_a_handler_are_deep_equal(name: str) -> None:
    chain, given = OBSERVED[name]
    handler = LongTracerCallbackHandler(FakeVerifier())
    assert same(chain.invoke(given, {"callbacks": [handler]})) == same(chain.invoke(given))


@pytest.mark.parametrize("name", ["text", "dict"])
def test_streams_with_and_without_a_handler_are_deep_equal(name: str) -> None:
    chain, given = OBSERVED[name]
    handler = LongTracerCallbackHandler(FakeVerifier())
    assert list(chain.stream(given, {"callbacks": [handler]})) == list(chain.stream(given))


async def test_async_outputs_with_and_without_a_handler_are_deep_equal() -> None:
    handler = AsyncLongTracerCallbackHandler(FakeVerifier())
    assert await DICT.ainvoke({"question": "topic3"}, {"callbacks": [handler]}) == await DICT.ainvoke(
        {"question": "topic3"}
    )


def test_a_copied_model_keeps_the_user_s_handler() -> None:
    handler = LongTracerCallbackHandler(FakeVerifier())
    model = FakeListChatModel(responses=[GOOD], callbacks=[handler])
    assert model.model_copy(deep=True).callbacks == copy.deepcopy([handler]) == [handler]


def test_nested_calls_with_a_config_of_their_own_belong_to_the_outer_request() -> None:
    handler = LongTracerCallbackHandler(FakeVerifier())
    config = {"callbacks": [handler]}
    outer = RunnableLambda(lambda name: PLAIN.invoke(name, {"callbacks": [handler]}))
    outer.invoke("topic7", config)
    assert pairs(handler) == [("topic7", ["doc7"], ANSWERS["topic7"])]

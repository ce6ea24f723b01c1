"""The positive control: a planted bad answer leaves no guard by any call, and its good twin leaves every one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import BaseMessage
from langchain_core.runnables import RunnablePassthrough
from langchain_core.tools import create_retriever_tool
from langgraph.pregel import Pregel
from lc_fakes import BAD, GOOD, PROMPT, ScriptedModel, alist, joined, lcel, lcel_dict, retriever, tool_call

from longtracer_integrations import GuardrailPolicy
from longtracer_integrations.langchain import GroundingGuardrail, GroundingMiddleware

QUESTION = "What does the Pro plan cost?"
BLOCKED = "That is not in the documents."
POLICY = GuardrailPolicy(block_message=BLOCKED)

Make = Callable[[str, Any], tuple[Any, Any]]


def piped(answer: str, options: Any) -> tuple[Any, Any]:
    return lcel_dict(ScriptedModel(script=[answer])) | GroundingGuardrail(POLICY, **options), {"question": QUESTION}


def around_text(answer: str, options: Any) -> tuple[Any, Any]:
    return GroundingGuardrail.around(lcel(ScriptedModel(script=[answer])), POLICY, **options), QUESTION


def around_message(answer: str, options: Any) -> tuple[Any, Any]:
    prompted = {"context": retriever() | joined, "question": RunnablePassthrough()} | PROMPT
    return GroundingGuardrail.around(prompted | ScriptedModel(script=[answer]), POLICY, **options), QUESTION


def around_dict(answer: str, options: Any) -> tuple[Any, Any]:
    chain = lcel_dict(ScriptedModel(script=[answer]))
    return GroundingGuardrail.around(chain, POLICY, **options), {"question": QUESTION}


def around_agent(answer: str, options: Any) -> tuple[Any, Any]:
    return GroundingGuardrail.around(agent(answer), POLICY, **options), ASKED


GUARDS: list[Make] = [piped, around_text, around_message, around_dict, around_agent]


def agent(answer: str, *middleware: Any) -> Any:
    tool = create_retriever_tool(retriever(), "search", "Finds facts.")
    said = [tool_call("search", "Let me look that up.", query="Pro plan"), answer]
    return create_agent(ScriptedModel(script=said), [tool], middleware=middleware)


ASKED = {"messages": [("user", QUESTION)]}


def text_of(value: Any) -> str:
    """Everything that a consumer could read in what came out, results (which name the claims) apart."""
    if isinstance(value, str):
        return value
    if isinstance(value, BaseMessage):
        return str(value.content) + str(value.additional_kwargs or "") + str(getattr(value, "tool_calls", None) or "")
    if isinstance(value, dict):
        shown = {key: entry for key, entry in value.items() if key not in ("longtracer", "context")}
        return "".join(text_of(entry) for key, entry in shown.items() if not key.endswith("id"))
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], BaseMessage):
        return text_of(value[0])  # of a stream of messages: the other one says where the message comes from
    if isinstance(value, list | tuple):
        return "".join(text_of(entry) for entry in value)
    return ""


async def by_invoke(chain: Any, given: Any) -> Any:
    return await asyncio.to_thread(chain.invoke, given)


async def by_ainvoke(chain: Any, given: Any) -> Any:
    return await chain.ainvoke(given)


async def by_stream(chain: Any, given: Any) -> Any:
    return await asyncio.to_thread(lambda: list(chain.stream(given)))


async def by_astream(chain: Any, given: Any) -> Any:
    return await alist(chain.astream(given))


async def by_batch(chain: Any, given: Any) -> Any:
    return await asyncio.to_thread(chain.batch, [given])


async def by_abatch(chain: Any, given: Any) -> Any:
    return await chain.abatch([given])


async def by_astream_events(chain: Any, given: Any) -> Any:
    """The final output only: events of the model itself show its tokens, whatever a guard does."""
    events = await alist(chain.astream_events(given, version="v2"))
    return events[-1]["data"]["output"]


CALLS = [by_invoke, by_ainvoke, by_stream, by_astream, by_batch, by_abatch, by_astream_events]


@pytest.mark.parametrize("mode", ["buffer", "sentence"])
@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.__name__)
@pytest.mark.parametrize("make", GUARDS, ids=lambda make: make.__name__)
async def test_a_bad_answer_leaves_no_guard(make: Make, call: Any, mode: str, verifier: Any) -> None:
    out = text_of(await call(*make(BAD, {"verifier": verifier, "stream_mode": mode})))
    assert "90" not in out
    assert BLOCKED in out


@pytest.mark.parametrize("mode", ["buffer", "sentence"])
@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.__name__)
@pytest.mark.parametrize("make", GUARDS, ids=lambda make: make.__name__)
async def test_a_good_answer_leaves_every_guard_unchanged(make: Make, call: Any, mode: str, verifier: Any) -> None:
    if (make, call) == (around_agent, by_astream_events):
        pytest.skip("a graph streams updates, which do not add up to its output")
    out = text_of(await call(*make(GOOD, {"verifier": verifier, "stream_mode": mode})))
    assert GOOD in out
    assert BLOCKED not in out


needs_v3 = pytest.mark.skipif(not hasattr(Pregel, "stream_events"), reason="this langgraph has no v3 streams yet")

STREAMS = ["messages", "updates", "values", ["messages", "updates", "values"]]


def guarded_agent(answer: str, verifier: Any) -> Any:
    return agent(answer, GroundingMiddleware(POLICY, verifier=verifier))


async def by_agent_stream(made: Any, mode: Any) -> Any:
    return await asyncio.to_thread(lambda: list(made.stream(ASKED, stream_mode=mode)))


async def by_agent_astream(made: Any, mode: Any) -> Any:
    return await alist(made.astream(ASKED, stream_mode=mode))


@pytest.mark.parametrize("mode", STREAMS, ids=str)
@pytest.mark.parametrize("call", [by_agent_stream, by_agent_astream], ids=lambda call: call.__name__)
async def test_t35_a_bad_answer_is_in_no_stream_of_an_agent(call: Any, mode: Any, verifier: Any) -> None:
    out = text_of(await call(guarded_agent(BAD, verifier), mode))
    assert "90" not in out
    assert BLOCKED in out


@pytest.mark.parametrize("mode", STREAMS, ids=str)
@pytest.mark.parametrize("call", [by_agent_stream, by_agent_astream], ids=lambda call: call.__name__)
async def test_a_good_answer_is_in_every_stream_of_an_agent(call: Any, mode: Any, verifier: Any) -> None:
    out = text_of(await call(guarded_agent(GOOD, verifier), mode))
    assert GOOD in out
    assert BLOCKED not in out


def v3_texts(made: Any) -> str:
    """The text of an agent's v3 stream: every event, without results."""
    return "".join(text_of(event["params"]["data"]) for event in made.stream_events(ASKED, version="v3"))


async def v3_async_texts(made: Any) -> str:
    stream = await made.astream_events(ASKED, version="v3")
    return "".join([text_of(event["params"]["data"]) async for event in stream])


@needs_v3
@pytest.mark.filterwarnings("ignore:The v3 streaming protocol")
@pytest.mark.parametrize(("answer", "shown", "hidden"), [(BAD, BLOCKED, "90"), (GOOD, GOOD, BLOCKED)])
async def test_t35_an_agent_s_v3_stream_shows_what_was_released(
    answer: str, shown: str, hidden: str, verifier: Any
) -> None:
    for out in (
        await asyncio.to_thread(v3_texts, guarded_agent(answer, verifier)),
        await v3_async_texts(guarded_agent(answer, verifier)),
    ):
        assert shown in out
        assert hidden not in out


@needs_v3
@pytest.mark.filterwarnings("ignore:The v3 streaming protocol")
def test_t35_the_messages_of_an_agent_s_v3_stream_are_the_released_ones(verifier: Any) -> None:
    stream = guarded_agent(BAD, verifier).stream_events(ASKED, version="v3")
    texts = [str(message.text) for message in stream.messages]
    assert texts[-1] == BLOCKED
    assert "90" not in "".join(texts)


@pytest.mark.parametrize("how", ["invoke", "ainvoke", "batch", "abatch"])
async def test_a_bad_answer_does_not_leave_an_agent_by_a_plain_call(how: str, verifier: Any) -> None:
    made = guarded_agent(BAD, verifier)
    calls = {
        "invoke": lambda: asyncio.to_thread(made.invoke, ASKED),
        "ainvoke": lambda: made.ainvoke(ASKED),
        "batch": lambda: asyncio.to_thread(made.batch, [ASKED]),
        "abatch": lambda: made.abatch([ASKED]),
    }
    out = text_of(await calls[how]())
    assert "90" not in out
    assert BLOCKED in out


@pytest.mark.parametrize("mode", STREAMS, ids=str)
async def test_without_a_guard_the_bad_answer_would_be_seen(mode: Any) -> None:
    assert "90" in text_of(await by_agent_stream(agent(BAD), mode))
    assert "90" in text_of(await by_agent_astream(agent(BAD), mode))


@needs_v3
@pytest.mark.filterwarnings("ignore:The v3 streaming protocol")
async def test_without_a_guard_the_bad_answer_would_be_seen_in_v3() -> None:
    assert "90" in v3_texts(agent(BAD))
    assert "90" in await v3_async_texts(agent(BAD))


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.__name__)
async def test_without_a_guard_the_bad_answer_would_leave_a_chain(call: Any) -> None:
    assert BAD in text_of(await call(lcel_dict(ScriptedModel(script=[BAD])), {"question": QUESTION}))

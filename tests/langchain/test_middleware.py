"""The middleware that guards an agent's final answers."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware
from langchain.agents.structured_output import ToolStrategy
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.documents import Document
from langchain_core.messages import AIMessage
from langchain_core.tools import BaseTool, create_retriever_tool, tool
from langgraph.checkpoint.memory import InMemorySaver
from lc_fakes import BAD, GOOD, FakeVerifier, ScriptedModel, alist, facts, longest_stall, retriever, tool_call
from pydantic import BaseModel

from longtracer import CaseResult, InvalidInputError
from longtracer_integrations import GroundingBlocked, GuardrailPolicy
from longtracer_integrations.langchain import GroundingMiddleware

QUESTION = "What does the Pro plan cost?"
ASKED = {"messages": [("user", QUESTION)]}
BLOCKED = "No."
POLICY = GuardrailPolicy(block_message=BLOCKED)
LOOKS = tool_call("search", "Let me look that up.", query="Pro plan")


def search(response_format: Any = "content") -> BaseTool:
    return create_retriever_tool(retriever(), "search", "Finds facts.", response_format=response_format)


def agent(
    *script: Any,
    tools: Any = None,
    policy: GuardrailPolicy = POLICY,
    verifier: Any = None,
    more: Any = (),
    **options: Any,
) -> Any:
    guard = GroundingMiddleware(policy, verifier=verifier or FakeVerifier(), **options)
    model = ScriptedModel(script=list(script))
    made = create_agent(model, [search()] if tools is None else tools, middleware=[guard, *more])
    made.model = model  # type: ignore[attr-defined]
    return made


def test_a_bad_answer_is_replaced_under_its_own_id_and_its_case_is_in_message_and_state() -> None:
    out = agent(LOOKS, AIMessage(BAD, id="m1")).invoke(ASKED)
    last = out["messages"][-1]
    assert (last.text, last.id) == (BLOCKED, "m1")
    assert last.response_metadata["longtracer"] == out["longtracer"]
    assert CaseResult.model_validate(out["longtracer"]).quality_gate.value == "FAIL"


def test_a_turn_that_calls_tools_passes_unchecked() -> None:
    verifier = FakeVerifier()
    out = agent(LOOKS, GOOD, verifier=verifier).invoke(ASKED)
    assert [message.text for message in out["messages"]] == [
        QUESTION,
        "Let me look that up.",
        "The Pro plan costs 20 dollars.",
        GOOD,
    ]
    assert [call["response"] for call in verifier.calls] == [GOOD]


class SaysTwoThings(AgentMiddleware):  # type: ignore[type-arg]
    """An inner middleware that puts a message in front of the final one."""

    def wrap_model_call(self, request: Any, handler: Any) -> Any:
        response = handler(request)
        return response if response.result[-1].tool_calls else replace(response, result=[self.more, *response.result])

    more = AIMessage(BAD)


def test_every_message_of_a_model_call_is_checked() -> None:
    out = agent(LOOKS, GOOD, more=[SaysTwoThings()]).invoke(ASKED)
    assert [message.text for message in out["messages"][-2:]] == ["", BLOCKED]
    assert "90 dollars" not in str([message.content for message in out["messages"]])


def test_a_blocked_structured_answer_keeps_no_other_text() -> None:
    class Points(BaseModel):
        """A structured answer with a list."""

        answer: str
        points: list[str] = []

    guard = GroundingMiddleware(POLICY, verifier=FakeVerifier())
    model = ScriptedModel(script=[LOOKS, tool_call("Points", answer=BAD, points=[f"So: {BAD}"])])
    made = create_agent(model, [search()], middleware=[guard], response_format=ToolStrategy(Points))
    assert made.invoke(ASKED)["structured_response"] == Points(answer=BLOCKED, points=[])


def test_a_retriever_tool_s_text_is_evidence() -> None:
    verifier = FakeVerifier()
    agent(LOOKS, GOOD, verifier=verifier).invoke(ASKED)
    (call,) = verifier.calls
    assert (call["sources"], call["question"]) == (["The Pro plan costs 20 dollars."], QUESTION)


def test_a_retriever_tool_s_artifact_is_evidence_with_its_ids() -> None:
    verifier = FakeVerifier()
    agent(LOOKS, GOOD, tools=[search("content_and_artifact")], verifier=verifier).invoke(ASKED)
    assert [entry["source_id"] for entry in verifier.calls[0]["metadata"]] == ["d1"]


@tool(response_format="content_and_artifact")
def lookup(query: str) -> tuple[str, list[Document]]:
    """Finds facts."""
    return "found", facts("d1", "d2")


def test_any_tool_s_artifact_of_documents_is_evidence() -> None:
    verifier = FakeVerifier()
    agent(tool_call("lookup", query="x"), GOOD, tools=[lookup], verifier=verifier).invoke(ASKED)
    assert [entry["source_id"] for entry in verifier.calls[0]["metadata"]] == ["d1", "d2"]


@tool
def account(owner: str) -> str:
    """The balance of an account."""
    return "The balance of the account is 42 euros."


BALANCE = (tool_call("account", owner="me"), "Your balance is 42 euros.")


def test_another_tool_s_text_is_no_evidence_unless_asked_for() -> None:
    out = agent(*BALANCE, tools=[account]).invoke(ASKED)
    assert (out["messages"][-1].text, out["longtracer"]["execution"]) == (BLOCKED, "SKIPPED")


def test_u74_another_tool_s_text_is_evidence_when_asked_for(verifier: Any) -> None:
    evidence = ("retriever", "tool")
    out = agent(*BALANCE, tools=[account], verifier=verifier, evidence=evidence).invoke(ASKED)
    assert out["messages"][-1].text == BALANCE[1]


def test_documents_of_an_earlier_turn_do_not_count() -> None:
    guard = GroundingMiddleware(POLICY, verifier=FakeVerifier())
    model = ScriptedModel(script=[LOOKS, GOOD, "The Pro plan is nice."])
    made = create_agent(model, [search()], middleware=[guard], checkpointer=InMemorySaver())
    config: Any = {"configurable": {"thread_id": "1"}}
    made.invoke(ASKED, config)
    out = made.invoke({"messages": [("user", "And?")]}, config)
    assert (out["messages"][-1].text, out["longtracer"]["execution"]) == (BLOCKED, "SKIPPED")


def test_a_retriever_tool_that_finds_nothing_fails_the_answer(verifier: Any) -> None:
    out = agent(tool_call("search", query="zebra"), GOOD, verifier=verifier).invoke(ASKED)
    assert (out["messages"][-1].text, out["longtracer"]["reason"]) == (BLOCKED, "NO_SOURCES_SUPPLIED")


def test_documents_may_come_from_a_function() -> None:
    verifier = FakeVerifier()
    out = agent(GOOD, tools=[], verifier=verifier, documents=lambda state: facts("d1")).invoke(ASKED)
    assert out["messages"][-1].text == GOOD
    assert verifier.calls[0]["metadata"][0]["source_id"] == "d1"


def test_a_failing_check_blocks_and_says_why() -> None:
    out = agent(LOOKS, GOOD, verifier=FakeVerifier(error=RuntimeError("down"))).invoke(ASKED)
    assert (out["messages"][-1].text, out["longtracer"]["error_message"]) == (BLOCKED, "down")


def test_raise_reaches_the_caller() -> None:
    with pytest.raises(GroundingBlocked):
        agent(LOOKS, BAD, policy=GuardrailPolicy(on_fail="raise")).invoke(ASKED)


RETRY = GuardrailPolicy(on_fail="retry", block_message=BLOCKED)


@pytest.mark.parametrize("how", ["invoke", "ainvoke"])
async def test_retry_asks_the_model_again_and_keeps_the_failed_answer_out_of_the_state(how: str) -> None:
    made = agent(LOOKS, BAD, GOOD, policy=RETRY)
    out = await made.ainvoke(ASKED) if how == "ainvoke" else await asyncio.to_thread(made.invoke, ASKED)
    assert [message.type for message in out["messages"]] == ["human", "ai", "tool", "ai"]
    assert (out["messages"][-1].text, out["longtracer"]["metadata"]["guard"]["retries"]) == (GOOD, 1)
    assert f'"{BAD}"' in made.model.calls[-1][-1].text


@pytest.mark.parametrize("mode", ["messages", "updates", "values"])
def test_retry_shows_no_failed_answer_in_a_stream(mode: Any) -> None:
    chunks = list(agent(LOOKS, BAD, GOOD, policy=RETRY).stream(ASKED, stream_mode=mode))
    assert "90 dollars" not in str(chunks)
    assert GOOD in str(chunks)


def test_a_retry_may_call_a_tool_first_and_counts_all_the_same() -> None:
    again = tool_call("search", query="Oslo")
    made = agent(LOOKS, BAD, again, BAD, GOOD, policy=RETRY)
    out = made.invoke(ASKED)
    assert out["messages"][-1].text == BLOCKED
    assert len(made.model.calls) == 4


class Price(BaseModel):
    """The answer."""

    answer: str
    note: str = ""


@pytest.mark.parametrize(("answer", "shown"), [(GOOD, GOOD), (BAD, BLOCKED)])
def test_a_structured_answer_is_guarded_by_its_field(answer: str, shown: str) -> None:
    guard = GroundingMiddleware(POLICY, verifier=FakeVerifier())
    model = ScriptedModel(script=[LOOKS, tool_call("Price", answer=answer, note=answer)])
    made = create_agent(model, [search()], middleware=[guard], response_format=ToolStrategy(Price))
    out = made.invoke(ASKED)
    assert out["structured_response"].answer == shown
    if shown == BLOCKED:
        for message in out["messages"]:
            message.response_metadata.pop("longtracer", None)
        assert "90 dollars" not in str((out["messages"], out["structured_response"]))


def test_a_structured_answer_without_a_clear_text_is_an_error_and_no_leak() -> None:
    class Two(BaseModel):
        """Two texts."""

        title: str
        body: str

    guard = GroundingMiddleware(POLICY, verifier=FakeVerifier())
    model = ScriptedModel(script=[LOOKS, tool_call("Two", title="x", body=BAD)])
    made = create_agent(model, [search()], middleware=[guard], response_format=ToolStrategy(Two))
    with pytest.raises(InvalidInputError, match="answer_key"):
        made.invoke(ASKED)


class Shout(AgentMiddleware):  # type: ignore[type-arg]
    """Another middleware between the guard and the model."""

    def wrap_model_call(self, request: Any, handler: Any) -> Any:
        return handler(request)


def test_other_middleware_may_stand_inside() -> None:
    assert agent(LOOKS, BAD, more=[Shout()]).invoke(ASKED)["messages"][-1].text == BLOCKED


class Events(BaseCallbackHandler):
    def __init__(self) -> None:
        self.seen: list[tuple[str, Any]] = []

    def on_custom_event(self, name: str, data: Any, **_: Any) -> None:
        self.seen.append((name, data["quality_gate"]))


async def test_the_case_is_told_in_a_custom_event() -> None:
    sync_events, async_events = Events(), Events()
    agent(LOOKS, BAD).invoke(ASKED, {"callbacks": [sync_events]})
    await agent(LOOKS, BAD).ainvoke(ASKED, {"callbacks": [async_events]})
    assert sync_events.seen == async_events.seen == [("longtracer.case_result", "FAIL")]


async def test_t37_a_slow_check_does_not_stall_the_event_loop() -> None:
    await agent(LOOKS, GOOD).ainvoke(ASKED)
    made = agent(LOOKS, GOOD, verifier=FakeVerifier(delay=0.5))
    assert await longest_stall(made.ainvoke(ASKED)) < 0.05


async def test_u59_parallel_agents_are_judged_by_their_own_documents(verifier: Any) -> None:
    def says(messages: list[Any]) -> Any:
        if messages[-1].type == "tool":
            return f"{messages[-1].text}"
        return tool_call("search", query=messages[-1].text)

    guard = GroundingMiddleware(POLICY, verifier=verifier)
    made = create_agent(ScriptedModel(script=says), [search()], middleware=[guard])
    asked = ["Pro plan", "Oslo office", "dogs"] * 4
    outs = await made.abatch([{"messages": [("user", question)]} for question in asked])
    assert [out["longtracer"]["quality_gate"] for out in outs] == ["PASS"] * 12
    assert [out["messages"][-1].text for out in outs[:3]] == [document.page_content for document in facts()]


def test_the_model_itself_is_called_and_not_a_copy_of_it() -> None:
    made = agent(LOOKS, GOOD)
    made.invoke(ASKED)
    assert len(made.model.calls) == 2


async def test_subgraph_streams_show_no_tokens_either() -> None:
    chunks = await alist(agent(LOOKS, BAD).astream(ASKED, stream_mode="messages", subgraphs=True))
    assert "90" not in "".join(chunk[1][0].text for chunk in chunks)

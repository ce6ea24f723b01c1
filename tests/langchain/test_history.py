"""Earlier turns as evidence, when asked for: what the user and tools said, never what the model said."""

from __future__ import annotations

from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.tools import create_retriever_tool
from langgraph.checkpoint.memory import InMemorySaver
from lc_fakes import BAD, GOOD, FakeVerifier, ScriptedModel, lcel_dict, retriever, tool_call

from longtracer_integrations import AnswerStatus, GuardrailPolicy
from longtracer_integrations.langchain import GroundingGuardrail, GroundingMiddleware, LongTracerCallbackHandler
from longtracer_integrations.langchain.earlier_turns import earlier_turns


@pytest.mark.parametrize(
    ("inputs", "turns"),
    [
        ({"input": "q", "chat_history": [HumanMessage("a"), AIMessage("b")]}, (("user", "a"), ("assistant", "b"))),
        ({"question": "q", "chat_history": [("a", "b")]}, (("user", "a"), ("assistant", "b"))),
        ({"question": "q", "chat_history": [("user", "a")]}, (("user", "a"),)),
        ([HumanMessage("a"), ToolMessage("t", tool_call_id="1"), HumanMessage("q")], (("user", "a"), ("tool", "t"))),
        ({"messages": [HumanMessage("q")]}, ()),
        ({"messages": [("user", "q")]}, ()),
        ("q", ()),
    ],
)
def test_the_turns_before_the_question(inputs: Any, turns: Any) -> None:
    assert earlier_turns(inputs) == turns


def conversation(handler: Any, *answers: str, middleware: Any = ()) -> Any:
    """An agent that looks something up in its first turn only; the state after its second turn."""
    tool = create_retriever_tool(retriever(), "search", "Finds facts.")
    model = ScriptedModel(script=[tool_call("search", query="Pro plan"), *answers])
    agent = create_agent(model, [tool], middleware=middleware, checkpointer=InMemorySaver())
    config: Any = {"configurable": {"thread_id": "1"}, "callbacks": [handler] if handler else []}
    agent.invoke({"messages": [("user", "What does Pro cost?")]}, config)
    return agent.invoke({"messages": [("user", "Are you sure?")]}, config)


def test_u75_a_follow_up_is_judged_by_what_a_tool_said_before(verifier: Any) -> None:
    handler = LongTracerCallbackHandler(verifier, history=True)
    conversation(handler, GOOD, GOOD)
    assert [record.case.passed for record in handler.records if record.case] == [True, True]


def test_u75_another_number_than_the_tool_s_does_not_pass(verifier: Any) -> None:
    handler = LongTracerCallbackHandler(verifier, history=True)
    conversation(handler, GOOD, BAD)
    assert handler.last is not None
    assert handler.last.case is not None
    assert handler.last.case.quality_gate.value == "FAIL"


def test_a_follow_up_without_history_is_skipped() -> None:
    handler = LongTracerCallbackHandler(FakeVerifier())
    conversation(handler, GOOD, GOOD)
    assert handler.last is not None
    assert handler.last.status is AnswerStatus.NO_RETRIEVAL


@pytest.mark.parametrize(("answer", "shown"), [(GOOD, GOOD), (BAD, "No.")])
def test_a_guarded_agent_judges_a_follow_up_by_what_a_tool_said_before(answer: str, shown: str, verifier: Any) -> None:
    guard = GroundingMiddleware(GuardrailPolicy(block_message="No."), verifier=verifier, history=True)
    assert conversation(None, GOOD, answer, middleware=[guard])["messages"][-1].text == shown


@pytest.mark.parametrize(("history", "shown"), [(True, "Your name is Ada."), (False, "No.")])
def test_what_the_user_said_is_evidence_for_a_guarded_chain(history: bool, shown: str, verifier: Any) -> None:
    chain = lcel_dict(ScriptedModel(script=["Your name is Ada."]))
    guarded = GroundingGuardrail.around(chain, GuardrailPolicy(block_message="No."), verifier=verifier, history=history)
    said = [HumanMessage("Your name is Ada."), AIMessage("Fine.")]
    assert guarded.invoke({"question": "Pro plan: what is the name?", "chat_history": said})["answer"] == shown


def test_what_the_model_said_is_no_evidence(verifier: Any) -> None:
    chain = lcel_dict(ScriptedModel(script=["Your name is Ada."]))
    guarded = GroundingGuardrail.around(chain, GuardrailPolicy(block_message="No."), verifier=verifier, history=True)
    said = [HumanMessage("Hello."), AIMessage("Your name is Ada.")]
    assert guarded.invoke({"question": "Pro plan: what is the name?", "chat_history": said})["answer"] == "No."

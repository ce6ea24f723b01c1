"""The node and the router that guard an answer in a LangGraph graph."""

from __future__ import annotations

import operator
from typing import Annotated, Any

import pytest
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from lc_fakes import BAD, GOOD, FakeVerifier, ScriptedModel, facts, retriever
from ways import ALL_WAYS, ways

from longtracer import InvalidInputError
from longtracer_integrations import GroundingBlocked, GuardrailPolicy
from longtracer_integrations.langchain import GroundingGraphState, grounding_node, grounding_router

QUESTION = "What does the Pro plan cost?"
RETRY = GuardrailPolicy(on_fail="retry", max_retries=2, block_message="No.")


class State(GroundingGraphState, total=False):
    question: str
    context: list[Document]
    answer: str


def graph(model: ScriptedModel, policy: GuardrailPolicy, verifier: Any = None, **options: Any) -> Any:
    made = StateGraph(State)
    made.add_node("retrieve", lambda state: {"context": retriever().invoke(state["question"])})

    def generate(state: State) -> dict[str, Any]:
        asked = [HumanMessage(state["question"])]
        if feedback := state.get("longtracer_feedback"):
            asked.append(HumanMessage(feedback))
        return {"answer": model.invoke(asked).text}

    made.add_node("generate", generate)
    made.add_node("check", grounding_node(policy, verifier=verifier or FakeVerifier()))
    made.add_edge(START, "retrieve")
    made.add_edge("retrieve", "generate")
    made.add_edge("generate", "check")
    made.add_conditional_edges("check", grounding_router(again="generate", done=END), ["generate", END])
    return made.compile(**options)


@pytest.mark.parametrize("how", ["invoke", "ainvoke"])
@pytest.mark.parametrize(
    ("script", "answer", "gate", "calls"),
    [([GOOD], GOOD, "PASS", 1), ([BAD, GOOD], GOOD, "PASS", 2), ([BAD], "No.", "FAIL", 3)],
)
async def test_a_graph_asks_again_until_the_answer_passes_or_the_retries_are_used_up(
    how: str, script: list[str], answer: str, gate: str, calls: int
) -> None:
    model = ScriptedModel(script=script)
    made = graph(model, RETRY)
    out = made.invoke({"question": QUESTION}) if how == "invoke" else await made.ainvoke({"question": QUESTION})
    assert (out["answer"], out["longtracer"]["quality_gate"], len(model.calls)) == (answer, gate, calls)
    assert not out.get("longtracer_feedback")


def test_the_feedback_names_the_claims() -> None:
    model = ScriptedModel(script=[BAD, GOOD])
    graph(model, RETRY).invoke({"question": QUESTION})
    assert f'"{BAD}"' in str(model.calls[1][-1].text)


def test_the_real_models_judge_a_graph(verifier: Any) -> None:
    policy = GuardrailPolicy(block_message="No.")
    made = graph(ScriptedModel(script=[GOOD, BAD]), policy, verifier)
    assert [made.invoke({"question": QUESTION})["answer"] for _ in range(2)] == [GOOD, "No."]


def test_every_turn_of_a_conversation_has_its_own_retries() -> None:
    model = ScriptedModel(script=[BAD, BAD, BAD, BAD, BAD, BAD])
    made = graph(model, RETRY, checkpointer=InMemorySaver())
    config: Any = {"configurable": {"thread_id": "1"}}
    for _ in range(2):
        assert made.invoke({"question": QUESTION}, config)["answer"] == "No."
    assert len(model.calls) == 6


def test_a_router_may_send_failures_elsewhere() -> None:
    route = grounding_router(again="generate", done="end", failed="apologise")
    assert route({"longtracer": {"quality_gate": "PASS"}}) == "end"
    assert route({"longtracer": {"quality_gate": "INDETERMINATE"}}) == "apologise"
    assert route({"longtracer": {"quality_gate": "FAIL"}, "longtracer_feedback": "again"}) == "generate"


def test_a_router_without_a_check_is_an_error() -> None:
    with pytest.raises(InvalidInputError, match="behind a grounding_node"):
        grounding_router(again="generate")({})


def test_a_state_without_an_answer_is_an_error() -> None:
    with pytest.raises(InvalidInputError):
        grounding_node(verifier=FakeVerifier()).invoke({"question": QUESTION, "context": facts("d1")})


def test_raise_reaches_the_caller() -> None:
    with pytest.raises(GroundingBlocked):
        graph(ScriptedModel(script=[BAD]), GuardrailPolicy(on_fail="raise")).invoke({"question": QUESTION})


def test_an_answer_in_messages_is_replaced_under_its_id() -> None:
    class Chat(MessagesState, GroundingGraphState):
        docs: list[Document]

    made = StateGraph(Chat)
    made.add_node("answer", lambda state: {"messages": [AIMessage(BAD, id="m1")], "docs": facts("d1")})
    made.add_node("check", grounding_node(GuardrailPolicy(block_message="No."), verifier=FakeVerifier()))
    made.add_edge(START, "answer")
    made.add_edge("answer", "check")
    made.add_edge("check", END)
    out = made.compile().invoke({"messages": [("user", QUESTION)]})
    assert [(message.type, message.text) for message in out["messages"]] == [("human", QUESTION), ("ai", "No.")]
    assert out["messages"][-1].id == "m1"


def chat_graph(state: Any, said: dict[str, Any]) -> Any:
    made = StateGraph(state)
    made.add_node("answer", lambda _: {"docs": facts("d1"), **said})
    made.add_node("check", grounding_node(GuardrailPolicy(block_message="No."), verifier=FakeVerifier()))
    made.add_edge(START, "answer")
    made.add_edge("answer", "check")
    made.add_edge("check", END)
    return made.compile()


class Grows(GroundingGraphState, total=False):
    messages: Annotated[list[Any], operator.add]
    docs: list[Document]


@pytest.mark.parametrize("how", ALL_WAYS)
@pytest.mark.parametrize("answer", [GOOD, BAD])
async def test_messages_that_only_grow_are_an_error_at_once(answer: str, how: str) -> None:
    made = chat_graph(Grows, {"messages": [AIMessage(answer, id="m1")]})
    with pytest.raises(InvalidInputError, match="add_messages"):
        await ways(made, {"messages": [HumanMessage(QUESTION)]}, how)


class Plain(GroundingGraphState, total=False):
    messages: list[Any]
    docs: list[Document]
    answer: str
    notes: list[str]
    log: Annotated[list[str], operator.add]


def test_messages_without_a_reducer_are_replaced_as_well() -> None:
    out = chat_graph(Plain, {"messages": [HumanMessage(QUESTION), AIMessage(BAD)]}).invoke({})
    assert [message.text for message in out["messages"]] == [QUESTION, "No."]


def test_a_blocked_answer_is_gone_from_the_other_keys_of_the_state() -> None:
    said = {"answer": BAD, "messages": [HumanMessage(QUESTION), AIMessage(BAD)], "notes": [f"Because {BAD}"]}
    out = chat_graph(Plain, said).invoke({})
    texts = [out["answer"], *(message.text for message in out["messages"]), *out["notes"]]
    assert (texts, out["docs"]) == (["No.", QUESTION, "No.", ""], facts("d1"))

"""Agents and workflows: the last answer, and the nodes and texts that tools returned."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from llama_index.core.agent.workflow import AgentWorkflow, FunctionAgent, ReActAgent
from llama_index.core.base.response.schema import Response
from llama_index.core.schema import NodeWithScore
from llama_index.core.tools import FunctionTool, QueryEngineTool, RetrieverTool
from llama_index.core.workflow import Event, StartEvent, StopEvent, Workflow, step
from workflows.errors import WorkflowCancelledByUser

from longtracer import QualityGate
from longtracer_integrations import AnswerStatus
from longtracer_integrations.llamaindex import InstrumentHandle

from .fakes import BAD, FACTS, GOOD, QUESTION, AgentLLM, ScriptedLLM, call, engine, fact_index, ids, retrieved_ids

CALL = call("facts", input="lighthouse painted")


def query_tool(answer: str = "White and red.", **options: Any) -> QueryEngineTool:
    return QueryEngineTool.from_defaults(engine(answer), name="facts", description="facts", **options)


@pytest.mark.parametrize("streaming", [True, False])
async def test_t53_a_function_agent(handle: InstrumentHandle, streaming: bool) -> None:
    agent = FunctionAgent(tools=[query_tool()], llm=AgentLLM([CALL, GOOD]), streaming=streaming)
    await agent.run(user_msg=QUESTION)
    await handle.wait_async()
    (record,) = handle.records
    assert (record.question, record.answer, record.status) == (QUESTION, GOOD, AnswerStatus.OK)
    assert ids(record) == retrieved_ids("lighthouse painted")


async def test_t53_an_agent_workflow(handle: InstrumentHandle) -> None:
    agent = FunctionAgent(name="keeper", description="d", tools=[query_tool()], llm=AgentLLM([CALL, GOOD]))
    await AgentWorkflow(agents=[agent]).run(user_msg=QUESTION)
    await handle.wait_async()
    (record,) = handle.records
    assert (record.question, record.answer, ids(record)) == (QUESTION, GOOD, retrieved_ids("lighthouse painted"))


async def test_t53_a_react_agent(handle: InstrumentHandle) -> None:
    turns = [
        'Thought: I need a tool.\nAction: facts\nAction Input: {"input": "lighthouse painted"}',
        f"Thought: I can answer without using any more tools.\nAnswer: {GOOD}",
    ]
    await ReActAgent(tools=[query_tool()], llm=ScriptedLLM(turns)).run(user_msg=QUESTION)
    await handle.wait_async()
    (record,) = handle.records
    assert (record.answer, ids(record)) == (GOOD, retrieved_ids("lighthouse painted"))


async def test_t53_a_tool_that_returns_directly(handle: InstrumentHandle) -> None:
    agent = FunctionAgent(tools=[query_tool(GOOD, return_direct=True)], llm=AgentLLM([CALL]))
    await agent.run(user_msg=QUESTION)
    await handle.wait_async()
    (record,) = handle.records
    assert (record.answer, ids(record)) == (GOOD, retrieved_ids("lighthouse painted"))


async def test_t53_a_retriever_tool(handle: InstrumentHandle) -> None:
    tool = RetrieverTool.from_defaults(fact_index().as_retriever(similarity_top_k=1), name="facts", description="d")
    await FunctionAgent(tools=[tool], llm=AgentLLM([CALL, GOOD])).run(user_msg=QUESTION)
    await handle.wait_async()
    assert ids(handle.last) == retrieved_ids("input is lighthouse painted", 1)


async def test_t53_a_function_tool_that_retrieves_has_the_nodes(handle: InstrumentHandle) -> None:
    retriever = fact_index().as_retriever(similarity_top_k=1)

    def facts(input: str) -> str:
        """Looks facts up."""
        return "\n".join(node.text for node in retriever.retrieve(input))

    await FunctionAgent(tools=[FunctionTool.from_defaults(facts)], llm=AgentLLM([CALL, GOOD])).run(user_msg=QUESTION)
    await handle.wait_async()
    assert ids(handle.last) == retrieved_ids("lighthouse painted", 1)


@pytest.mark.parametrize(
    ("answer", "gate"),
    [("Your balance is 42 euros.", QualityGate.PASS), ("Your balance is 43 euros.", QualityGate.FAIL)],
)
async def test_u74_the_text_of_a_tool_is_evidence(handle: InstrumentHandle, answer: str, gate: QualityGate) -> None:
    def balance() -> str:
        """The balance of the account."""
        return "The balance of your account is 42 euros."

    agent = FunctionAgent(tools=[FunctionTool.from_defaults(balance)], llm=AgentLLM([call("balance"), answer]))
    await agent.run(user_msg="What is my balance?")
    await handle.wait_async()
    assert handle.last is not None
    assert handle.last.case is not None
    assert handle.last.case.quality_gate is gate


async def test_the_error_of_a_tool_is_no_evidence(handle: InstrumentHandle) -> None:
    def facts(input: str) -> str:
        """Looks facts up."""
        raise ValueError(GOOD)

    await FunctionAgent(tools=[FunctionTool.from_defaults(facts)], llm=AgentLLM([CALL, GOOD])).run(user_msg=QUESTION)
    await handle.wait_async()
    assert handle.last is not None
    assert handle.last.status is AnswerStatus.NO_RETRIEVAL


async def test_what_an_agent_says_before_its_tools_run_is_no_answer(handle: InstrumentHandle) -> None:
    llm = AgentLLM([CALL, "Let me see: white and red."])
    await FunctionAgent(tools=[query_tool(BAD)], llm=llm).run(user_msg=QUESTION)
    await handle.wait_async()
    assert [record.answer for record in handle.records] == ["Let me see: white and red."]


class Found(Event):
    """Nodes for the next step."""

    nodes: list[NodeWithScore]


class TwoSteps(Workflow):
    """Retrieves in one step, answers in the next."""

    answer: object = GOOD

    @step
    async def look_up(self, ev: StartEvent) -> Found:
        return Found(nodes=await fact_index().as_retriever(similarity_top_k=2).aretrieve(ev.question))

    @step
    async def reply(self, ev: Found) -> StopEvent:
        return StopEvent(result=self.answer)


async def test_a_workflow_that_returns_text(handle: InstrumentHandle) -> None:
    await TwoSteps().run(question=QUESTION)
    await handle.wait_async()
    (record,) = handle.records
    assert (record.question, record.answer, ids(record)) == (QUESTION, GOOD, retrieved_ids(QUESTION))


async def test_a_workflow_that_returns_a_response_gets_the_result_in_it(handle: InstrumentHandle) -> None:
    flow = TwoSteps()
    flow.answer = Response(GOOD)
    response = await flow.run(question=QUESTION)
    await handle.wait_async()
    assert response.metadata["longtracer"]["quality_gate"] == "PASS"


class Answered(StopEvent):
    """A stop event of the user's own."""

    answer: str


class OwnStop(Workflow):
    """Ends with a class of its own."""

    @step
    async def reply(self, ev: StartEvent) -> Answered:
        await fact_index().as_retriever(similarity_top_k=1).aretrieve(ev.question)
        return Answered(answer=GOOD)


async def test_a_workflow_with_a_stop_event_of_its_own(handle: InstrumentHandle) -> None:
    await OwnStop().run(question=QUESTION)
    await handle.wait_async()
    assert handle.last is not None
    assert (handle.last.answer, ids(handle.last)) == (GOOD, ["n1"])


class Failing(Workflow):
    """Retrieves, then fails, or takes too long."""

    slow = False

    @step
    async def reply(self, ev: StartEvent) -> StopEvent:
        await fact_index().as_retriever(similarity_top_k=1).aretrieve(ev.question)
        if self.slow:
            await asyncio.sleep(30)
        raise ValueError("no answer")


async def test_t55_a_step_that_fails_is_an_error(handle: InstrumentHandle, open_traces: Callable[[], int]) -> None:
    with pytest.raises(ValueError, match="no answer"):
        await Failing().run(question=QUESTION)
    await handle.wait_async()
    (record,) = handle.records
    assert (record.status, record.case, open_traces()) == (AnswerStatus.ERROR, None, 0)


async def test_t55_a_workflow_that_times_out_is_an_error(
    handle: InstrumentHandle, open_traces: Callable[[], int]
) -> None:
    flow = Failing(timeout=0.1)
    flow.slow = True
    with pytest.raises(Exception, match=r"[Tt]imed out"):
        await flow.run(question=QUESTION)
    await handle.wait_async()
    (record,) = handle.records
    assert (record.status, open_traces()) == (AnswerStatus.ERROR, 0)


async def test_t55_a_workflow_that_is_cancelled(handle: InstrumentHandle, open_traces: Callable[[], int]) -> None:
    flow = Failing()
    flow.slow = True
    running = flow.run(question=QUESTION)
    await asyncio.sleep(0.05)
    await running.cancel_run()
    with pytest.raises(WorkflowCancelledByUser):
        await running
    await handle.wait_async()
    (record,) = handle.records
    assert (record.status, open_traces()) == (AnswerStatus.CANCELLED, 0)


def test_the_facts_are_what_the_tests_think() -> None:
    assert GOOD == FACTS["n1"][1] != BAD

"""Guards inside workflows and around agents."""

from __future__ import annotations

from typing import Any

import pytest
from llama_index.core.agent.workflow import AgentOutput, AgentWorkflow, FunctionAgent
from llama_index.core.base.response.schema import Response
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.schema import NodeWithScore
from llama_index.core.tools import FunctionTool, QueryEngineTool, RetrieverTool
from llama_index.core.workflow import Event, StartEvent, StopEvent, Workflow, step

from longtracer import CitationVerifier, QualityGate
from longtracer_integrations import GroundingBlocked, GuardrailPolicy
from longtracer_integrations.llamaindex import GroundingStep, GuardedQueryEngine, InstrumentHandle, guard_agent_output

from .fakes import BAD, FACTS, GOOD, QUESTION, AgentLLM, call, engine, fact_index, ids, retrieved_ids
from .faults import FAULTS

BLOCKED = "Sorry, that is not in the documents."
POLICY = GuardrailPolicy(block_message=BLOCKED)
CALL = call("facts", input=QUESTION)
twins = pytest.mark.parametrize(("answer", "shown"), [(GOOD, GOOD), (BAD, BLOCKED)])


def _query_tool(**options: Any) -> QueryEngineTool:
    return QueryEngineTool.from_defaults(engine(GOOD), name="facts", description="facts", **options)


def _agent(answer: str, *, tool: Any = None, **options: Any) -> FunctionAgent:
    return FunctionAgent(
        name="keeper", description="d", tools=[tool or _query_tool()], llm=AgentLLM([CALL, answer]), **options
    )


class Found(Event):
    """What the next step answers from."""

    nodes: list[NodeWithScore]


class Drafted(Event):
    """An answer that nobody has seen."""

    answer: str


class GuardedFlow(Workflow):
    """Looks up, answers, checks."""

    answer = GOOD
    grounding: GroundingStep

    @step
    async def look_up(self, ev: StartEvent) -> Found:
        return Found(nodes=await fact_index().as_retriever(similarity_top_k=2).aretrieve(ev.question))

    @step
    async def reply(self, ev: Found) -> Drafted:
        return Drafted(answer=self.answer)

    @step
    async def check(self, ev: Drafted) -> StopEvent:
        return StopEvent(result=await self.grounding.check(ev.answer, question=QUESTION))


@twins
async def test_a_step_checks_by_what_an_earlier_step_retrieved(
    verifier: CitationVerifier, answer: str, shown: str
) -> None:
    flow = GuardedFlow()
    flow.answer, flow.grounding = answer, GroundingStep(POLICY, verifier=verifier)
    response = await flow.run(question=QUESTION)
    assert isinstance(response, Response)
    assert response.response == shown


async def test_the_response_of_a_step_carries_the_result(verifier: CitationVerifier) -> None:
    flow = GuardedFlow()
    flow.grounding = GroundingStep(POLICY, verifier=verifier)
    response = await flow.run(question=QUESTION)
    assert response.metadata["longtracer"]["quality_gate"] == "PASS"


@twins
async def test_documents_may_be_passed(verifier: CitationVerifier, answer: str, shown: str) -> None:
    checked = await GroundingStep(POLICY, verifier=verifier).check(answer, [FACTS["n1"][1]])
    assert str(checked) == shown


@twins
async def test_a_response_brings_its_nodes(verifier: CitationVerifier, answer: str, shown: str) -> None:
    given = await engine(answer).aquery(QUESTION)
    checked = await GroundingStep(POLICY, verifier=verifier).check(given)
    assert (str(checked), checked.source_nodes) == (shown, given.source_nodes)


@twins
async def test_a_stream_is_read_to_its_end(verifier: CitationVerifier, answer: str, shown: str) -> None:
    given = await engine(answer, streaming=True).aquery(QUESTION)
    assert str(await GroundingStep(POLICY, verifier=verifier).check(given)) == shown


async def test_without_documents_nothing_passes(verifier: CitationVerifier) -> None:
    checked = await GroundingStep(POLICY, verifier=verifier).check(GOOD)
    assert (checked.response, checked.metadata["longtracer"]["quality_gate"]) == (BLOCKED, "INDETERMINATE")


async def test_something_that_is_no_answer_is_refused(verifier: CitationVerifier) -> None:
    with pytest.raises(TypeError, match="no answer"):
        await GroundingStep(verifier=verifier).check(42)


@twins
async def test_around_a_function_agent(verifier: CitationVerifier, answer: str, shown: str) -> None:
    output = await GroundingStep(POLICY, verifier=verifier).run(_agent(answer), user_msg=QUESTION)
    assert isinstance(output, AgentOutput)
    assert str(output) == shown


@twins
async def test_around_an_agent_workflow(verifier: CitationVerifier, answer: str, shown: str) -> None:
    team = AgentWorkflow(agents=[_agent(answer)])
    assert str(await GroundingStep(POLICY, verifier=verifier).run(team, user_msg=QUESTION)) == shown


@twins
async def test_around_an_agent_with_a_retriever_tool(verifier: CitationVerifier, answer: str, shown: str) -> None:
    tool = RetrieverTool.from_defaults(fact_index().as_retriever(similarity_top_k=2), name="facts", description="d")
    output = await GroundingStep(POLICY, verifier=verifier).run(_agent(answer, tool=tool), user_msg=QUESTION)
    assert str(output) == shown


@twins
async def test_around_an_agent_with_a_tool_that_returns_text(
    verifier: CitationVerifier, answer: str, shown: str
) -> None:
    def facts(input: str) -> str:
        """Looks facts up."""
        return FACTS["n1"][1]

    agent = _agent(answer, tool=FunctionTool.from_defaults(facts))
    assert str(await GroundingStep(POLICY, verifier=verifier).run(agent, user_msg=QUESTION)) == shown


async def test_an_agents_result_is_in_its_message(verifier: CitationVerifier) -> None:
    output = await GroundingStep(POLICY, verifier=verifier).run(_agent(BAD), user_msg=QUESTION)
    assert output.response.additional_kwargs["longtracer"]["quality_gate"] == "FAIL"


@pytest.mark.parametrize("answer", [GOOD, BAD])
async def test_the_memory_of_an_agent_holds_what_was_shown(verifier: CitationVerifier, answer: str) -> None:
    memory = ChatMemoryBuffer.from_defaults(token_limit=3000)
    output = await GroundingStep(POLICY, verifier=verifier).run(_agent(answer), user_msg=QUESTION, memory=memory)
    messages = memory.get_all()
    assert (messages[0].content, messages[-1].content) == (QUESTION, str(output))


async def test_after_a_raise_the_memory_of_an_agent_holds_nothing(verifier: CitationVerifier) -> None:
    memory = ChatMemoryBuffer.from_defaults(token_limit=3000)
    guard = GroundingStep(GuardrailPolicy(on_fail="raise"), verifier=verifier)
    with pytest.raises(GroundingBlocked):
        await guard.run(_agent(BAD), user_msg=QUESTION, memory=memory)
    assert memory.get_all() == []


async def test_an_agent_is_asked_again(verifier: CitationVerifier) -> None:
    agent = FunctionAgent(tools=[_query_tool()], llm=AgentLLM([CALL, BAD, CALL, GOOD]))
    guard = GroundingStep(GuardrailPolicy(on_fail="retry"), verifier=verifier)
    assert str(await guard.run(agent, user_msg=QUESTION)) == GOOD


@twins
async def test_an_output_that_is_there_already(verifier: CitationVerifier, answer: str, shown: str) -> None:
    output = await _agent(answer).run(user_msg=QUESTION)
    assert str(await guard_agent_output(output, POLICY, verifier=verifier)) == shown


async def test_the_output_that_is_given_is_not_changed(verifier: CitationVerifier) -> None:
    output = await _agent(BAD).run(user_msg=QUESTION)
    await guard_agent_output(output, POLICY, verifier=verifier)
    assert (str(output), output.response.additional_kwargs) == (BAD, {})


async def test_a_tool_that_returned_directly_brings_its_nodes(verifier: CitationVerifier) -> None:
    agent = FunctionAgent(tools=[_query_tool(return_direct=True)], llm=AgentLLM([CALL]))
    output = await agent.run(user_msg=QUESTION)
    assert str(await guard_agent_output(output, POLICY, verifier=verifier)) == GOOD


@twins
async def test_a_guarded_tool_tells_the_agent_only_what_is_grounded(
    verifier: CitationVerifier, answer: str, shown: str
) -> None:
    guarded = GuardedQueryEngine(engine(answer), POLICY, verifier=verifier)
    tool = QueryEngineTool.from_defaults(guarded, name="facts", description="facts", return_direct=True)
    output = await FunctionAgent(tools=[tool], llm=AgentLLM([CALL])).run(user_msg=QUESTION)
    assert str(output) == shown


@pytest.mark.parametrize("fault", FAULTS)
async def test_u84_whatever_cannot_be_checked_is_blocked(fault: str) -> None:
    assert str(await GroundingStep(POLICY, verifier=FAULTS[fault]).run(_agent(GOOD), user_msg=QUESTION)) == BLOCKED


async def test_a_handle_records_a_guarded_agent(handle: InstrumentHandle, verifier: CitationVerifier) -> None:
    await GroundingStep(POLICY, verifier=verifier).run(_agent(BAD), user_msg=QUESTION)
    await handle.wait_async()
    (record,) = handle.records
    assert (record.answer, ids(record)) == (BLOCKED, retrieved_ids(QUESTION))
    assert record.case is not None
    assert (record.case.quality_gate, record.case.claims[0].claim_text) == (QualityGate.FAIL, BAD)


async def test_what_an_agent_s_output_repeats_of_a_blocked_answer_goes(verifier: CitationVerifier) -> None:
    output = await _agent(BAD).run(user_msg=QUESTION)
    output.structured_response = {"answer": BAD, "notes": [f"So: {BAD}"]}
    output.raw = {"choices": [{"text": BAD}]}
    checked = await guard_agent_output(output, POLICY, verifier=verifier)
    shown = (str(checked), checked.structured_response, checked.raw, checked.tool_calls)
    assert ("green" in str(shown), str(checked), len(checked.tool_calls)) == (False, BLOCKED, 1)


async def test_a_structured_response_of_an_agent_is_checked_as_well(verifier: CitationVerifier) -> None:
    output = await _agent(GOOD).run(user_msg=QUESTION)
    output.structured_response = {"answer": BAD}
    checked = await guard_agent_output(output, POLICY, verifier=verifier)
    assert (str(checked), "green" in str(checked.structured_response)) == (BLOCKED, False)

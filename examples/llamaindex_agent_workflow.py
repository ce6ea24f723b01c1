"""Guard an agent, and check an answer in a step of a workflow of your own.

Run it with `python examples/llamaindex_agent_workflow.py`; it needs no network and no key.
"""

from __future__ import annotations

import asyncio

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.schema import NodeWithScore
from llama_index.core.tools import RetrieverTool
from llama_index.core.workflow import Event, StartEvent, StopEvent, Workflow, step
from llamaindex_parts import ScriptedAgentLLM, handbook_index

from longtracer_integrations import GuardrailPolicy
from longtracer_integrations.llamaindex import GroundingStep

QUESTION = "How many days of leave do I have?"
GROUNDING = GroundingStep(GuardrailPolicy(block_message="I could not confirm that; please ask the office."))
RETRIEVER = handbook_index().as_retriever(similarity_top_k=1)


async def guard_an_agent() -> None:
    tool = RetrieverTool.from_defaults(RETRIEVER, name="handbook", description="The handbook.")
    for answer in ("You have 28 days of leave a year.", "You have 38 days of leave a year."):
        agent = FunctionAgent(tools=[tool], llm=ScriptedAgentLLM("handbook", "days of leave", answer))
        output = await GROUNDING.run(agent, user_msg=QUESTION)
        print(f"agent: {answer}\nuser:  {output}")
        print(f"       {output.response.additional_kwargs['longtracer']['summary']}")


class Found(Event):
    """What was retrieved."""

    nodes: list[NodeWithScore]


class Handbook(Workflow):
    """Looks up, answers, checks the answer by what was looked up."""

    @step
    async def look_up(self, ev: StartEvent) -> Found:
        return Found(nodes=await RETRIEVER.aretrieve(ev.question))

    @step
    async def answer(self, ev: Found) -> StopEvent:
        answer = "You have 48 days of leave a year."  # here your model answers from `ev.nodes`
        return StopEvent(result=await GROUNDING.check(answer, question=QUESTION))


async def main() -> None:
    await guard_an_agent()
    print("workflow:", await Handbook().run(question=QUESTION))


if __name__ == "__main__":
    asyncio.run(main())

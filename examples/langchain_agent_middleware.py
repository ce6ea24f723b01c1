"""Guard an agent: tool calls pass, its final answer leaves when the tools' documents support it.

Run it with `python examples/langchain_agent_middleware.py`; it needs no network and no key.
"""

from __future__ import annotations

from langchain.agents import create_agent
from langchain_core.documents import Document
from langchain_core.messages import AIMessage
from langchain_core.tools import BaseTool, create_retriever_tool
from langchain_core.vectorstores import InMemoryVectorStore
from offline_parts import LocalEmbeddings
from scripted_model import ScriptedChatModel, calls

from longtracer_integrations import GuardrailPolicy
from longtracer_integrations.langchain import GroundingMiddleware

DOCUMENTS = [
    Document(
        id="leave", page_content="Employees have 28 days of leave a year. Unused days expire at the end of March."
    ),
    Document(id="travel", page_content="Train journeys under four hours are booked in second class."),
]
POLICY = GuardrailPolicy(block_message="I could not confirm that; please ask the office.")


def search_tool() -> BaseTool:
    """A retriever as a tool; as an artifact its documents keep their ids."""
    store = InMemoryVectorStore(LocalEmbeddings())
    store.add_documents(DOCUMENTS)
    retriever = store.as_retriever(search_kwargs={"k": 1})
    return create_retriever_tool(retriever, "handbook", "The handbook.", response_format="content_and_artifact")


def main() -> None:
    question = {"messages": [("user", "How many days of leave do I have?")]}
    for answer in ("You have 28 days of leave a year.", "You have 38 days of leave a year."):
        model = ScriptedChatModel(script=[calls("handbook", query="days of leave"), AIMessage(answer)])
        agent = create_agent(model, [search_tool()], middleware=[GroundingMiddleware(POLICY)])

        result = agent.invoke(question)
        print(f"model: {answer}\nuser:  {result['messages'][-1].text}")
        print(f"       {result['longtracer']['quality_gate']}: {result['longtracer']['summary']}")

    # Also a consumer of tokens sees the released answer only.
    model = ScriptedChatModel(
        script=[calls("handbook", query="days of leave"), AIMessage("You have 38 days of leave.")]
    )
    agent = create_agent(model, [search_tool()], middleware=[GroundingMiddleware(POLICY)])
    for message, _ in agent.stream(question, stream_mode="messages"):
        print(f"stream: {message.text}")


if __name__ == "__main__":
    main()

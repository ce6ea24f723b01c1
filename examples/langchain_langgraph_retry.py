"""Check an answer in a LangGraph graph, and lead back to the model with feedback while it fails.

Run it with `python examples/langchain_langgraph_retry.py`; it needs no network and no key.
"""

from __future__ import annotations

from typing import Any

from langchain_core.documents import Document
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.vectorstores import InMemoryVectorStore
from langgraph.graph import END, START, StateGraph
from offline_parts import LocalEmbeddings
from scripted_model import ScriptedChatModel

from longtracer_integrations import GuardrailPolicy
from longtracer_integrations.langchain import GroundingGraphState, grounding_node, grounding_router

DOCUMENTS = [
    Document(
        id="engine", page_content="The engine takes 4.5 litres of oil. The oil is changed every 15,000 kilometres."
    ),
    Document(id="tyres", page_content="The tyres are inflated to 2.4 bar."),
]


class State(GroundingGraphState, total=False):
    """The graph's own keys, beside those of the check."""

    question: str
    context: list[Document]
    answer: str


def build_graph(model: ScriptedChatModel) -> Any:
    """retrieve -> generate -> check, and back to generate while the policy asks for another answer."""
    store = InMemoryVectorStore(LocalEmbeddings())
    store.add_documents(DOCUMENTS)
    retriever = store.as_retriever(search_kwargs={"k": 1})

    def retrieve(state: State) -> dict[str, Any]:
        return {"context": retriever.invoke(state["question"])}

    def generate(state: State) -> dict[str, Any]:
        messages = [HumanMessage(f"{state['context']}\n\n{state['question']}")]
        if feedback := state.get("longtracer_feedback"):
            print(f"  feedback: {feedback}")
            messages.append(HumanMessage(feedback))
        answer = model.invoke(messages).text
        print(f"  draft: {answer}")
        return {"answer": str(answer)}

    policy = GuardrailPolicy(on_fail="retry", max_retries=2, block_message="I cannot confirm that.")
    graph = StateGraph(State)
    graph.add_node("retrieve", retrieve)
    graph.add_node("generate", generate)
    graph.add_node("check", grounding_node(policy))
    graph.add_edge(START, "retrieve")
    graph.add_edge("retrieve", "generate")
    graph.add_edge("generate", "check")
    graph.add_conditional_edges("check", grounding_router(again="generate", done=END), ["generate", END])
    return graph.compile()


def main() -> None:
    for script in (
        ["It takes 5.5 litres of oil.", "The engine takes 4.5 litres of oil."],
        ["It takes 9 litres of oil."],
    ):
        model = ScriptedChatModel(script=[AIMessage(text) for text in script])
        result = build_graph(model).invoke({"question": "How much oil does the engine take?"})
        guard = result["longtracer"]["metadata"]["guard"]
        print(f"answer: {result['answer']}  [{result['longtracer']['quality_gate']}, retries: {guard['retries']}]\n")


if __name__ == "__main__":
    main()

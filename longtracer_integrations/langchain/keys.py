"""The usual keys of inputs and outputs in LangChain's chains and its tutorials, each list in the order it is tried."""

from __future__ import annotations

__all__ = ["ANSWER_KEYS", "CONTEXT_KEYS", "QUESTION_KEYS"]

ANSWER_KEYS = (
    "answer",
    "result",
    "output",
    "output_text",
    "response",
    "text",
    "generation",
    "final_answer",
    "completion",
)

CONTEXT_KEYS = ("context", "source_documents", "documents", "docs", "retrieved_docs", "sources")

QUESTION_KEYS = ("question", "input", "query", "user_input", "user_query", "prompt", "q")

"""Guard an LCEL chain: an answer that the documents do not support never leaves it.

Run it with `python examples/langchain_guard_lcel.py`; it needs no network and no key.
"""

from __future__ import annotations

from langchain_core.documents import Document
from langchain_core.language_models import FakeListChatModel
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import Runnable, RunnableLambda, RunnablePassthrough
from langchain_core.vectorstores import InMemoryVectorStore
from offline_parts import LocalEmbeddings

from longtracer_integrations import GroundingBlocked, GuardrailPolicy
from longtracer_integrations.langchain import GroundingGuardrail

DOCUMENTS = [
    Document(id="tickets", page_content="A day ticket costs 12 euros. Children under six travel free."),
    Document(id="hours", page_content="The ferry runs from April to October."),
]
QUESTION = "What does a day ticket cost?"
GOOD = "A day ticket costs 12 euros. Children under six travel free."
BAD = "A day ticket costs 12 euros. Children under ten travel free."

PROMPT = ChatPromptTemplate.from_template("{context}\n\nQuestion: {question}")


def rag_chain(*answers: str) -> Runnable[dict[str, str], dict[str, object]]:
    """A chain that returns its documents beside its answer."""
    store = InMemoryVectorStore(LocalEmbeddings())
    store.add_documents(DOCUMENTS)
    search = RunnableLambda(lambda given: given["question"]) | store.as_retriever(search_kwargs={"k": 1})
    answer = PROMPT | FakeListChatModel(responses=list(answers)) | StrOutputParser()
    return RunnablePassthrough.assign(context=search).assign(answer=answer)


def main() -> None:
    given = {"question": QUESTION}

    for policy in (
        GuardrailPolicy(block_message="Please ask at the counter."),
        GuardrailPolicy(on_fail="annotate", annotation=" (Not in our documents: {claims})"),
        GuardrailPolicy(on_fail="redact"),
    ):
        guarded = rag_chain(GOOD, BAD) | GroundingGuardrail(policy)
        good, bad = guarded.invoke(given), guarded.invoke(given)
        print(
            f"{policy.on_fail}:\n  good: {good['answer']}\n  bad:  {bad['answer']}  [{bad['longtracer'].quality_gate}]"
        )

    try:
        (rag_chain(BAD) | GroundingGuardrail(GuardrailPolicy(on_fail="raise"))).invoke(given)
    except GroundingBlocked as blocked:
        print(f"raise:\n  {blocked}")

    # Around a chain, a failed answer can be asked for again; the feedback names what was not supported.
    text_chain = rag_chain(BAD, GOOD) | (lambda out: out["answer"])
    asked_again = GroundingGuardrail.around(text_chain, GuardrailPolicy(on_fail="retry"))
    print(f"retry:\n  {asked_again.invoke(given)}")

    print("in a stream, nothing of the answer leaves before the verdict:")
    for chunk in (rag_chain(BAD) | GroundingGuardrail(GuardrailPolicy(block_message="Please ask."))).stream(given):
        print(f"  {sorted(chunk)}")


if __name__ == "__main__":
    main()

"""Attach a handler to a chain you already have: its answers stay as they are, and each gets a checked record.

Run it with `python examples/langchain_attach.py`; it needs no network and no key.
"""

from __future__ import annotations

from langchain_core.documents import Document
from langchain_core.language_models import FakeListChatModel
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import Runnable, RunnablePassthrough
from langchain_core.vectorstores import InMemoryVectorStore
from offline_parts import LocalEmbeddings

from longtracer_integrations.langchain import LongTracerCallbackHandler

DOCUMENTS = [
    Document(id="warranty", page_content="The warranty of the kettle lasts two years. It covers the heating element."),
    Document(id="care", page_content="Descale the kettle every three months. Do not put it in the dishwasher."),
    Document(id="stores", page_content="The shop in Porto is open from Monday to Saturday."),
]


def existing_chain(answers: list[str]) -> Runnable[str, str]:
    """The chain as it was before: nothing in it knows of LongTracer."""
    store = InMemoryVectorStore(LocalEmbeddings())
    store.add_documents(DOCUMENTS)
    prompt = ChatPromptTemplate.from_template("Answer from the context.\n\n{context}\n\nQuestion: {question}")
    retriever = store.as_retriever(search_kwargs={"k": 2})
    context = retriever | (lambda documents: "\n\n".join(document.page_content for document in documents))
    return (
        {"context": context, "question": RunnablePassthrough()}
        | prompt
        | FakeListChatModel(responses=answers)
        | StrOutputParser()
    )


def main() -> None:
    chain = existing_chain(["The warranty lasts two years.", "Descale the kettle every three weeks."])
    handler = LongTracerCallbackHandler()

    for question in ("How long is the warranty?", "How often should I descale it?"):
        answer = chain.invoke(question, config={"callbacks": [handler]})  # the only change
        record = handler.last
        assert record is not None
        assert record.case is not None
        print(f"Q {question}\nA {answer}")
        print(f"  {record.case.quality_gate}: {record.case.summary}")
        print(f"  the model saw: {', '.join(document.id for document in record.documents)}")
        for claim in record.case.unsupported_claims:
            print(f"  {claim.assessment}: {claim.claim_text}  (evidence: {claim.evidence[0].text})")

    print(f"{len(handler.records)} records, {handler.open_requests} requests still open")


if __name__ == "__main__":
    main()

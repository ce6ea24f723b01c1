"""A real RAG chain whose answers are checked claim by claim, offline: what `make demo` runs.

An LCEL chain retrieves from an in-memory vector store (embedded with the encoder that ships with this package) and
a scripted model answers. Nothing here needs a network or a key.
"""

from __future__ import annotations

from langchain_core.documents import Document
from langchain_core.language_models import FakeListChatModel
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import Runnable, RunnableLambda, RunnablePassthrough
from langchain_core.vectorstores import InMemoryVectorStore
from offline_parts import LocalEmbeddings
from rich.console import Console
from rich.text import Text

from longtracer import CitationVerifier
from longtracer.report import case_report
from longtracer_integrations import GuardrailPolicy
from longtracer_integrations.langchain import GroundingGuardrail, LongTracerCallbackHandler

DOCUMENTS = [
    Document(
        id="plans",
        page_content="The Basic plan costs $10 a month. The Pro plan costs $25 a month and includes phone support.",
    ),
    Document(
        id="refunds",
        page_content="Refunds are paid within 5 days. Sale items cannot be returned. Shipping is never refunded.",
    ),
    Document(id="office", page_content="The office in Lisbon was opened in 2016. About 40 people work there."),
]

# What a model might answer: grounded, contradicted by the documents, and an honest refusal.
SCRIPT = {
    "How much is the Pro plan?": "The Pro plan costs $25 per month. Phone support is included.",
    "Can I return sale items?": "Refunds are paid within 5 days. Sale items can be returned as well.",
    "Who founded the company?": "The provided documents do not say who founded the company.",
}


def build_chain(answer: str) -> Runnable[str, str]:
    """The RAG chain of many tutorials: retrieve, fill the prompt, ask the model, parse."""
    store = InMemoryVectorStore(LocalEmbeddings())
    store.add_documents(DOCUMENTS)
    prompt = ChatPromptTemplate.from_template("Answer from the context.\n\n{context}\n\nQuestion: {question}")
    join = RunnableLambda(lambda documents: "\n\n".join(document.page_content for document in documents))
    retrieve = store.as_retriever(search_kwargs={"k": 2}) | join
    model = FakeListChatModel(responses=[answer])
    return {"context": retrieve, "question": RunnablePassthrough()} | prompt | model | StrOutputParser()


def main() -> None:
    console = Console()
    verifier = CitationVerifier()

    console.rule("1. attach a handler: the chain runs as before, and every answer has a result")
    handler = LongTracerCallbackHandler(verifier=verifier)
    for question, answer in SCRIPT.items():
        chain = build_chain(answer)
        chain.invoke(question, config={"callbacks": [handler]})
        record = handler.last
        if record is not None and record.case is not None:
            console.print(case_report(record.case, title=question))

    console.rule("2. guard the chain: an answer that fails never reaches the user")
    policy = GuardrailPolicy(on_fail="block", block_message="I could not confirm that. A colleague will answer you.")
    for question, answer in SCRIPT.items():
        guarded = GroundingGuardrail.around(build_chain(answer), policy=policy, verifier=verifier)
        shown = guarded.invoke(question)
        console.print(Text(f"Q  {question}", style="bold"))
        console.print(Text(f"   the model: {answer}", style="dim"))
        console.print(Text(f"   the user sees: {shown}\n", style="green" if shown == answer else "red"))


if __name__ == "__main__":
    main()

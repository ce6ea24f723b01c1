"""Stream an answer sentence by sentence: each leaves as soon as it is checked, the first that fails ends the stream.

Run it with `python examples/langchain_stream_sentences.py`; it needs no network and no key.
"""

from __future__ import annotations

import asyncio

from langchain_core.documents import Document
from langchain_core.language_models import FakeListChatModel
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import Runnable, RunnablePassthrough
from langchain_core.vectorstores import InMemoryVectorStore
from offline_parts import LocalEmbeddings

from longtracer_integrations import GuardrailPolicy
from longtracer_integrations.langchain import GroundingGuardrail

DOCUMENTS = [
    Document(
        id="lighthouse",
        page_content="The lighthouse was built in 1878. It is 34.5 metres tall. Its lamp is visible for 20 miles.",
    ),
]
GOOD = "The lighthouse was built in 1878. It is 34.5 metres tall.\n\nIts lamp is visible for 20 miles."
BAD = "The lighthouse was built in 1878. It is 44.5 metres tall. Its lamp is visible for 20 miles."


def chain(answer: str) -> Runnable[str, str]:
    """A chain whose model streams `answer` letter by letter."""
    store = InMemoryVectorStore(LocalEmbeddings())
    store.add_documents(DOCUMENTS)
    context = store.as_retriever() | (lambda documents: "\n\n".join(document.page_content for document in documents))
    prompt = ChatPromptTemplate.from_template("{context}\n\n{question}")
    model = FakeListChatModel(responses=[answer])
    return {"context": context, "question": RunnablePassthrough()} | prompt | model | StrOutputParser()


async def main() -> None:
    policy = GuardrailPolicy(block_message="[The rest of this answer could not be confirmed.]")
    for answer in (GOOD, BAD):
        guarded = GroundingGuardrail.around(chain(answer), policy, stream_mode="sentence")
        pieces = [piece async for piece in guarded.astream("Tell me about the lighthouse.")]
        print(pieces)
        print(f"unchanged: {''.join(pieces) == answer}\n")


if __name__ == "__main__":
    asyncio.run(main())

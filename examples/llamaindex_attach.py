"""Watch the engines you already have: their answers stay as they are, and each gets a checked record.

Run it with `python examples/llamaindex_attach.py`; it needs no network and no key.
"""

from __future__ import annotations

import asyncio

from llamaindex_parts import ScriptedLLM, handbook_index

from longtracer_integrations import RagAnswer
from longtracer_integrations.llamaindex import instrument

RIGHT = "You have 28 days of leave a year."
WRONG = "You have 38 days of leave a year."
QUESTION = "How many days of leave do I have?"


def show(record: RagAnswer) -> None:
    assert record.case is not None
    documents = ", ".join(document.id for document in record.documents)
    print(f"{record.case.quality_gate}: {record.answer} (checked against {documents})")
    for claim in record.case.unsupported_claims:
        print(f"  not supported: {claim.claim_text}")


async def asynchronous_and_streamed() -> None:
    async with instrument(on_result=show) as handle:
        engine = handbook_index().as_query_engine(llm=ScriptedLLM(RIGHT, WRONG), similarity_top_k=1, streaming=True)
        for _ in range(2):
            response = await engine.aquery(QUESTION)
            print("stream: ", end="")
            async for piece in response.async_response_gen():
                print(piece, end="")
            print()
    assert len(handle.records) == 2


def main() -> None:
    with instrument(on_result=show):
        engine = handbook_index().as_query_engine(llm=ScriptedLLM(RIGHT, WRONG), similarity_top_k=1)
        engine.query(QUESTION)
        response = engine.query(QUESTION)
    print("in the response:", response.metadata["longtracer"]["summary"])

    asyncio.run(asynchronous_and_streamed())


if __name__ == "__main__":
    main()

"""Many answers at a time: each record has its own question, answer and documents, and nothing stays open."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from llama_index.core import VectorStoreIndex
from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.instrumentation import get_dispatcher
from llama_index.core.query_engine import CustomQueryEngine
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import TextNode

from longtracer_integrations import RagAnswer
from longtracer_integrations.llamaindex import InstrumentHandle

from .fakes import GOOD, QUESTION, ScriptedLLM, WordEmbedding, chat_engine, engine, fact_index, ids

COUNT = 50


def _numbered_engine(**options: object) -> BaseQueryEngine:
    """Document `item-7` is about item seven; the model repeats the number it reads in the context."""
    nodes = [TextNode(id_=f"item-{n}", text=f"The shelf code of article{n} is S{n}.") for n in range(COUNT)]

    def reply(prompt: str) -> str:
        found = re.search(r"The shelf code of article\d+ is S\d+\.", prompt)
        assert found is not None
        return found.group()

    index = VectorStoreIndex(nodes, embed_model=WordEmbedding())
    return index.as_query_engine(llm=ScriptedLLM(reply), similarity_top_k=1, **options)


def _question(n: int) -> str:
    return f"What is the shelf code of article{n}?"


def _paired(records: tuple[RagAnswer, ...]) -> dict[str | None, tuple[str | None, list[str]]]:
    return {record.question: (record.answer, ids(record)) for record in records}


EXPECTED = {_question(n): (f"The shelf code of article{n} is S{n}.", [f"item-{n}"]) for n in range(COUNT)}


async def test_fifty_concurrent_queries_give_fifty_right_pairs(
    handle: InstrumentHandle, open_traces: Callable[[], int]
) -> None:
    watched = _numbered_engine()
    responses = await asyncio.gather(*(watched.aquery(_question(n)) for n in range(COUNT)))
    await handle.wait_async()
    assert _paired(handle.records) == EXPECTED
    assert [str(response) for response in responses] == [answer for answer, _ in EXPECTED.values()]
    assert open_traces() == 0


async def test_fifty_concurrent_queries_carry_their_own_results(handle: InstrumentHandle) -> None:
    watched = _numbered_engine()
    responses = await asyncio.gather(*(watched.aquery(_question(n)) for n in range(COUNT)))
    await handle.wait_async()
    claims = [response.metadata["longtracer"]["claims"][0]["claim_text"] for response in responses]
    assert claims == [answer for answer, _ in EXPECTED.values()]


async def test_t54_gathered_queries(handle: InstrumentHandle) -> None:
    watched = _numbered_engine()
    await asyncio.gather(*(watched.aquery(_question(n)) for n in range(8)))
    await handle.wait_async()
    assert _paired(handle.records) == {_question(n): EXPECTED[_question(n)] for n in range(8)}


async def test_gathered_streams(handle: InstrumentHandle) -> None:
    watched = _numbered_engine(streaming=True)

    async def read(n: int) -> str:
        response = await watched.aquery(_question(n))
        return "".join([piece async for piece in response.async_response_gen()])

    await asyncio.gather(*(read(n) for n in range(8)))
    assert _paired(handle.records) == {_question(n): EXPECTED[_question(n)] for n in range(8)}


def test_t54_threads(handle: InstrumentHandle, open_traces: Callable[[], int]) -> None:
    watched = _numbered_engine()
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: watched.query(_question(n)), range(16)))
    assert _paired(handle.records) == {_question(n): EXPECTED[_question(n)] for n in range(16)}
    assert open_traces() == 0


def test_streamed_chats_in_threads(handle: InstrumentHandle, open_traces: Callable[[], int]) -> None:
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: list(chat_engine("context").stream_chat(QUESTION).response_gen), range(8)))
    assert [record.answer for record in handle.records] == [GOOD] * 8
    assert open_traces() == 0


class RawThreadEngine(CustomQueryEngine):
    """Retrieves in a thread that does not know the context."""

    retriever: BaseRetriever

    def custom_query(self, query_str: str) -> str:
        thread = threading.Thread(target=self.retriever.retrieve, args=(query_str,))
        thread.start()
        thread.join()
        return GOOD


def test_t54_a_raw_thread_inside_is_another_root(handle: InstrumentHandle, open_traces: Callable[[], int]) -> None:
    RawThreadEngine(retriever=fact_index().as_retriever()).query(QUESTION)
    (record,) = handle.records
    assert (record.answer, record.documents, open_traces()) == (GOOD, (), 0)


def test_a_span_that_never_ends_is_dropped_in_the_end(handle: InstrumentHandle) -> None:
    from longtracer_integrations.llamaindex.trace import SpanKind, TraceTable

    table = TraceTable(capacity=3)
    for n in range(10):
        table.enter(f"root-{n}", None, SpanKind.OTHER)
        table.enter(f"child-{n}", f"root-{n}", SpanKind.OTHER)
    assert len(table) == 3
    assert table.find("child-0") is None
    assert table.find("child-9") is not None


def test_records_are_bounded(verifier: object) -> None:
    from longtracer_integrations.llamaindex import instrument

    with instrument(verifier=verifier, max_records=2) as few:  # type: ignore[arg-type]
        for n in range(3):
            engine().query(f"{QUESTION} {n}")
        assert [record.question for record in few.records] == [f"{QUESTION} 1", f"{QUESTION} 2"]


def test_other_handlers_stay_on_the_dispatcher(handle: InstrumentHandle) -> None:
    before = [type(each).__name__ for each in get_dispatcher().span_handlers]
    handle.close()
    after = [type(each).__name__ for each in get_dispatcher().span_handlers]
    assert before == [*after, "LongTracerSpanHandler"]


@pytest.mark.parametrize("attribute", ["span_handlers", "event_handlers"])
def test_attaching_never_changes_a_list_that_is_being_walked(handle: InstrumentHandle, attribute: str) -> None:
    walked = getattr(get_dispatcher(), attribute)
    size = len(walked)
    handle.close()
    assert len(walked) == size

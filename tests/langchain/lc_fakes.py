"""Scripted models, retrievers and verifiers. The ones of langchain-core lose tool calls when they stream."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import Runnable, RunnablePassthrough
from pydantic import PrivateAttr

from longtracer import CaseResult, ClaimAssessment, ClaimResult, ReasonCode
from longtracer.contracts import AssessmentAvailability, evaluated_case

GOOD = "The Pro plan costs 20 dollars."
BAD = "The Pro plan costs 90 dollars."
FACTS = {
    "d1": "The Pro plan costs 20 dollars.",
    "d2": "The office in Oslo opens at nine.",
    "d3": "Dogs and cats are allowed in the garden.",
}


def facts(*ids: str) -> list[Document]:
    """Documents of `FACTS`, by their ids (all of them without any)."""
    return [Document(page_content=FACTS[name], id=name, metadata={"source": f"{name}.txt"}) for name in ids or FACTS]


Script = Sequence[Any] | Callable[[list[BaseMessage]], Any]


class ScriptedModel(BaseChatModel):
    """Answers from a script, one entry a call: text, a message, content blocks, or an exception to raise.

    Streams word by word; an entry may be a `Broken` to fail in the middle of its stream. A callable script is given
    the messages. Safe for many threads.
    """

    script: Any = ()
    _lock: Any = PrivateAttr(default_factory=threading.Lock)
    _calls: list[list[BaseMessage]] = PrivateAttr(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    @property
    def calls(self) -> list[list[BaseMessage]]:
        """The messages of every call so far."""
        return self._calls

    def bind_tools(self, tools: Any, **_: Any) -> Runnable[Any, Any]:
        return self.bind()

    def _next(self, messages: list[BaseMessage]) -> Any:
        with self._lock:
            index = len(self._calls)
            self._calls.append(messages)
        entry = self.script(messages) if callable(self.script) else self.script[min(index, len(self.script) - 1)]
        if isinstance(entry, Exception):
            raise entry
        return entry

    def _generate(self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **_: Any) -> ChatResult:
        entry = self._next(messages)
        if isinstance(entry, Broken):
            raise RuntimeError("the model broke")
        several = (
            entry if isinstance(entry, list) and entry and isinstance(entry[0], AIMessage) else [as_message(entry)]
        )
        return ChatResult(generations=[ChatGeneration(message=message.model_copy()) for message in several])

    def _stream(
        self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **_: Any
    ) -> Iterator[ChatGenerationChunk]:
        entry = self._next(messages)
        broken = isinstance(entry, Broken)
        message = as_message(entry.text if broken else entry)
        for chunk in pieces_of(message):
            generation = ChatGenerationChunk(message=chunk)
            if run_manager is not None:
                run_manager.on_llm_new_token(str(chunk.text), chunk=generation)
            yield generation
        if broken:
            raise RuntimeError("the model broke")


class Broken:
    """A script entry: streams `text`, then fails."""

    def __init__(self, text: str) -> None:
        self.text = text


def as_message(entry: Any) -> AIMessage:
    """A script entry as a message."""
    return entry if isinstance(entry, AIMessage) else AIMessage(content=entry)


def pieces_of(message: AIMessage) -> Iterator[AIMessageChunk]:
    """The chunks of a message: words of its text, or its blocks, then its tool calls."""
    if isinstance(message.content, str):
        words = message.content.split(" ")
        for index, word in enumerate(words):
            yield AIMessageChunk(content=word if index == 0 else " " + word, id=message.id)
    else:
        for block in message.content:
            yield AIMessageChunk(content=[block], id=message.id)
    for index, call in enumerate(message.tool_calls):
        yield AIMessageChunk(
            content="",
            id=message.id,
            tool_call_chunks=[
                {"name": call["name"], "args": json.dumps(call["args"]), "id": call["id"], "index": index}
            ],
        )


def tool_call(name: str, text: str = "", **args: Any) -> AIMessage:
    """A message of the model that calls one tool."""
    return AIMessage(content=text, tool_calls=[{"name": name, "args": args, "id": f"call-{name}-{len(str(args))}"}])


_STOP_WORDS = {"what", "does", "the", "is", "in", "and", "are", "how", "a", "at", "of"}


def _words(text: str) -> set[str]:
    return {word.strip(".,?!").lower() for word in text.split()} - _STOP_WORDS


class KeyedRetriever(BaseRetriever):
    """Returns copies of the documents that share a word with the query, their ids included."""

    documents: list[Document]

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        words = _words(query)
        found = [one for one in self.documents if words & (_words(one.page_content) | {one.id})]
        return [document.model_copy(deep=True) for document in found]


def retriever(*documents: Document) -> KeyedRetriever:
    """A retriever over `documents`, or over all facts."""
    return KeyedRetriever(documents=list(documents) or facts())


def joined(documents: Sequence[Document]) -> str:
    """Documents as prompt text."""
    return "\n\n".join(document.page_content for document in documents)


PROMPT = ChatPromptTemplate.from_template("Context: {context}\nQuestion: {question}")


def lcel(model: BaseChatModel, source: Any = None) -> Runnable[Any, Any]:
    """The classic chain: str in, str out."""
    found = source if source is not None else retriever()
    return {"context": found | joined, "question": RunnablePassthrough()} | PROMPT | model | StrOutputParser()


def lcel_dict(model: BaseChatModel, source: Any = None) -> Runnable[Any, Any]:
    """A chain that returns question, context and answer."""
    found = source if source is not None else retriever()
    answer = (
        (lambda d: {"context": joined(d["context"]), "question": d["question"]}) | PROMPT | model | StrOutputParser()
    )
    return RunnablePassthrough.assign(context=(lambda d: d["question"]) | found).assign(answer=answer)


def case_of(answer: str, *, supported: bool) -> CaseResult:
    """A case with one claim, the whole answer."""
    claim = ClaimResult(
        claim_id="claim_1",
        claim_text=answer,
        assessment=ClaimAssessment.SUPPORTED if supported else ClaimAssessment.INSUFFICIENT_EVIDENCE,
        reason=ReasonCode.SUPPORTED_BY_EVIDENCE if supported else ReasonCode.NOT_ENTAILED,
        char_start=0,
        char_end=len(answer),
    )
    return evaluated_case(availability=AssessmentAvailability.ASSESSED, reason=None, claims=[claim])


class FakeVerifier:
    """Passes what does not hold one of `bad`; waits `delay` seconds; or fails with `error`. Remembers its calls."""

    def __init__(
        self, *, bad: Sequence[str] = ("90 dollars",), delay: float = 0.0, error: Exception | None = None
    ) -> None:
        self.bad = tuple(bad)
        self.delay = delay
        self.error = error
        self.calls: list[dict[str, Any]] = []

    def verify_case(
        self, response: str, sources: Sequence[str], source_metadata: Sequence[Mapping[str, Any]] = (), **options: Any
    ) -> CaseResult:
        time.sleep(self.delay)
        return self._judge(response, sources, source_metadata, options)

    async def verify_case_async(
        self, response: str, sources: Sequence[str], source_metadata: Sequence[Mapping[str, Any]] = (), **options: Any
    ) -> CaseResult:
        await asyncio.sleep(self.delay)
        return self._judge(response, sources, source_metadata, options)

    def _judge(self, response: str, sources: Any, source_metadata: Any, options: dict[str, Any]) -> CaseResult:
        self.calls.append({"response": response, "sources": sources, "metadata": source_metadata, **options})
        if self.error is not None:
            raise self.error
        return case_of(response, supported=not any(word in response for word in self.bad))


async def alist(stream: AsyncIterator[Any]) -> list[Any]:
    """All items of an async iterator."""
    return [item async for item in stream]


def ids(record: Any) -> list[str]:
    """The document ids of a record."""
    return [document.id for document in record.documents]


async def longest_stall(work: Awaitable[Any]) -> float:
    """The longest time in seconds that the event loop did not turn while `work` was awaited."""
    longest, last, done = 0.0, time.perf_counter(), False

    async def tick() -> None:
        nonlocal longest, last
        while not done:
            await asyncio.sleep(0.001)
            now = time.perf_counter()
            longest, last = max(longest, now - last), now

    ticker = asyncio.create_task(tick())
    await work
    done = True
    await ticker
    return longest

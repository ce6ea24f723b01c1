"""Small scripted models for real LlamaIndex pipelines: no network, no randomness."""

from __future__ import annotations

import re
import zlib
from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from typing import Any

from llama_index.core import VectorStoreIndex
from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.base.llms.types import (
    ChatMessage,
    ChatResponse,
    CompletionResponse,
    LLMMetadata,
    MessageRole,
)
from llama_index.core.chat_engine.types import BaseChatEngine, ChatMode
from llama_index.core.llms import CustomLLM
from llama_index.core.llms.function_calling import FunctionCallingLLM
from llama_index.core.llms.llm import ToolSelection
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.schema import NodeRelationship, RelatedNodeInfo, TextNode
from pydantic import PrivateAttr

from longtracer_integrations import RagAnswer

DIMENSIONS = 4096

FACTS = {
    "n1": ("f1", "The lighthouse at Brundy Head is painted white and red."),
    "n2": ("f1", "The lighthouse keeper retired in 1984."),
    "n3": ("f2", "The ferry to Skelligmore leaves every morning at seven."),
    "n4": ("f2", "Dogs are allowed on the ferry."),
    "n5": ("f3", "The bakery on Quarry Lane sells rye bread on Tuesdays."),
}


def fact_nodes() -> list[TextNode]:
    """The corpus: node ids n1..n5, of the documents f1, f2 and f3."""
    return [
        TextNode(
            id_=node_id,
            text=text,
            metadata={"file": f"{document}.txt"},
            relationships={NodeRelationship.SOURCE: RelatedNodeInfo(node_id=document)},
        )
        for node_id, (document, text) in FACTS.items()
    ]


class WordEmbedding(BaseEmbedding):
    """A text is the bag of its words, hashed into 4096 dimensions."""

    def _vector(self, text: str) -> list[float]:
        vector = [0.0] * DIMENSIONS
        for word in re.findall(r"\w+", text.lower()):
            vector[zlib.crc32(word.encode()) % DIMENSIONS] += 1.0
        return vector

    def _get_text_embedding(self, text: str) -> list[float]:
        return self._vector(text)

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._vector(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._vector(query)


def pieces(text: str) -> list[str]:
    """`text` in the uneven pieces that a model streams; joined they are `text` again."""
    return re.findall(r"\s*\S{1,5}|\s+$", text)


class ScriptedLLM(CustomLLM):
    """Answers by `reply(prompt)`; `prompts` holds what it was asked.

    `fail_after` makes a stream raise after so many pieces (0: at once, also without streaming).
    """

    fail_after: int | None = None
    _reply: Callable[[str], str] = PrivateAttr()
    _prompts: list[str] = PrivateAttr(default_factory=list)

    def __init__(self, reply: str | Callable[[str], str] | Sequence[str], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._reply = _as_function(reply)

    @property
    def prompts(self) -> list[str]:
        return self._prompts

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(context_window=8000, num_output=200, model_name="scripted")

    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        self._prompts.append(prompt)
        if self.fail_after is not None:
            raise RuntimeError("the model is down")
        return CompletionResponse(text=self._reply(prompt))

    def stream_complete(
        self, prompt: str, formatted: bool = False, **kwargs: Any
    ) -> Generator[CompletionResponse, None, None]:
        self._prompts.append(prompt)
        return self._stream(self._reply(prompt))

    def _stream(self, text: str) -> Generator[CompletionResponse, None, None]:
        so_far = ""
        for number, piece in enumerate(pieces(text)):
            if number == self.fail_after:
                raise RuntimeError("the model is down")
            so_far += piece
            yield CompletionResponse(text=so_far, delta=piece)


def _as_function(reply: str | Callable[[str], str] | Sequence[str]) -> Callable[[str], str]:
    if isinstance(reply, str):
        return lambda prompt: reply
    if callable(reply):
        return reply
    replies = iter(reply)
    return lambda prompt: next(replies)


def call(name: str, **arguments: Any) -> ToolSelection:
    """A tool call of a scripted agent."""
    return ToolSelection(tool_id=f"call-{name}", tool_name=name, tool_kwargs=arguments)


class AgentLLM(FunctionCallingLLM):
    """Plays `turns` in order: a text is a message, a `ToolSelection` is a call of a tool."""

    _turns: list[str | ToolSelection] = PrivateAttr()

    def __init__(self, turns: Sequence[str | ToolSelection], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._turns = list(turns)

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(context_window=8000, num_output=200, is_chat_model=True, is_function_calling_model=True)

    def _prepare_chat_with_tools(self, tools: Any, **kwargs: Any) -> dict[str, Any]:
        return {"messages": kwargs.get("chat_history") or []}

    def get_tool_calls_from_response(self, response: ChatResponse, *_: Any, **__: Any) -> list[ToolSelection]:
        calls: list[ToolSelection] = response.message.additional_kwargs.get("calls", [])
        return calls

    def _next(self) -> ChatResponse:
        turn = self._turns.pop(0)
        if isinstance(turn, str):
            return ChatResponse(message=ChatMessage(role=MessageRole.ASSISTANT, content=turn), delta=turn)
        message = ChatMessage(role=MessageRole.ASSISTANT, content="", additional_kwargs={"calls": [turn]})
        return ChatResponse(message=message, delta="")

    def chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponse:
        return self._next()

    async def achat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponse:
        return self._next()

    def stream_chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> Generator[ChatResponse, None, None]:
        yield from self._parts(self._next())

    async def astream_chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> AsyncGenerator[ChatResponse, None]:
        whole = self._next()

        async def stream() -> AsyncGenerator[ChatResponse, None]:
            for part in self._parts(whole):
                yield part

        return stream()

    def _parts(self, whole: ChatResponse) -> Generator[ChatResponse, None, None]:
        text = whole.message.content or ""
        so_far = ""
        for piece in pieces(text):
            so_far += piece
            yield ChatResponse(message=ChatMessage(role=MessageRole.ASSISTANT, content=so_far), delta=piece)
        if not text:
            yield whole

    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        return CompletionResponse(text=self._next().message.content or "")

    def stream_complete(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError

    async def acomplete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        return self.complete(prompt)

    async def astream_complete(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError


GOOD = "The lighthouse at Brundy Head is painted white and red."
BAD = "The lighthouse at Brundy Head is painted white and green."
QUESTION = "How is the lighthouse at Brundy Head painted?"


def fact_index() -> VectorStoreIndex:
    """A vector index over the corpus."""
    return VectorStoreIndex(fact_nodes(), embed_model=WordEmbedding())


def engine(reply: str | Callable[[str], str] | Sequence[str] = GOOD, **options: Any) -> BaseQueryEngine:
    """A query engine over the corpus whose model answers `reply`; two nodes per question."""
    llm = options.pop("llm", None) or ScriptedLLM(reply)
    return fact_index().as_query_engine(llm=llm, similarity_top_k=options.pop("top_k", 2), **options)


def chat_engine(mode: str, reply: str | Callable[[str], str] | Sequence[str] = GOOD, **options: Any) -> BaseChatEngine:
    """A chat engine over the corpus; `mode` as in `as_chat_engine`."""
    llm = options.pop("llm", None) or ScriptedLLM(reply)
    options.setdefault("memory", ChatMemoryBuffer.from_defaults(token_limit=3000))
    return fact_index().as_chat_engine(chat_mode=ChatMode(mode), llm=llm, similarity_top_k=2, **options)


def retrieved_ids(question: str, top_k: int = 2) -> list[str]:
    """What the plain retriever returns for `question`."""
    return [node.node_id for node in fact_index().as_retriever(similarity_top_k=top_k).retrieve(question)]


def ids(record: RagAnswer | None) -> list[str]:
    """The document ids of a record."""
    assert record is not None
    return [document.id for document in record.documents]

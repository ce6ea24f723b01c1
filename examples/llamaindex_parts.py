"""Parts the LlamaIndex examples share, so that they run without a network or a key."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Generator, Sequence
from typing import Any

from llama_index.core import VectorStoreIndex
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.base.llms.types import ChatMessage, ChatResponse, CompletionResponse, LLMMetadata, MessageRole
from llama_index.core.llms import CustomLLM
from llama_index.core.llms.function_calling import FunctionCallingLLM
from llama_index.core.llms.llm import ToolSelection
from llama_index.core.schema import TextNode
from pydantic import PrivateAttr

from longtracer.engine.models import load_embedded

__all__ = ["LocalEmbedding", "ScriptedAgentLLM", "ScriptedLLM", "handbook_index"]


class LocalEmbedding(BaseEmbedding):
    """LlamaIndex embeddings from the sentence encoder that ships with this package (384 dimensions)."""

    _encoder: Any = PrivateAttr()

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._encoder = load_embedded().encoder

    def _get_text_embedding(self, text: str) -> list[float]:
        vector: list[float] = self._encoder.encode([text])[0].tolist()
        return vector

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)


class ScriptedLLM(CustomLLM):
    """Plays the given answers, one a call; streams them in pieces of a word."""

    _answers: list[str] = PrivateAttr()

    def __init__(self, *answers: str, **options: Any) -> None:
        super().__init__(**options)
        self._answers = list(answers)

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(context_window=4000, num_output=200, model_name="scripted")

    def complete(self, prompt: str, formatted: bool = False, **_: Any) -> CompletionResponse:
        return CompletionResponse(text=self._answers.pop(0))

    def stream_complete(
        self, prompt: str, formatted: bool = False, **_: Any
    ) -> Generator[CompletionResponse, None, None]:
        said = ""
        for piece in re.findall(r"\S+\s*", self._answers.pop(0)):
            said += piece
            yield CompletionResponse(text=said, delta=piece)


class ScriptedAgentLLM(FunctionCallingLLM):
    """Plays the turns of an agent: calls `tool` with a query, then gives `answer`."""

    _turns: list[ChatMessage] = PrivateAttr()

    def __init__(self, tool: str, query: str, answer: str, **options: Any) -> None:
        super().__init__(**options)
        calls = {"calls": [ToolSelection(tool_id="1", tool_name=tool, tool_kwargs={"input": query})]}
        self._turns = [
            ChatMessage(role=MessageRole.ASSISTANT, content="", additional_kwargs=calls),
            ChatMessage(role=MessageRole.ASSISTANT, content=answer),
        ]

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(context_window=4000, num_output=200, is_chat_model=True, is_function_calling_model=True)

    def _prepare_chat_with_tools(self, tools: Any, **options: Any) -> dict[str, Any]:
        return {"messages": options.get("chat_history") or []}

    def get_tool_calls_from_response(self, response: ChatResponse, *_: Any, **__: Any) -> list[ToolSelection]:
        calls: list[ToolSelection] = response.message.additional_kwargs.get("calls", [])
        return calls

    def chat(self, messages: Sequence[ChatMessage], **_: Any) -> ChatResponse:
        return ChatResponse(message=self._turns.pop(0))

    async def achat(self, messages: Sequence[ChatMessage], **_: Any) -> ChatResponse:
        return self.chat(messages)

    async def astream_chat(self, messages: Sequence[ChatMessage], **_: Any) -> AsyncGenerator[ChatResponse, None]:
        async def turn() -> AsyncGenerator[ChatResponse, None]:
            yield self.chat(messages)

        return turn()

    def complete(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError

    acomplete = stream_complete = astream_complete = stream_chat = complete


def handbook_index() -> VectorStoreIndex:
    """The index of these examples: three facts from an employees' handbook."""
    nodes = [
        TextNode(id_="leave", text="Employees have 28 days of leave a year. Unused days expire at the end of March."),
        TextNode(id_="travel", text="Train journeys under four hours are booked in second class."),
        TextNode(id_="keys", text="Lost keys are reported to the front desk within one day."),
    ]
    return VectorStoreIndex(nodes, embed_model=LocalEmbedding())

"""The handler for async code."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from langchain_core.callbacks import AsyncCallbackHandler
from langchain_core.outputs import LLMResult

from longtracer_integrations.records import RagAnswer

from .handler_base import HandlerBase
from .recorder import partial_text
from .run_tree import RunKind

__all__ = ["AsyncLongTracerCallbackHandler"]


class AsyncLongTracerCallbackHandler(HandlerBase, AsyncCallbackHandler):
    """As `LongTracerCallbackHandler`, awaiting the check; `on_result` may be a coroutine function.

    Works in sync calls too. `raise_error` has no effect there: LangChain drops what async handlers raise then.
    """

    async def on_chain_start(self, serialized: dict[str, Any], inputs: Any, *, run_id: UUID, **kwargs: Any) -> None:
        await self._begin("chain", run_id, inputs, kwargs)

    async def on_llm_start(
        self, serialized: dict[str, Any], prompts: list[str], *, run_id: UUID, **kwargs: Any
    ) -> None:
        await self._begin("llm", run_id, prompts[0] if prompts else None, kwargs)

    async def on_chat_model_start(
        self, serialized: dict[str, Any], messages: list[list[Any]], *, run_id: UUID, **kwargs: Any
    ) -> None:
        await self._begin("llm", run_id, messages[0] if messages else None, kwargs)

    async def on_retriever_start(self, serialized: dict[str, Any], query: str, *, run_id: UUID, **kwargs: Any) -> None:
        await self._begin("retriever", run_id, query, kwargs)

    async def on_tool_start(self, serialized: dict[str, Any], input_str: str, *, run_id: UUID, **kwargs: Any) -> None:
        kwargs["name"] = kwargs.get("name") or (serialized or {}).get("name")
        await self._begin("tool", run_id, input_str, kwargs)

    async def on_chain_end(self, outputs: Any, *, run_id: UUID, inputs: Any = None, **kwargs: Any) -> None:
        await self._finish(self.recorder.ended(run_id, outputs, streamed_inputs=inputs))

    async def on_llm_end(self, response: LLMResult, *, run_id: UUID, **kwargs: Any) -> None:
        await self._finish(self.recorder.ended(run_id, response))

    async def on_retriever_end(self, documents: Any, *, run_id: UUID, **kwargs: Any) -> None:
        await self._finish(self.recorder.ended(run_id, documents))

    async def on_tool_end(self, output: Any, *, run_id: UUID, **kwargs: Any) -> None:
        await self._finish(self.recorder.ended(run_id, output))

    async def on_chain_error(self, error: BaseException, *, run_id: UUID, inputs: Any = None, **kwargs: Any) -> None:
        await self._finish(self.recorder.failed(run_id, error, streamed_inputs=inputs))

    async def on_llm_error(self, error: BaseException, *, run_id: UUID, **kwargs: Any) -> None:
        await self._finish(self.recorder.failed(run_id, error, partial=partial_text(kwargs.get("response"))))

    async def on_retriever_error(self, error: BaseException, *, run_id: UUID, **kwargs: Any) -> None:
        await self._finish(self.recorder.failed(run_id, error))

    async def on_tool_error(self, error: BaseException, *, run_id: UUID, **kwargs: Any) -> None:
        await self._finish(self.recorder.failed(run_id, error))

    async def _begin(self, kind: RunKind, run_id: UUID, inputs: Any, more: dict[str, Any]) -> None:
        given_up = self.recorder.started(
            kind,
            run_id,
            more.get("parent_run_id"),
            inputs=inputs,
            name=more.get("name"),
            metadata=more.get("metadata"),
        )
        for record in given_up:
            await self._finish(record)

    async def _finish(self, record: RagAnswer | None) -> None:
        if record is not None:
            await self._observer.finish_async(record)

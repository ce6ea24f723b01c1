"""The handler for sync and async code."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.outputs import LLMResult

from longtracer_integrations.records import RagAnswer

from .handler_base import HandlerBase
from .recorder import partial_text

__all__ = ["LongTracerCallbackHandler"]


class LongTracerCallbackHandler(HandlerBase, BaseCallbackHandler):
    """Watches pipelines and checks their answers, without changing what they return.

    Pass it with a call, `chain.invoke(q, config={"callbacks": [handler]})`, or bind it with `with_config`. Under
    `ainvoke` LangChain runs it in a worker thread. When it is made to run on the event loop itself (`run_inline`), or
    with `background=True`, checks happen in threads of the handler: `wait()` or `aclose()` wait for them.
    """

    def on_chain_start(
        self,
        serialized: dict[str, Any],
        inputs: Any,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        metadata: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        self._begin("chain", run_id, parent_run_id, inputs, metadata, kwargs)

    def on_llm_start(
        self,
        serialized: dict[str, Any],
        prompts: list[str],
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        metadata: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        self._begin("llm", run_id, parent_run_id, prompts[0] if prompts else None, metadata, kwargs)

    def on_chat_model_start(
        self,
        serialized: dict[str, Any],
        messages: list[list[Any]],
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        metadata: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        self._begin("llm", run_id, parent_run_id, messages[0] if messages else None, metadata, kwargs)

    def on_retriever_start(
        self,
        serialized: dict[str, Any],
        query: str,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        metadata: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        self._begin("retriever", run_id, parent_run_id, query, metadata, kwargs)

    def on_tool_start(
        self,
        serialized: dict[str, Any],
        input_str: str,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        metadata: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        self._begin("tool", run_id, parent_run_id, input_str, metadata, kwargs | {"name": _name(serialized, kwargs)})

    def on_chain_end(self, outputs: Any, *, run_id: UUID, inputs: Any = None, **kwargs: Any) -> None:
        self._finish(self._recorder.ended(run_id, outputs, streamed_inputs=inputs))

    def on_llm_end(self, response: LLMResult, *, run_id: UUID, **kwargs: Any) -> None:
        self._finish(self._recorder.ended(run_id, response))

    def on_retriever_end(self, documents: Any, *, run_id: UUID, **kwargs: Any) -> None:
        self._finish(self._recorder.ended(run_id, documents))

    def on_tool_end(self, output: Any, *, run_id: UUID, **kwargs: Any) -> None:
        self._finish(self._recorder.ended(run_id, output))

    def on_chain_error(self, error: BaseException, *, run_id: UUID, inputs: Any = None, **kwargs: Any) -> None:
        self._finish(self._recorder.failed(run_id, error, streamed_inputs=inputs))

    def on_llm_error(self, error: BaseException, *, run_id: UUID, **kwargs: Any) -> None:
        self._finish(self._recorder.failed(run_id, error, partial=partial_text(kwargs.get("response"))))

    def on_retriever_error(self, error: BaseException, *, run_id: UUID, **kwargs: Any) -> None:
        self._finish(self._recorder.failed(run_id, error))

    def on_tool_error(self, error: BaseException, *, run_id: UUID, **kwargs: Any) -> None:
        self._finish(self._recorder.failed(run_id, error))

    def _begin(
        self,
        kind: Any,
        run_id: UUID,
        parent_run_id: UUID | None,
        inputs: Any,
        metadata: dict[str, Any] | None,
        more: dict[str, Any],
    ) -> None:
        self._finish_all(
            self._recorder.started(kind, run_id, parent_run_id, inputs=inputs, name=more.get("name"), metadata=metadata)
        )

    def _finish(self, record: RagAnswer | None) -> None:
        if record is not None:
            self._finish_all([record])

    def _finish_all(self, records: Iterable[RagAnswer]) -> None:
        for record in records:
            # On the loop's own thread a check would stop every other task; in a sync call that happens to be made
            # there (a notebook) the caller waits anyway, and wants the record when the call returns.
            behind = True if self.run_inline and _on_event_loop() else None
            self._observer.finish(record, background=behind)


def _on_event_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _name(serialized: dict[str, Any] | None, kwargs: dict[str, Any]) -> Any:
    return kwargs.get("name") or (serialized or {}).get("name")

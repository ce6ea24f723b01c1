"""Passes LangChain's callback events to a recorder, in sync code and wherever LangChain runs sync handlers."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.outputs import LLMResult

from longtracer_integrations.records import RagAnswer

from .recorder import Recorder, partial_text
from .run_tree import RunKind

__all__ = ["RecordingHandler"]


class RecordingHandler(BaseCallbackHandler):
    """A handler whose events go to `recorder`, and whose records go to `receive`."""

    recorder: Recorder

    @abstractmethod
    def receive(self, record: RagAnswer) -> None:
        """Take the record of a request that has ended."""

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
        self._pass_on(self.recorder.ended(run_id, outputs, streamed_inputs=inputs))

    def on_llm_end(self, response: LLMResult, *, run_id: UUID, **kwargs: Any) -> None:
        self._pass_on(self.recorder.ended(run_id, response))

    def on_retriever_end(self, documents: Any, *, run_id: UUID, **kwargs: Any) -> None:
        self._pass_on(self.recorder.ended(run_id, documents))

    def on_tool_end(self, output: Any, *, run_id: UUID, **kwargs: Any) -> None:
        self._pass_on(self.recorder.ended(run_id, output))

    def on_chain_error(self, error: BaseException, *, run_id: UUID, inputs: Any = None, **kwargs: Any) -> None:
        self._pass_on(self.recorder.failed(run_id, error, streamed_inputs=inputs))

    def on_llm_error(self, error: BaseException, *, run_id: UUID, **kwargs: Any) -> None:
        self._pass_on(self.recorder.failed(run_id, error, partial=partial_text(kwargs.get("response"))))

    def on_retriever_error(self, error: BaseException, *, run_id: UUID, **kwargs: Any) -> None:
        self._pass_on(self.recorder.failed(run_id, error))

    def on_tool_error(self, error: BaseException, *, run_id: UUID, **kwargs: Any) -> None:
        self._pass_on(self.recorder.failed(run_id, error))

    def _begin(
        self,
        kind: RunKind,
        run_id: UUID,
        parent_run_id: UUID | None,
        inputs: Any,
        metadata: dict[str, Any] | None,
        more: dict[str, Any],
    ) -> None:
        given_up = self.recorder.started(
            kind, run_id, parent_run_id, inputs=inputs, name=more.get("name"), metadata=metadata
        )
        for record in given_up:
            self.receive(record)

    def _pass_on(self, record: RagAnswer | None) -> None:
        if record is not None:
            self.receive(record)


def _name(serialized: dict[str, Any] | None, kwargs: dict[str, Any]) -> Any:
    return kwargs.get("name") or (serialized or {}).get("name")

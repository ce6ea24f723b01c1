"""What the guards for chains share: their options, and how they are made into a core."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any

from langchain_core.runnables import RunnableConfig, RunnableSerializable
from pydantic import ConfigDict, Field, PrivateAttr

from longtracer_integrations.check import GroundingCheck, Verifier
from longtracer_integrations.guard import GuardCore, StreamMode
from longtracer_integrations.policy import GuardrailPolicy

from .capture_options import CaptureOptions

__all__ = ["GuardBase"]


class GuardBase(RunnableSerializable[Any, Any]):
    """A runnable that guards answers.

    Args:
        policy: what to do with an answer that fails, or cannot be checked; by default both are blocked.
        verifier: checks the answers; by default the process's shared one with the embedded models.
        timeout: seconds for one check.
        detect_conflicts: also look for documents that disagree.
        stream_mode: "buffer" holds the whole answer until it is checked, "sentence" each sentence.
        answer_key, context_key, question_key, id_key: keys, if they are not the usual ones.
        history: count earlier turns of the user and of tools as evidence.
        check_options: more keyword arguments of `verify_case`, such as `check_citations`.

    Raises:
        InvalidInputError: for an unusable option.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    policy: Any = None
    verifier: Any = Field(default=None, exclude=True)
    timeout: float | None = None
    detect_conflicts: bool = False
    stream_mode: StreamMode = "buffer"
    answer_key: str | None = None
    context_key: str | None = None
    question_key: str | None = None
    id_key: str | None = None
    history: bool = False
    check_options: Mapping[str, Any] | None = None

    _core: GuardCore = PrivateAttr()
    _options: CaptureOptions = PrivateAttr()

    def __init__(
        self,
        policy: GuardrailPolicy | None = None,
        *,
        verifier: Verifier | None = None,
        timeout: float | None = None,
        detect_conflicts: bool = False,
        stream_mode: StreamMode = "buffer",
        answer_key: str | None = None,
        context_key: str | None = None,
        question_key: str | None = None,
        id_key: str | None = None,
        history: bool = False,
        check_options: Mapping[str, Any] | None = None,
        **more: Any,
    ) -> None:
        check = GroundingCheck(verifier, timeout=timeout, detect_conflicts=detect_conflicts, options=check_options)
        core = GuardCore(check, policy, stream_mode=stream_mode)
        options = CaptureOptions(
            answer_key=answer_key, context_key=context_key, question_key=question_key, id_key=id_key, history=history
        )
        fields: dict[str, Any] = {
            "policy": core.policy,
            "verifier": verifier,
            "timeout": timeout,
            "detect_conflicts": detect_conflicts,
            "stream_mode": stream_mode,
            "answer_key": answer_key,
            "context_key": context_key,
            "question_key": question_key,
            "id_key": id_key,
            "history": history,
            "check_options": check_options,
        }
        super().__init__(**fields, **more)
        self._core = core
        self._options = options

    def invoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        """Guard one answer."""
        return self._call_with_config(self._call, input, config, **kwargs)

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        """As `invoke`, without blocking the event loop."""
        return await self._acall_with_config(self._acall, input, config, **kwargs)

    def stream(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Iterator[Any]:
        """Guard one answer in a stream: documents and the question at once, answer text after its check."""
        yield from self.transform(iter([input]), config, **kwargs)

    async def astream(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> AsyncIterator[Any]:
        """As `stream`, without blocking the event loop."""

        async def only() -> AsyncIterator[Any]:
            yield input

        async for chunk in self.atransform(only(), config, **kwargs):
            yield chunk

    def transform(self, input: Iterator[Any], config: RunnableConfig | None = None, **kwargs: Any) -> Iterator[Any]:
        """As `stream`, for an input that arrives in chunks."""
        yield from self._transform_stream_with_config(input, self._call_stream, config, **kwargs)

    async def atransform(
        self, input: AsyncIterator[Any], config: RunnableConfig | None = None, **kwargs: Any
    ) -> AsyncIterator[Any]:
        """As `transform`, without blocking the event loop."""
        async for chunk in self._atransform_stream_with_config(input, self._acall_stream, config, **kwargs):
            yield chunk

    # What a guard does inside its run; LangChain hands over `run_manager` and `config` where they are asked for.

    @abstractmethod
    def _call(self, *args: Any, **kwargs: Any) -> Any: ...

    @abstractmethod
    async def _acall(self, *args: Any, **kwargs: Any) -> Any: ...

    @abstractmethod
    def _call_stream(self, *args: Any, **kwargs: Any) -> Iterator[Any]: ...

    @abstractmethod
    def _acall_stream(self, *args: Any, **kwargs: Any) -> AsyncIterator[Any]: ...

"""A chat engine whose answers are checked before anybody sees them, and whose history holds what was seen."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Generator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from llama_index.core.base.llms.types import ChatMessage, ChatResponse, MessageRole
from llama_index.core.base.response.schema import Response
from llama_index.core.chat_engine.types import (
    AGENT_CHAT_RESPONSE_TYPE,
    AgentChatResponse,
    BaseChatEngine,
    StreamingAgentChatResponse,
)
from llama_index.core.memory import BaseMemory
from llama_index.core.tools import ToolOutput
from llama_index_instrumentation import get_dispatcher
from llama_index_instrumentation.span_handlers.base import Thread

from longtracer_integrations.check import GroundingCheck, Verifier
from longtracer_integrations.draft import Draft
from longtracer_integrations.guard import GuardCore, StreamMode
from longtracer_integrations.outcome import GuardOutcome
from longtracer_integrations.policy import GuardrailPolicy

from .attach_result import with_case
from .chat_history import ShownHistory, evidence_turns
from .drafts import draft_here
from .guarded_stream import guarded_pieces, guarded_pieces_async
from .hub import hub_on_root
from .leftovers import Leftovers
from .results import is_response

__all__ = ["GuardedChatEngine", "GuardedStreamingChatResponse"]

dispatcher = get_dispatcher(__name__)


@dataclass
class GuardedStreamingChatResponse(StreamingAgentChatResponse):
    """A streaming chat response with a metadata field: `metadata["longtracer"]` is there after its end."""

    metadata: dict[str, Any] = field(default_factory=dict)


class GuardedChatEngine(BaseChatEngine):
    """Wraps a chat engine. What the user said in earlier turns counts as evidence, what the model said does not.

    After a block the history holds the block message, after a raise nothing of that turn.

    Args:
        chat_engine: the engine to guard; one whose history is a `BaseMemory`.
        policy, verifier, timeout, detect_conflicts, stream_mode: as for `GuardedQueryEngine`.
        memory: the memory of an engine that does not keep it the way those of llama-index-core do.

    Raises:
        TypeError: when the engine's memory cannot be found.
        InvalidInputError: for an unusable option.
    """

    def __init__(
        self,
        chat_engine: BaseChatEngine,
        policy: GuardrailPolicy | None = None,
        *,
        verifier: Verifier | None = None,
        timeout: float | None = None,
        detect_conflicts: bool = False,
        stream_mode: StreamMode = "buffer",
        memory: BaseMemory | None = None,
    ) -> None:
        found = memory if memory is not None else getattr(chat_engine, "_memory", None)
        if not isinstance(found, BaseMemory):
            raise TypeError(f"pass the memory of {type(chat_engine).__name__} as memory=, so that it can be kept right")
        self._engine = chat_engine
        self._memory = found
        self._history = ShownHistory(found)
        check = GroundingCheck(verifier, timeout=timeout, detect_conflicts=detect_conflicts)
        self._guard = GuardCore(check, policy, stream_mode=stream_mode)
        self._hub = hub_on_root(lambda hub: hub.serve_guard(self))

    @property
    def chat_history(self) -> list[ChatMessage]:
        """The conversation as the user saw it."""
        return self._engine.chat_history

    def reset(self) -> None:
        """Forget the conversation."""
        self._engine.reset()

    # Whole answers -------------------------------------------------------------------------------------------

    def chat(self, message: str, chat_history: list[ChatMessage] | None = None) -> AGENT_CHAT_RESPONSE_TYPE:
        """Answer `message`.

        Raises:
            GroundingBlocked: when the policy says "raise".
        """
        earlier = evidence_turns(chat_history if chat_history is not None else self._history.messages())
        response = self._engine.chat(message, chat_history)
        try:
            draft = draft_here(self._hub, response, question=message, history=earlier)
            outcome = self._guard.run(draft, lambda feedback: self.ask_again(message, feedback, earlier))
        except BaseException:
            self._history.withdraw(message)
            raise
        if _differs(outcome):
            self._history.show(message, outcome.text)
        return _chat_response(outcome)

    async def achat(self, message: str, chat_history: list[ChatMessage] | None = None) -> AGENT_CHAT_RESPONSE_TYPE:
        """As `chat`, without blocking the event loop."""
        earlier = evidence_turns(chat_history if chat_history is not None else await self._history.amessages())
        response = await self._engine.achat(message, chat_history)

        async def again(feedback: str) -> Draft:
            return await self.aask_again(message, feedback, earlier)

        try:
            draft = draft_here(self._hub, response, question=message, history=earlier)
            outcome = await self._guard.run_async(draft, again)
        except BaseException:
            await self._history.awithdraw(message)
            raise
        if _differs(outcome):
            await self._history.ashow(message, outcome.text)
        return _chat_response(outcome)

    @dispatcher.span
    def ask_again(self, message: str, feedback: str, earlier: Sequence[Any]) -> Draft:
        """A new draft from the engine, told what was wrong with the last one, which it forgets."""
        self._history.withdraw(message)
        response = self._engine.chat(f"{message}\n\n{feedback}")
        return draft_here(self._hub, response, question=message, history=earlier)

    @dispatcher.span
    async def aask_again(self, message: str, feedback: str, earlier: Sequence[Any]) -> Draft:
        """As `ask_again`, without blocking the event loop."""
        await self._history.awithdraw(message)
        response = await self._engine.achat(f"{message}\n\n{feedback}")
        return draft_here(self._hub, response, question=message, history=earlier)

    # Streams -------------------------------------------------------------------------------------------------

    def stream_chat(self, message: str, chat_history: list[ChatMessage] | None = None) -> StreamingAgentChatResponse:
        """Answer `message` as a stream; GroundingBlocked of a policy "raise" comes out of the stream."""
        earlier = evidence_turns(chat_history if chat_history is not None else self._history.messages())
        inner = self._engine.stream_chat(message, chat_history)
        seen = draft_here(self._hub, inner, question=message, text="", history=earlier)
        response = _streaming_response(inner)
        response.chat_stream = self._chat_stream(message, inner, seen, response.metadata)
        # As in llama-index-core, a thread reads the stream whether or not anybody reads the response.
        thread = Thread(target=_write, args=(response,))
        response.write_response_to_history_thread = thread
        thread.start()
        return response

    async def astream_chat(
        self, message: str, chat_history: list[ChatMessage] | None = None
    ) -> StreamingAgentChatResponse:
        """As `stream_chat`, without blocking the event loop."""
        earlier = evidence_turns(chat_history if chat_history is not None else await self._history.amessages())
        inner = await self._engine.astream_chat(message, chat_history)
        seen = draft_here(self._hub, inner, question=message, text="", history=earlier)
        response = _streaming_response(inner)
        response.achat_stream = self._achat_stream(message, inner, seen, response.metadata)
        response.awrite_response_to_history_task = asyncio.create_task(_awrite(response))
        return response

    def _chat_stream(
        self, message: str, inner: StreamingAgentChatResponse, seen: Draft, metadata: dict[str, Any]
    ) -> Generator[ChatResponse, None, None]:
        shown = ""
        try:
            for piece in guarded_pieces(
                self._guard,
                inner.response_gen,
                lambda text: replace(seen, answer=text),
                lambda case: metadata.update(with_case(None, case)),
                lambda feedback: self.ask_again(message, feedback, seen.history or ()),
            ):
                shown += piece
                yield _chat_piece(shown, piece)
        except BaseException:
            self._history.show(message, shown) if shown else self._history.withdraw(message)
            raise
        if shown.strip() != inner.response:
            self._history.show(message, shown.strip())

    async def _achat_stream(
        self, message: str, inner: StreamingAgentChatResponse, seen: Draft, metadata: dict[str, Any]
    ) -> AsyncGenerator[ChatResponse, None]:
        async def again(feedback: str) -> Draft:
            return await self.aask_again(message, feedback, seen.history or ())

        shown = ""
        try:
            async for piece in guarded_pieces_async(
                self._guard,
                inner.async_response_gen(),
                lambda text: replace(seen, answer=text),
                lambda case: metadata.update(with_case(None, case)),
                again,
            ):
                shown += piece
                yield _chat_piece(shown, piece)
        except BaseException:
            await (self._history.ashow(message, shown) if shown else self._history.awithdraw(message))
            raise
        if shown.strip() != inner.response:
            await self._history.ashow(message, shown.strip())


class _NoMemory:
    """Stands where the writer of a stream puts its message: the engine inside has written it, and we corrected it."""

    def put(self, message: ChatMessage) -> None:
        """Nothing to do."""

    async def aput(self, message: ChatMessage) -> None:
        """Nothing to do."""


def _write(response: GuardedStreamingChatResponse) -> None:
    try:
        response.write_response_to_history(_NoMemory())
    except Exception:  # noqa: BLE001 - kept in `response.exception`, which is raised to whoever reads the response
        return


async def _awrite(response: GuardedStreamingChatResponse) -> None:
    try:
        await response.awrite_response_to_history(_NoMemory())
    except Exception:  # noqa: BLE001 - as above
        return


def _streaming_response(inner: StreamingAgentChatResponse) -> GuardedStreamingChatResponse:
    nodes = inner.source_nodes or [node for each in inner.sources for node in _nodes_of(each)]
    return GuardedStreamingChatResponse(sources=inner.sources, source_nodes=nodes)


def _nodes_of(source: ToolOutput) -> list[Any]:
    return list(source.raw_output.source_nodes) if is_response(source.raw_output) else []


def _chat_piece(so_far: str, piece: str) -> ChatResponse:
    return ChatResponse(message=ChatMessage(role=MessageRole.ASSISTANT, content=so_far), delta=piece)


def _differs(outcome: GuardOutcome) -> bool:
    """Whether the engine's memory is not what the user saw."""
    return outcome.changed or outcome.retries > 0


def _chat_response(outcome: GuardOutcome) -> AgentChatResponse:
    response = outcome.draft.output
    leftovers = Leftovers(outcome)
    nodes = list(response.source_nodes)
    return AgentChatResponse(
        response=outcome.text,
        sources=[_source(each, outcome, leftovers) for each in response.sources],
        source_nodes=leftovers.nodes(nodes),
        metadata=leftovers.metadata(getattr(response, "metadata", None), nodes, outcome.case),
    )


def _source(source: ToolOutput, outcome: GuardOutcome, leftovers: Leftovers) -> ToolOutput:
    """A tool output that is the answer itself, or repeats it, must not give away what was blocked."""
    if not outcome.changed:
        return source
    raw = source.raw_output
    if not is_response(raw):
        guarded = leftovers.value(source, of_tools=True)
        assert isinstance(guarded, ToolOutput)
        return guarded
    nodes = list(raw.source_nodes)
    shown = Response(outcome.text, leftovers.nodes(nodes), leftovers.metadata(raw.metadata, nodes, outcome.case))
    asked = leftovers.value(source.raw_input)
    return ToolOutput(content=outcome.text, tool_name=source.tool_name, raw_input=asked, raw_output=shown)

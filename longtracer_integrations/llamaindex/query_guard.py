"""A query engine whose answers are checked before anybody sees them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.response.schema import (
    RESPONSE_TYPE,
    AsyncStreamingResponse,
    StreamingResponse,
)
from llama_index.core.callbacks import CallbackManager
from llama_index.core.prompts.mixin import PromptMixinType
from llama_index.core.schema import NodeWithScore, QueryBundle
from llama_index_instrumentation import get_dispatcher

from longtracer_integrations.check import GroundingCheck, Verifier
from longtracer_integrations.draft import Draft
from longtracer_integrations.guard import GuardCore, StreamMode
from longtracer_integrations.policy import GuardrailPolicy
from longtracer_integrations.streaming import DraftOf

from .drafts import draft_here, guarded_response
from .guarded_stream import guarded_pieces, guarded_pieces_async
from .hub import hub_on_root
from .leftovers import StreamLeftovers

__all__ = ["GuardedQueryEngine"]

dispatcher = get_dispatcher(__name__)


class GuardedQueryEngine(BaseQueryEngine):
    """Wraps any query engine; use it wherever that engine was used: alone, in a chat engine, in a tool.

    The response carries the result in `metadata["longtracer"]`; a streamed one after its end. Documents are the
    engine's source nodes, or, where it returns none, what retrievers returned inside it.

    Args:
        query_engine: the engine to guard.
        policy: what happens to answers that are not grounded; default: block, also what could not be checked.
        verifier: a `CitationVerifier`, or anything with its two methods; None: one that the process shares.
        timeout: seconds for one check.
        detect_conflicts: also look for documents that disagree.
        stream_mode: "buffer" holds a streamed answer until its verdict, "sentence" holds each sentence.

    Raises:
        InvalidInputError: for an unusable option.
    """

    def __init__(
        self,
        query_engine: BaseQueryEngine,
        policy: GuardrailPolicy | None = None,
        *,
        verifier: Verifier | None = None,
        timeout: float | None = None,
        detect_conflicts: bool = False,
        stream_mode: StreamMode = "buffer",
        callback_manager: CallbackManager | None = None,
    ) -> None:
        super().__init__(callback_manager or getattr(query_engine, "callback_manager", None))
        self._engine = query_engine
        check = GroundingCheck(verifier, timeout=timeout, detect_conflicts=detect_conflicts)
        self._guard = GuardCore(check, policy, stream_mode=stream_mode)
        self._hub = hub_on_root(lambda hub: hub.serve_guard(self))

    @property
    def query_engine(self) -> BaseQueryEngine:
        """The engine inside."""
        return self._engine

    def retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        """As the engine inside; nothing is generated, so nothing is checked."""
        return self._engine.retrieve(query_bundle)

    async def aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        """As the engine inside, where it has this."""
        nodes: list[NodeWithScore] = await self._engine.aretrieve(query_bundle)  # type: ignore[attr-defined]
        return nodes

    def _get_prompt_modules(self) -> PromptMixinType:
        return {"query_engine": self._engine}

    def _query(self, query_bundle: QueryBundle) -> RESPONSE_TYPE:
        response = self._engine.query(query_bundle)
        if isinstance(response, StreamingResponse):
            return self._streamed(query_bundle, response)
        draft = draft_here(self._hub, response, question=query_bundle.query_str)
        return guarded_response(self._guard.run(draft, lambda feedback: self.ask_again(query_bundle, feedback)))

    async def _aquery(self, query_bundle: QueryBundle) -> RESPONSE_TYPE:
        response = await self._engine.aquery(query_bundle)
        if isinstance(response, AsyncStreamingResponse):
            return self._streamed_async(query_bundle, response)
        if isinstance(response, StreamingResponse):
            return self._streamed(query_bundle, response)
        draft = draft_here(self._hub, response, question=query_bundle.query_str)

        async def again(feedback: str) -> Draft:
            return await self.aask_again(query_bundle, feedback)

        return guarded_response(await self._guard.run_async(draft, again))

    # Each in a span of its own: the documents of a new try are those that it retrieved.

    @dispatcher.span
    def ask_again(self, query_bundle: QueryBundle, feedback: str) -> Draft:
        """A new draft from the engine, told what was wrong with the last one."""
        response = _whole(self._engine.query(_with_feedback(query_bundle, feedback)))
        return draft_here(self._hub, response, question=query_bundle.query_str)

    @dispatcher.span
    async def aask_again(self, query_bundle: QueryBundle, feedback: str) -> Draft:
        """As `ask_again`, without blocking the event loop."""
        response: Any = await self._engine.aquery(_with_feedback(query_bundle, feedback))
        if isinstance(response, AsyncStreamingResponse):
            response = await response.get_response()
        return draft_here(self._hub, _whole(response), question=query_bundle.query_str)

    # Streams -------------------------------------------------------------------------------------------------

    def _streamed(self, query_bundle: QueryBundle, response: StreamingResponse) -> StreamingResponse:
        beside = StreamLeftovers(response.source_nodes, response.metadata)
        pieces = guarded_pieces(
            self._guard,
            response.response_gen,
            self._draft_of(query_bundle, response),
            beside.judged,
            lambda feedback: self.ask_again(query_bundle, feedback),
        )
        return StreamingResponse(pieces, beside.nodes, beside.metadata)

    def _streamed_async(self, query_bundle: QueryBundle, response: AsyncStreamingResponse) -> AsyncStreamingResponse:
        beside = StreamLeftovers(response.source_nodes, response.metadata)

        async def again(feedback: str) -> Draft:
            return await self.aask_again(query_bundle, feedback)

        pieces = guarded_pieces_async(
            self._guard,
            response.response_gen,
            self._draft_of(query_bundle, response),
            beside.judged,
            again,
        )
        return AsyncStreamingResponse(pieces, beside.nodes, beside.metadata)

    def _draft_of(self, query_bundle: QueryBundle, response: StreamingResponse | AsyncStreamingResponse) -> DraftOf:
        # The documents are looked up now: by the time the stream is read, the span that holds them is gone.
        seen = draft_here(self._hub, response, question=query_bundle.query_str, text="")
        return lambda text: replace(seen, answer=text)


def _with_feedback(query_bundle: QueryBundle, feedback: str) -> QueryBundle:
    """The question with the feedback behind it; what is embedded for retrieval stays the question alone."""
    return QueryBundle(
        query_str=f"{query_bundle.query_str}\n\n{feedback}",
        image_path=query_bundle.image_path,
        custom_embedding_strs=query_bundle.embedding_strs,
        embedding=query_bundle.embedding,
    )


def _whole(response: RESPONSE_TYPE) -> RESPONSE_TYPE:
    """A streamed answer read to its end; any other as it is."""
    return response.get_response() if isinstance(response, StreamingResponse) else response

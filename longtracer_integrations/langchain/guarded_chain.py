"""The guard around a chain: it runs the chain, captures its documents, and decides what of its answer leaves."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import aclosing, closing
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForChainRun, CallbackManagerForChainRun
from langchain_core.runnables import Runnable, RunnableConfig
from langchain_core.runnables.config import patch_config

from longtracer_integrations.draft import Draft
from longtracer_integrations.policy import GuardrailPolicy
from longtracer_integrations.steps import serve, serve_async

from .announce import announce, announce_async
from .answer import FoundAnswer
from .chunk_guard import ChunkGuard
from .chunks import added
from .document_capture import DocumentCapture
from .earlier_turns import earlier_turns, evidence_with
from .feedback import WithFeedback, with_feedback
from .graph_chunks import is_graph
from .guard_base import GuardBase
from .guard_draft import found_answer
from .guarded_outputs import guarded_output
from .question import read_question

__all__ = ["GuardedChain"]

_RunManager = CallbackManagerForChainRun | AsyncCallbackManagerForChainRun

# LangGraph shows the tokens of every model in a node, unless they carry this tag.
_NO_STREAM = "nostream"


class GuardedChain(GuardBase):
    """What `GroundingGuardrail.around(chain)` makes: a runnable with the chain's inputs and outputs.

    Its own run holds the chain's run. What the chain's models say on the way is still visible to callbacks and in
    `astream_events`; what this runnable returns or streams is not, before it was checked.

    Raises:
        GroundingBlocked: when it runs and the policy says "raise".
        InvalidInputError: for an unusable option; when it runs, for an output in which no answer can be found.
    """

    bound: Runnable[Any, Any]
    feedback: Any = None

    def __init__(
        self,
        policy: GuardrailPolicy | None = None,
        *,
        bound: Runnable[Any, Any],
        feedback: WithFeedback = None,
        **options: Any,
    ) -> None:
        super().__init__(policy, bound=bound, feedback=feedback, **options)

    def _call(self, value: Any, run_manager: CallbackManagerForChainRun, config: RunnableConfig, **kwargs: Any) -> Any:
        call = _Call(self, value, run_manager, config)

        def ask(given: Any) -> Any:
            return self.bound.invoke(given, call.child_config(), **kwargs)

        output = ask(value)
        found = found_answer(output, self._options, value)
        if found is None:
            return output
        outcome = self._core.run(
            call.draft(found.text or "", output), lambda feedback: call.new_draft(ask(call.asked_again(feedback)))
        )
        announce(outcome.case)
        return call.put_back(outcome)

    async def _acall(
        self, value: Any, run_manager: AsyncCallbackManagerForChainRun, config: RunnableConfig, **kwargs: Any
    ) -> Any:
        call = _Call(self, value, run_manager, config)

        async def ask(given: Any) -> Any:
            return await self.bound.ainvoke(given, call.child_config(), **kwargs)

        async def again(feedback: str) -> Draft:
            return call.new_draft(await ask(call.asked_again(feedback)))

        output = await ask(value)
        found = found_answer(output, self._options, value)
        if found is None:
            return output
        outcome = await self._core.run_async(call.draft(found.text or "", output), again)
        await announce_async(outcome.case)
        return call.put_back(outcome)

    def _call_stream(
        self, inputs: Iterator[Any], run_manager: CallbackManagerForChainRun, config: RunnableConfig, **kwargs: Any
    ) -> Iterator[Any]:
        value: Any = None
        for chunk in inputs:
            value = added(value, chunk)
        call = _Call(self, value, run_manager, config)
        guard = call.chunk_guard()

        def again(feedback: str) -> Draft:
            return call.new_draft(self.bound.invoke(call.asked_again(feedback), call.child_config(), **kwargs))

        # Closed here and now when the consumer leaves or the guard stops, so that the model stops as well.
        with closing(_generator(self.bound.stream(value, call.child_config(), **kwargs))) as chunks:
            for chunk in chunks:
                yield from serve(guard.feed(chunk), self._core.check)
                if guard.stopped:
                    break
        yield from serve(guard.finish(call.state(), can_retry=True), self._core.check, again)
        if guard.outcome is not None:
            announce(guard.outcome.case)

    async def _acall_stream(
        self,
        inputs: AsyncIterator[Any],
        run_manager: AsyncCallbackManagerForChainRun,
        config: RunnableConfig,
        **kwargs: Any,
    ) -> AsyncIterator[Any]:
        value: Any = None
        async for chunk in inputs:
            value = added(value, chunk)
        call = _Call(self, value, run_manager, config)
        guard = call.chunk_guard()

        async def again(feedback: str) -> Draft:
            return call.new_draft(await self.bound.ainvoke(call.asked_again(feedback), call.child_config(), **kwargs))

        async with aclosing(_async_generator(self.bound.astream(value, call.child_config(), **kwargs))) as chunks:
            async for chunk in chunks:
                async for released in serve_async(guard.feed(chunk), self._core.check):
                    yield released
                if guard.stopped:
                    break
        async for released in serve_async(guard.finish(call.state(), can_retry=True), self._core.check, again):
            yield released
        if guard.outcome is not None:
            await announce_async(guard.outcome.case)


class _Call:
    """One call of a guarded chain, with all its attempts; each attempt has a capture of its own."""

    def __init__(self, guard: GuardedChain, value: Any, run_manager: _RunManager, config: RunnableConfig) -> None:
        self._guard = guard
        self._value = value
        self._run_manager = run_manager
        self._config = config
        self.capture = self._new_capture()

    def child_config(self) -> RunnableConfig:
        """The configuration of the next attempt."""
        self.capture = self._new_capture()
        callbacks = self._run_manager.get_child()
        callbacks.add_handler(self.capture, inherit=True)
        callbacks.add_tags([_NO_STREAM], inherit=True)
        return patch_config(self._config, callbacks=callbacks)

    def chunk_guard(self) -> ChunkGuard:
        """The guard of a streamed call, before the chain runs."""
        guard = self._guard
        of_graph = is_graph(guard.bound)
        return ChunkGuard(guard._core, guard._options, self.draft, self._value, of_graph=of_graph)

    def state(self) -> Any:
        """The state in which a graph ended, which its stream shows in parts only; None for any other chain."""
        if not is_graph(self._guard.bound):
            return None  # the first run below this one may be that of a step
        state = self.capture.output
        if self.capture.interrupted:  # `invoke` returns it in the state
            return {**(state if isinstance(state, Mapping) else {}), "__interrupt__": True}
        return state

    def draft(self, answer: str, output: Any) -> Draft:
        """The draft of the current attempt."""
        options = self._guard._options
        history = earlier_turns(self._value, output) if options.history else ()
        return Draft(
            answer=answer,
            documents=evidence_with(self.capture.documents(output), history),
            question=read_question(self._value, question_key=options.question_key),
            history=history or None,
            output=output,
        )

    def new_draft(self, output: Any) -> Draft:
        """The draft of another attempt; one that ended without an answer is an empty one."""
        found = found_answer(output, self._guard._options, self._value)
        return self.draft((found.text if found else None) or "", output)

    def asked_again(self, feedback: str) -> Any:
        """The input of another attempt."""
        return with_feedback(self._value, feedback, self._guard.feedback)

    def put_back(self, outcome: Any) -> Any:
        """The guarded output."""
        output = outcome.draft.output
        found = found_answer(output, self._guard._options, self._value) or FoundAnswer()
        return guarded_output(output, found, outcome)

    def _new_capture(self) -> DocumentCapture:
        return DocumentCapture(self._run_manager.run_id, self._value, self._guard._options)


def _generator(chunks: Iterator[Any]) -> Any:
    """`chunks` with a `close`, which a runnable of the caller's own may lack."""
    if hasattr(chunks, "close"):
        return chunks
    return (chunk for chunk in chunks)


def _async_generator(chunks: AsyncIterator[Any]) -> Any:
    if hasattr(chunks, "aclose"):
        return chunks
    return (chunk async for chunk in chunks)

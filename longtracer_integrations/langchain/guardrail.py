"""The guard at the end of a chain that returns its documents beside its answer."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForChainRun, CallbackManagerForChainRun
from langchain_core.runnables import Runnable

from longtracer_integrations.draft import Draft
from longtracer_integrations.policy import GuardrailPolicy
from longtracer_integrations.steps import serve, serve_async

from .announce import announce, announce_async
from .chunk_guard import ChunkGuard
from .feedback import WithFeedback
from .guard_base import GuardBase
from .guard_draft import draft_of_output, found_answer
from .guarded_chain import GuardedChain
from .guarded_outputs import guarded_output

__all__ = ["GroundingGuardrail"]


class GroundingGuardrail(GuardBase):
    """`rag_chain | GroundingGuardrail(...)`: lets an answer out as the policy allows, with its `CaseResult`.

    The chain's output is a mapping with the answer and the documents; it gains the key `longtracer`. For a chain
    that returns only its answer, use `GroundingGuardrail.around(chain)`. A policy of "retry" needs `around` as well,
    since the end of a chain cannot run the chain again: here its fallback applies at once.

    Documents may be LangChain documents, mappings with text, or str. Without any, nothing can be checked and the
    policy for INDETERMINATE decides.

    Raises:
        GroundingBlocked: when it runs and the policy says "raise".
        InvalidInputError: for an unusable option; when it runs, for an output in which no answer can be found, so that
            nothing could be held back.
        TypeError: when it runs and what stands under the context key cannot be read as documents.
    """

    @classmethod
    def around(
        cls,
        chain: Runnable[Any, Any],
        policy: GuardrailPolicy | None = None,
        *,
        feedback: WithFeedback = None,
        **options: Any,
    ) -> GuardedChain:
        """Guard any chain: its documents are captured while it runs, and its output keeps its type.

        feedback: how a policy of "retry" asks again: `(input, feedback) -> input`, or the key of a mapping input that
            takes the feedback. Without it, the question or the messages of the input gain the feedback.
        options: as for the class itself.
        """
        return GuardedChain(policy, bound=chain, feedback=feedback, **options)

    def _call(self, output: Any) -> Any:
        found = found_answer(output, self._options)
        if found is None:
            return output
        outcome = self._core.run(self._draft(found.text or "", output))
        announce(outcome.case)
        return guarded_output(output, found, outcome)

    async def _acall(self, output: Any) -> Any:
        found = found_answer(output, self._options)
        if found is None:
            return output
        outcome = await self._core.run_async(self._draft(found.text or "", output))
        await announce_async(outcome.case)
        return guarded_output(output, found, outcome)

    def _call_stream(self, chunks: Iterator[Any], run_manager: CallbackManagerForChainRun) -> Iterator[Any]:
        guard = ChunkGuard(self._core, self._options, self._draft, knows_inputs=False)
        for chunk in chunks:
            yield from serve(guard.feed(chunk), self._core.check)
            if guard.stopped:
                break
        yield from serve(guard.finish(), self._core.check)
        if guard.outcome is not None:
            announce(guard.outcome.case)

    async def _acall_stream(
        self, chunks: AsyncIterator[Any], run_manager: AsyncCallbackManagerForChainRun
    ) -> AsyncIterator[Any]:
        guard = ChunkGuard(self._core, self._options, self._draft, knows_inputs=False)
        async for chunk in chunks:
            async for released in serve_async(guard.feed(chunk), self._core.check):
                yield released
            if guard.stopped:
                break
        async for released in serve_async(guard.finish(), self._core.check):
            yield released
        if guard.outcome is not None:
            await announce_async(guard.outcome.case)

    def _draft(self, answer: str, output: Any) -> Draft:
        return draft_of_output(answer, output, self._options)

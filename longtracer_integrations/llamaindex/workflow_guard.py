"""Checks the answers of agents and custom workflows, as one step of a workflow or around a whole run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from llama_index.core.agent.workflow import AgentOutput
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.base.response.schema import (
    AsyncStreamingResponse,
    PydanticResponse,
    Response,
    StreamingResponse,
)
from llama_index.core.memory import BaseMemory
from llama_index.core.workflow import Workflow
from llama_index_instrumentation import get_dispatcher
from llama_index_instrumentation.span import active_span_id

from longtracer_integrations.check import GroundingCheck, Verifier
from longtracer_integrations.documents import read_documents
from longtracer_integrations.draft import Draft
from longtracer_integrations.guard import GuardCore
from longtracer_integrations.outcome import GuardOutcome
from longtracer_integrations.policy import GuardrailPolicy
from longtracer_integrations.records import RetrievedDocument

from .attach_result import RESULT_KEY, with_case
from .chat_history import ShownHistory
from .drafts import guarded_response
from .hub import hub_on_root
from .leftovers import Leftovers
from .nodes import captured_below
from .results import final_value, is_response, read_for_guard
from .tool_outputs import tool_documents
from .trace import Span, SpanKind

__all__ = ["GroundingStep", "guard_agent_output"]

dispatcher = get_dispatcher(__name__)


class GroundingStep:
    """Checks answers inside a workflow.

    In a step: `StopEvent(result=await grounding.check(answer, question=...))`. Around an agent:
    `output = await grounding.run(agent, user_msg=...)`. What the agent streams meanwhile (`stream_events`) is not
    held back.

    Documents are, in this order: those that are passed; the response's source nodes; what retrievers and tools
    returned during the workflow run; the outputs of the tool calls that an `AgentOutput` lists.

    Args:
        policy, verifier, timeout, detect_conflicts: as for `GuardedQueryEngine`.

    Raises:
        InvalidInputError: for an unusable option.
    """

    def __init__(
        self,
        policy: GuardrailPolicy | None = None,
        *,
        verifier: Verifier | None = None,
        timeout: float | None = None,
        detect_conflicts: bool = False,
    ) -> None:
        check = GroundingCheck(verifier, timeout=timeout, detect_conflicts=detect_conflicts)
        self._guard = GuardCore(check, policy)
        self._hub = hub_on_root(lambda hub: hub.serve_guard(self))

    async def check(self, answer: Any, documents: object = None, *, question: str | None = None) -> Any:
        """Check `answer`: an `AgentOutput` comes back as one, anything else as a `Response`.

        The result is in the response's `metadata["longtracer"]`, or in the `additional_kwargs["longtracer"]` of an
        agent's message.

        Args:
            answer: a text, a response of any kind, an `AgentOutput`, or another result of a workflow.
            documents: nodes, documents or texts that it must follow from; None: what was captured.
            question: what the user asked.

        Raises:
            GroundingBlocked: when the policy says "raise".
            TypeError: for an answer or documents that cannot be read.
        """
        draft = await self._draft(answer, documents, question, self._run_scope())
        return _result(await self._guard.run_async(draft))

    @dispatcher.span
    async def run(self, workflow: Workflow, **arguments: Any) -> Any:
        """Run an agent or another workflow, and check its answer as `check` does.

        "retry" asks an agent again with the feedback behind its `user_msg`. The agent's memory is corrected where
        the user was shown something else than what it answered.

        Args:
            workflow: its result must be an answer that `check` takes.
            arguments: of `workflow.run`.

        Raises:
            GroundingBlocked: when the policy says "raise".
        """
        question = _question(arguments)
        handler = workflow.run(**arguments)
        draft = await self._draft(await handler, None, question, self._hub.find(active_span_id.get()))

        async def again(feedback: str) -> Draft:
            return await self.arun_again(workflow, arguments, feedback)

        can_retry = isinstance(arguments.get("user_msg"), str)
        memory = await _memory_of(handler)
        try:
            outcome = await self._guard.run_async(draft, again if can_retry else None)
        except BaseException:
            if memory is not None and question is not None:
                await memory.awithdraw(question)
            raise
        if memory is not None and question is not None and (outcome.changed or outcome.retries):
            await memory.ashow(question, outcome.text)
        return _result(outcome)

    @dispatcher.span
    async def arun_again(self, workflow: Workflow, arguments: dict[str, Any], feedback: str) -> Draft:
        """A new draft from an agent that is told what was wrong with its last answer."""
        question = _question(arguments)
        result = await workflow.run(**{**arguments, "user_msg": f"{question}\n\n{feedback}"})
        return await self._draft(result, None, question, self._hub.find(active_span_id.get()))

    def _run_scope(self) -> Span | None:
        """The workflow run around the step that is active now: an earlier step may have done the retrieval."""
        span = self._hub.find(active_span_id.get())
        around = () if span is None else (span, *span.ancestors())
        return next((each for each in around if each.kind is SpanKind.RUN), span)

    async def _draft(self, answer: object, documents: object, question: str | None, scope: Span | None) -> Draft:
        answer = await _whole(final_value(answer))
        result = read_for_guard(answer)
        if result is None:
            raise TypeError(f"{type(answer).__name__} is no answer that a guard can check")
        draft = Draft(answer=result.text or "", documents=None, question=question, output=answer)
        if documents is not None:
            return replace(draft, documents=read_documents(documents))
        captured = captured_below(scope, result.nodes)
        if captured.retrieved:
            return replace(draft, documents=captured.documents)
        return replace(draft, documents=_listed(answer))


async def guard_agent_output(
    output: AgentOutput,
    policy: GuardrailPolicy | None = None,
    *,
    documents: object = None,
    question: str | None = None,
    verifier: Verifier | None = None,
    timeout: float | None = None,
    detect_conflicts: bool = False,
) -> AgentOutput:
    """Check what an agent answered; `GroundingStep(...).check(...)` in one call.

    Raises:
        GroundingBlocked: when the policy says "raise".
    """
    guard = GroundingStep(policy, verifier=verifier, timeout=timeout, detect_conflicts=detect_conflicts)
    checked = await guard.check(output, documents, question=question)
    assert isinstance(checked, AgentOutput)
    return checked


def _question(arguments: dict[str, Any]) -> str | None:
    asked = arguments.get("user_msg")
    if isinstance(asked, ChatMessage):
        return asked.content
    return asked if isinstance(asked, str) else next((v for v in arguments.values() if isinstance(v, str)), None)


async def _memory_of(handler: Any) -> ShownHistory | None:
    """The memory of an agent's run; other workflows have none."""
    memory = await handler.ctx.store.get("memory", default=None)
    return ShownHistory(memory) if isinstance(memory, BaseMemory) else None


async def _whole(answer: object) -> object:
    if isinstance(answer, AsyncStreamingResponse):
        return await answer.get_response()
    return answer.get_response() if isinstance(answer, StreamingResponse) else answer


def _listed(answer: object) -> Sequence[RetrievedDocument] | None:
    return (tool_documents(answer) or None) if isinstance(answer, AgentOutput) else None


def _result(outcome: GuardOutcome) -> AgentOutput | Response | PydanticResponse:
    answer = outcome.draft.output
    if isinstance(answer, AgentOutput):
        kept = {**answer.response.additional_kwargs, RESULT_KEY: with_case(None, outcome.case)[RESULT_KEY]}
        message = answer.response.model_copy(update={"additional_kwargs": kept})
        if outcome.changed:
            message = ChatMessage(role=message.role, content=outcome.text, additional_kwargs=kept)
        return answer.model_copy(update={"response": message} | _beside(answer, Leftovers(outcome)))
    if is_response(answer):
        return guarded_response(outcome)
    return Response(outcome.text, [], with_case(None, outcome.case))


def _beside(output: AgentOutput, leftovers: Leftovers) -> dict[str, Any]:
    """The other fields of an agent's output; which ones there are depends on the version of LlamaIndex."""
    names = [name for name in ("structured_response", "raw", "tool_calls", "retry_messages") if hasattr(output, name)]
    return {name: leftovers.value(getattr(output, name), of_tools=name in ("raw", "tool_calls")) for name in names}

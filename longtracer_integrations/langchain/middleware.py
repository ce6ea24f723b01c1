"""The guard of an agent's final answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NotRequired

from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.runnables.config import var_child_runnable_config

from longtracer_integrations.check import GroundingCheck, Verifier
from longtracer_integrations.documents import read_documents
from longtracer_integrations.draft import Draft
from longtracer_integrations.guard import GuardCore, StreamMode
from longtracer_integrations.policy import GuardrailPolicy

try:
    from langchain.agents.middleware import AgentMiddleware, AgentState, ModelRequest, ModelResponse
except ImportError as error:
    raise ImportError(
        "GroundingMiddleware needs langchain: pip install 'longtracer-integrations[langchain]'"
    ) from error

from .agent_evidence import agent_documents, retriever_tool_names
from .agent_response import agent_answer, response_with, with_response_metadata
from .announce import announce, announce_async
from .capture_options import CaptureOptions, EvidenceKind
from .earlier_turns import earlier_turns, evidence_with
from .guarded_messages import METADATA_KEY
from .messages import last_question, this_turn

__all__ = ["GroundingMiddleware", "GroundingState"]

_NO_STREAM = "nostream"
_RETRIES_KEY = "longtracer_retries"

if TYPE_CHECKING:
    _Request = ModelRequest[Any]
    _Response = ModelResponse[Any]
    _Middleware = AgentMiddleware["GroundingState", Any, Any]
else:  # langchain 1.0 has fewer type parameters
    _Middleware = AgentMiddleware


class GroundingState(AgentState[Any]):
    """The state of a guarded agent: `longtracer` is the JSON form of the last answer's `CaseResult`."""

    longtracer: NotRequired[dict[str, Any]]


class GroundingMiddleware(_Middleware):
    """`create_agent(..., middleware=[GroundingMiddleware()])`: no final answer leaves before it was checked.

    Turns that call tools pass, with what the model says beside the call ("Let me look that up."): that is no answer. A
    final answer is checked against the documents of this turn: artifacts of tools, texts of retriever tools, and
    documents in the state under `context_key`. It keeps its message id; the case is in the message's
    `response_metadata` and in the state, both under `longtracer`. Tokens are not streamed: a consumer of any stream
    mode sees the released message only. (`astream_events` shows what callbacks see, also the tokens.)

    Args:
        policy: what to do with an answer that fails, or cannot be checked; by default both are blocked. "retry" calls
            the model again within the same turn, so that neither the failed answer nor the feedback enter the state.
        verifier, timeout, detect_conflicts, check_options: as for the other guards.
        evidence: add "tool" to count the text of every tool of this turn.
        documents: `(state) -> documents`, for agents whose documents are not in tools or state; None: no retrieval.
        history: count earlier turns of the user and of tools as evidence.
        answer_key: the field of a structured response that holds the answer.
        stream_mode: as for the other guards; an agent's answer is one message and always leaves whole.

    Raises:
        InvalidInputError: for an unusable option.
    """

    state_schema = GroundingState

    def __init__(
        self,
        policy: GuardrailPolicy | None = None,
        *,
        verifier: Verifier | None = None,
        timeout: float | None = None,
        detect_conflicts: bool = False,
        stream_mode: StreamMode = "buffer",
        evidence: Sequence[EvidenceKind] = ("retriever",),
        documents: Callable[[Mapping[str, Any]], object] | None = None,
        history: bool = False,
        answer_key: str | None = None,
        context_key: str | None = None,
        id_key: str | None = None,
        check_options: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__()
        check = GroundingCheck(verifier, timeout=timeout, detect_conflicts=detect_conflicts, options=check_options)
        self._core = GuardCore(check, policy, stream_mode=stream_mode)
        self._documents = documents
        self._options = CaptureOptions(
            answer_key=answer_key, context_key=context_key, id_key=id_key, evidence=evidence, history=history
        )

    def wrap_model_call(self, request: _Request, handler: Callable[[_Request], _Response]) -> Any:
        """Call the model, and guard its answer when it is a final one.

        Raises:
            GroundingBlocked: when the policy says "raise".
        """
        with _hidden_tokens():
            response = handler(request)
        if (draft := self._draft(request, response)) is None:
            return response

        def again(feedback: str) -> Draft:
            with _hidden_tokens():
                new = handler(_asked_again(request, draft.answer, feedback))
            return self._new_draft(request, new)

        try:
            outcome = self._core.run(draft, again, retries=_retries_of(request))
        except _CallsTools as turn:
            return with_response_metadata(turn.response, **{_RETRIES_KEY: _retries_of(request) + 1})
        announce(outcome.case)
        return response_with(outcome.draft.output, outcome, self._options.answer_key)

    async def awrap_model_call(self, request: _Request, handler: Callable[[_Request], Awaitable[_Response]]) -> Any:
        """As `wrap_model_call`, without blocking the event loop."""
        with _hidden_tokens():
            response = await handler(request)
        if (draft := self._draft(request, response)) is None:
            return response

        async def again(feedback: str) -> Draft:
            with _hidden_tokens():
                new = await handler(_asked_again(request, draft.answer, feedback))
            return self._new_draft(request, new)

        try:
            outcome = await self._core.run_async(draft, again, retries=_retries_of(request))
        except _CallsTools as turn:
            return with_response_metadata(turn.response, **{_RETRIES_KEY: _retries_of(request) + 1})
        await announce_async(outcome.case)
        return response_with(outcome.draft.output, outcome, self._options.answer_key)

    def after_model(self, state: GroundingState, runtime: Any) -> dict[str, Any] | None:
        """Put the case of a final answer into the state."""
        last = state["messages"][-1]
        case = last.response_metadata.get(METADATA_KEY) if isinstance(last, AIMessage) else None
        return None if case is None else {METADATA_KEY: case}

    async def aafter_model(self, state: GroundingState, runtime: Any) -> dict[str, Any] | None:
        """As `after_model`."""
        return self.after_model(state, runtime)

    def _draft(self, request: _Request, response: _Response) -> Draft | None:
        answer = agent_answer(response, self._options.answer_key)
        return None if answer is None else self._draft_of(request, response, answer.text)

    def _draft_of(self, request: _Request, response: _Response, text: str) -> Draft:
        if self._documents is not None:
            given = self._documents(request.state)
            documents = None if given is None else read_documents(given, id_key=self._options.id_key)
        else:
            names = retriever_tool_names(request.tools)
            documents = agent_documents(request.state, request.messages, names, self._options)
        history = earlier_turns(request.messages) if self._options.history else ()
        return Draft(
            answer=text,
            documents=evidence_with(documents, history),
            question=last_question(request.messages),
            history=history or None,
            output=response,
        )

    def _new_draft(self, request: _Request, response: _Response) -> Draft:
        draft = self._draft(request, response)
        if draft is None:
            raise _CallsTools(response)
        return draft


class _CallsTools(Exception):
    """The model, asked again, calls a tool first: the turn goes on."""

    def __init__(self, response: _Response) -> None:
        super().__init__("the model calls a tool")
        self.response = response


@contextmanager
def _hidden_tokens() -> Iterator[None]:
    """Keep the model's tokens out of LangGraph's streams, in the code below and in what it calls.

    By the tag that LangGraph looks for, in the configuration that is handed down: a copy of the model with that tag
    would not share the model's own state.
    """
    config = var_child_runnable_config.get() or {}
    token = var_child_runnable_config.set({**config, "tags": [*(config.get("tags") or []), _NO_STREAM]})
    try:
        yield
    finally:
        var_child_runnable_config.reset(token)


def _asked_again(request: _Request, answer: str, feedback: str) -> _Request:
    return request.override(messages=[*request.messages, AIMessage(answer), HumanMessage(feedback)])


def _retries_of(request: _Request) -> int:
    """How often the model was asked again in this turn already, before it called a tool."""
    counts = [
        message.response_metadata.get(_RETRIES_KEY, 0)
        for message in this_turn(request.messages)
        if isinstance(message, AIMessage)
    ]
    return max(counts, default=0)

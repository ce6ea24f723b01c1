"""Guards an answer in a LangGraph graph: a node, and a router for the edge behind it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from langchain_core.runnables import RunnableConfig, RunnableLambda
from typing_extensions import TypedDict  # LangGraph's own states are made with this one, and only alike ones mix

from longtracer import CaseResult, InvalidInputError, QualityGate
from longtracer_integrations.check import GroundingCheck, Verifier
from longtracer_integrations.guard import GuardCore
from longtracer_integrations.outcome import GuardOutcome, noted
from longtracer_integrations.policy import GuardrailPolicy

from .announce import announce, announce_async
from .answer import FoundAnswer
from .capture_options import CaptureOptions
from .guard_draft import draft_of_output, found_answer
from .guarded_messages import METADATA_KEY, case_json
from .guarded_outputs import guarded_output
from .state_reducers import only_appends

FEEDBACK_STATE_KEY = "longtracer_feedback"

__all__ = ["FEEDBACK_STATE_KEY", "GroundingGraphState", "grounding_node", "grounding_router"]


class GroundingGraphState(TypedDict, total=False):
    """Keys that a graph's state needs for `grounding_node`; let the state inherit from it.

    longtracer           JSON form of the answer's `CaseResult`; its metadata["guard"] tells action and retries
    longtracer_feedback  what to tell the model when the answer is to be made again, else None
    """

    longtracer: dict[str, Any]
    longtracer_feedback: str | None


def grounding_node(
    policy: GuardrailPolicy | None = None,
    *,
    verifier: Verifier | None = None,
    timeout: float | None = None,
    detect_conflicts: bool = False,
    answer_key: str | None = None,
    context_key: str | None = None,
    question_key: str | None = None,
    id_key: str | None = None,
    check_options: Mapping[str, Any] | None = None,
) -> RunnableLambda[Any, dict[str, Any]]:
    """A node that checks the answer in the state and follows `policy`, in sync and async graphs.

    With a policy of "retry", an answer that fails is left in the state and `longtracer_feedback` says what to tell
    the model: `grounding_router` then leads back. When the retries are used up, the fallback of the policy applies.

    An answer in `messages` is replaced under its id: the state needs LangGraph's `add_messages` there, as in
    `MessagesState`. Behind `operator.add` the blocked answer would stay beside its replacement.

    Raises:
        InvalidInputError: for an unusable option; when it runs, for a state without an answer, or whose messages only
            ever grow.
        GroundingBlocked: when it runs and the policy says "raise".
    """
    check = GroundingCheck(verifier, timeout=timeout, detect_conflicts=detect_conflicts, options=check_options)
    core = GuardCore(check, policy)
    options = CaptureOptions(answer_key=answer_key, context_key=context_key, question_key=question_key, id_key=id_key)

    def guard(state: Mapping[str, Any], config: RunnableConfig) -> dict[str, Any]:
        turn = _Turn(state, options, core.policy, config)
        case = core.check.run(turn.draft)
        update = turn.update(case)
        announce(case)
        return update

    async def aguard(state: Mapping[str, Any], config: RunnableConfig) -> dict[str, Any]:
        turn = _Turn(state, options, core.policy, config)
        case = await core.check.run_async(turn.draft)
        update = turn.update(case)
        await announce_async(case)
        return update

    return RunnableLambda(guard, afunc=aguard, name="grounding")


def grounding_router(
    *, again: str, done: str = "__end__", failed: str | None = None
) -> Callable[[Mapping[str, Any]], str]:
    """Where to go behind a `grounding_node`, for `add_conditional_edges`.

    again   the node that makes the answer; taken while the policy asks for another one
    done    the node for everything else (by default the end of the graph)
    failed  the node for an answer that did not pass, if it is another one than `done`
    """

    def route(state: Mapping[str, Any]) -> str:
        if state.get(FEEDBACK_STATE_KEY):
            return again
        case = state.get(METADATA_KEY)
        if case is None:
            raise InvalidInputError("grounding_router stands behind a grounding_node")
        passed = case["quality_gate"] == QualityGate.PASS.value
        return done if passed or failed is None else failed

    return route


class _Turn:
    """One pass through the node."""

    def __init__(
        self, state: Mapping[str, Any], options: CaptureOptions, policy: GuardrailPolicy, config: RunnableConfig
    ) -> None:
        found = found_answer(state, options)
        if found is None or found.key is None:
            raise InvalidInputError("the state holds no final answer for grounding_node")
        self._appended = {key for key, value in state.items() if isinstance(value, list) and only_appends(config, key)}
        if found.key in self._appended:
            raise InvalidInputError(
                f"the state's {found.key!r} only appends, so that an answer in it cannot be replaced; give it the "
                "reducer add_messages of langgraph.graph.message"
            )
        self._state = state
        self._found: FoundAnswer = found
        self._policy = policy
        self.draft = draft_of_output(found.text or "", state, options)

    def update(self, case: CaseResult) -> dict[str, Any]:
        """What changes in the state."""
        action, retries = self._policy.action_for(case), self._retries()
        if action == "retry" and retries < self._policy.max_retries:
            asked = noted(case, "retry", retries + 1)
            return {METADATA_KEY: case_json(asked), FEEDBACK_STATE_KEY: self._policy.feedback(case)}
        done = self._policy.apply(case, self.draft.answer, self.draft.documents or (), retried=True)
        outcome = GuardOutcome([done.text], done.action, noted(case, done.action, retries), self.draft, retries)
        update: dict[str, Any] = {METADATA_KEY: case_json(outcome.case)}
        if self._state.get(FEEDBACK_STATE_KEY) is not None:
            update[FEEDBACK_STATE_KEY] = None
        if outcome.changed:
            guarded = guarded_output(self._state, self._found, outcome)
            changed = {key for key, value in self._state.items() if guarded.get(key, value) is not value}
            update |= {key: guarded[key] for key in changed - update.keys() - self._appended}
        return update

    def _retries(self) -> int:
        """How often the answer was made again in this turn: counted on while the last pass asked for another one."""
        before = (self._state.get(METADATA_KEY) or {}).get("metadata", {}).get("guard", {})
        return int(before.get("retries", 0)) if before.get("action") == "retry" else 0

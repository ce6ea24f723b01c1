"""What the guards for chains share: their options, and how they are made into a core."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langchain_core.runnables import RunnableSerializable
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
        check_options: Mapping[str, Any] | None = None,
        **more: Any,
    ) -> None:
        check = GroundingCheck(verifier, timeout=timeout, detect_conflicts=detect_conflicts, options=check_options)
        core = GuardCore(check, policy, stream_mode=stream_mode)
        options = CaptureOptions(
            answer_key=answer_key, context_key=context_key, question_key=question_key, id_key=id_key
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
            "check_options": check_options,
        }
        super().__init__(**fields, **more)
        self._core = core
        self._options = options

"""What a guard does with an answer, by the gate of its case."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from longtracer import CaseResult, InvalidInputError, QualityGate

from .records import RetrievedDocument
from .redaction import redact

__all__ = ["GroundingBlocked", "GuardedAnswer", "GuardrailPolicy", "OnFail", "OnIndeterminate", "Replacement"]

Replacement = Callable[[CaseResult, str, Sequence[RetrievedDocument]], str]
"""Makes the text that takes the place of a failed answer: `(case, answer, documents) -> str`."""

OnFail = Literal["block", "annotate", "redact", "raise", "retry"]
OnIndeterminate = Literal["block", "annotate", "pass", "raise"]
Action = Literal["pass", "block", "annotate", "redact", "raise", "retry", "replace"]

_BLOCK_MESSAGE = "I cannot give this answer, because the documents at hand do not confirm it."
_ANNOTATION = "\n\n[Not confirmed by the documents at hand: {claims}]"
_UNCHECKED_ANNOTATION = "\n\n[This answer could not be checked against the documents.]"


class GroundingBlocked(Exception):
    """Raised by a guard whose policy is "raise"; `case` holds the result."""

    def __init__(self, case: CaseResult) -> None:
        super().__init__(f"answer stopped by the grounding guardrail ({case.quality_gate.value}): {case.summary}")
        self.case = case


@dataclass(frozen=True, slots=True)
class GuardedAnswer:
    """What a guard lets out: `text`, the action that was taken, and the case it follows from."""

    text: str
    action: Action
    case: CaseResult

    @property
    def changed(self) -> bool:
        """Whether the text is not the model's own."""
        return self.action != "pass"


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardrailPolicy:
    """What to do on FAIL and on INDETERMINATE; PASS always lets the answer out unchanged.

    on_fail            "block": the block message instead; "annotate": the answer with a note behind it; "redact":
                       the answer without its unsupported claims, by their offsets (the block message where there
                       are none to go by); "raise": `GroundingBlocked`; "retry": ask the chain again, at most
                       `max_retries` times, then `retry_fallback`; or a callable `(case, answer, documents) -> str`,
                       called once
    on_indeterminate   the same for an answer that could not be checked; None takes the action of `on_fail`
                       ("block" where that makes no sense: nothing is known to redact, replace or retry by).
                       "pass" fails open, visibly in the metadata
    block_message      may use `{summary}`
    annotation         may use `{summary}` and `{claims}`, the unsupported claims in quotes

    Raises:
        InvalidInputError: for an unknown action or an unusable number of retries, before any traffic.
    """

    on_fail: OnFail | Replacement = "block"
    on_indeterminate: OnIndeterminate | None = None
    block_message: str = _BLOCK_MESSAGE
    annotation: str = _ANNOTATION
    max_retries: int = 1
    retry_fallback: Literal["block", "annotate", "redact", "raise"] = "block"

    def __post_init__(self) -> None:
        if not callable(self.on_fail) and self.on_fail not in get_args(OnFail):
            raise InvalidInputError(f"on_fail must be one of {get_args(OnFail)} or a callable, not {self.on_fail!r}")
        if self.on_indeterminate is not None and self.on_indeterminate not in get_args(OnIndeterminate):
            raise InvalidInputError(
                f"on_indeterminate must be one of {get_args(OnIndeterminate)}, not {self.on_indeterminate!r}"
            )
        if self.retry_fallback not in ("block", "annotate", "redact", "raise"):
            raise InvalidInputError(f"retry_fallback must not be {self.retry_fallback!r}")
        whole = isinstance(self.max_retries, int) and not isinstance(self.max_retries, bool)
        if not whole or self.max_retries < 1:
            raise InvalidInputError(f"max_retries must be a whole number above zero, not {self.max_retries!r}")

    def action_for(self, case: CaseResult) -> Action:
        """The action that `case` calls for; "retry" means that the caller may ask again first."""
        if case.quality_gate is QualityGate.PASS:
            return "pass"
        if case.quality_gate is QualityGate.FAIL:
            return "replace" if callable(self.on_fail) else self.on_fail
        if self.on_indeterminate is not None:
            return self.on_indeterminate
        return self.on_fail if self.on_fail in ("block", "annotate", "raise") else "block"

    def apply(
        self, case: CaseResult, answer: str, documents: Sequence[RetrievedDocument] = (), *, retried: bool = False
    ) -> GuardedAnswer:
        """What to let out for `answer`. `retried`: "retry" is used up, its fallback applies.

        Raises:
            GroundingBlocked: when the action is "raise".
        """
        action = self.action_for(case)
        if action == "retry":
            action = self.retry_fallback if retried else "retry"
        if action == "raise":
            raise GroundingBlocked(case)
        return GuardedAnswer(self._text(action, case, answer, documents), action, case)

    def _text(self, action: Action, case: CaseResult, answer: str, documents: Sequence[RetrievedDocument]) -> str:
        if action == "annotate":
            return answer + self.note(case)
        if action == "redact":
            redacted = redact(answer, case)
            return self.blocked_text(case) if redacted is None else redacted
        if action == "replace" and callable(self.on_fail):
            return _text_of(self.on_fail(case, answer, documents))
        if action in ("pass", "retry"):
            return answer
        return self.blocked_text(case)

    def blocked_text(self, case: CaseResult) -> str:
        """The block message for `case`."""
        return _filled(self.block_message, case)

    def note(self, case: CaseResult) -> str:
        """What "annotate" appends to the answer of `case`."""
        if case.quality_gate is QualityGate.INDETERMINATE and self.annotation == _ANNOTATION:
            return _UNCHECKED_ANNOTATION
        return _filled(self.annotation, case)

    def feedback(self, case: CaseResult) -> str:
        """The message that names the unsupported claims to the model, for a retry."""
        return (
            "Your last answer contained statements that the documents do not support: "
            f"{_quoted_claims(case)}. Answer again, using only what the documents say; "
            "if they do not answer the question, say so."
        )


def _text_of(replacement: object) -> str:
    if not isinstance(replacement, str):
        raise TypeError(f"on_fail must return the replacement text, not {type(replacement).__name__}")
    return replacement


def _filled(template: str, case: CaseResult) -> str:
    # Not str.format: an answer's own braces must not be read as fields, and an unknown field must not raise.
    return template.replace("{summary}", case.summary).replace("{claims}", _quoted_claims(case))


def _quoted_claims(case: CaseResult) -> str:
    return "; ".join(f'"{claim.claim_text}"' for claim in case.unsupported_claims) or "the whole answer"

"""What a guard decided about one answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from longtracer import CaseResult

from .draft import Draft
from .policy import Action

__all__ = ["GuardOutcome", "noted"]


@dataclass(frozen=True, slots=True)
class GuardOutcome:
    """What was let out, why, and the draft it comes from.

    case     of the whole answer, or of the part where a stream was stopped; its metadata["guard"] tells the action
             and the retries
    pieces   the texts as they were let out, in order; `text` is all of them together
    """

    pieces: Sequence[str]
    action: Action
    case: CaseResult
    draft: Draft
    retries: int = 0

    @property
    def text(self) -> str:
        """All that was let out."""
        return "".join(self.pieces)

    @property
    def changed(self) -> bool:
        """Whether the text is not the model's own."""
        return self.text != self.draft.answer


def noted(case: CaseResult, action: Action, retries: int) -> CaseResult:
    """`case` with the guard's action in its metadata, so that a result that is passed on tells it."""
    return case.model_copy(update={"metadata": {**case.metadata, "guard": {"action": action, "retries": retries}}})

"""Makes a guard's result known to whoever follows its run: a custom event, and LangSmith."""

from __future__ import annotations

from langchain_core.callbacks import adispatch_custom_event, dispatch_custom_event

from longtracer import CaseResult

from .guarded_messages import case_json
from .langsmith import annotate_current_run

__all__ = ["CASE_EVENT", "announce", "announce_async"]

CASE_EVENT = "longtracer.case_result"


def announce(case: CaseResult) -> None:
    """Tell the handlers of the current run, and LangSmith when it traces it. To be called inside a run."""
    dispatch_custom_event(CASE_EVENT, case_json(case))
    annotate_current_run(case)


async def announce_async(case: CaseResult) -> None:
    """As `announce`, in an event loop."""
    await adispatch_custom_event(CASE_EVENT, case_json(case))
    annotate_current_run(case)

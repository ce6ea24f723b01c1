"""Tells LangSmith about a result: feedback for a watched run, metadata and feedback for a guard's own run."""

from __future__ import annotations

import logging
from typing import Any, Protocol
from uuid import UUID

from langchain_core.tracers.langchain import get_client
from langsmith import get_current_run_tree
from langsmith.utils import tracing_is_enabled

from longtracer import CaseResult, QualityGate
from longtracer_integrations.records import RagAnswer

__all__ = ["FEEDBACK_KEY", "FeedbackClient", "FeedbackSender", "annotate_current_run"]

logger = logging.getLogger("longtracer")

FEEDBACK_KEY = "longtracer"

_SCORES: dict[QualityGate, float | None] = {
    QualityGate.PASS: 1.0,
    QualityGate.FAIL: 0.0,
    # Not a zero: nothing was assessed, and an average must not count it.
    QualityGate.INDETERMINATE: None,
}


class FeedbackClient(Protocol):
    """What is needed of `langsmith.Client`."""

    @property
    def create_feedback(self) -> Any:
        """`create_feedback(run_id, key=..., score=..., value=..., comment=..., trace_id=...)`."""
        ...


class FeedbackSender:
    """Sends the gate of each finished record as feedback on its root run; nothing while tracing is off."""

    def __init__(self, client: FeedbackClient | None = None) -> None:
        self._client = client

    def send(self, record: RagAnswer) -> None:
        """Send feedback for `record`. May wait for the network; failures are logged."""
        if record.case is None:
            return
        try:
            client = self._client if self._client is not None else _default_client()
            if client is not None:
                _send(client, record.run_id, None, record.case)
        except Exception:
            logger.exception("no feedback could be sent to LangSmith for run %s", record.run_id)


def annotate_current_run(case: CaseResult) -> None:
    """Put `case` into the metadata of the LangSmith run we are in, and its gate into its feedback, when there is one.

    Failures are logged. The feedback is queued by the client, so that this does not wait for the network.
    """
    try:
        run = get_current_run_tree()
        if run is None:
            return
        run.add_metadata({FEEDBACK_KEY: case.model_dump(mode="json")})
        _send(run.client, run.id, run.trace_id, case)
    except Exception:
        logger.exception("LangSmith could not be told about a result")


def _default_client() -> FeedbackClient | None:
    return get_client() if tracing_is_enabled() is True else None


def _send(client: FeedbackClient, run_id: UUID | str, trace_id: UUID | str | None, case: CaseResult) -> None:
    client.create_feedback(
        run_id,
        key=FEEDBACK_KEY,
        score=_SCORES[case.quality_gate],
        value=case.quality_gate.value,
        comment=case.summary,
        trace_id=trace_id,
    )

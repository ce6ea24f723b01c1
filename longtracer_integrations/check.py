"""Runs the check of one answer; whatever goes wrong is a result of it."""

from __future__ import annotations

import asyncio
import inspect
import logging
import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Protocol

from longtracer import CaseResult, CitationVerifier
from longtracer.contracts import failed_case
from longtracer.engine import DeferredModels

from .documents import to_sources
from .records import RetrievedDocument

__all__ = ["GroundingCheck", "Verifier"]

logger = logging.getLogger("longtracer")


class Verifier(Protocol):
    """What an integration needs of a verifier: `CitationVerifier`, or anything with its two methods."""

    @property
    def verify_case(self) -> Callable[..., CaseResult]:
        """Check one answer: `(response, sources, source_metadata, *, timeout, detect_conflicts, ...)`."""
        ...

    @property
    def verify_case_async(self) -> Callable[..., Awaitable[CaseResult]]:
        """The same without blocking the event loop."""
        ...


class GroundingCheck:
    """A verifier with the options of one handler or guard.

    Without `verifier` it makes one of its own on first use, with models that load when something is scored.

    Raises:
        InvalidInputError: for an unusable timeout, before any traffic.
    """

    def __init__(
        self,
        verifier: Verifier | None = None,
        *,
        timeout: float | None = None,
        detect_conflicts: bool = False,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        from longtracer.engine.request import checked_timeout

        self._verifier = verifier
        self._lock = threading.Lock()
        self._options: dict[str, Any] = {
            "timeout": checked_timeout(timeout),
            "detect_conflicts": detect_conflicts,
            **(options or {}),
        }

    @property
    def verifier(self) -> Verifier:
        """The verifier in use."""
        with self._lock:
            if self._verifier is None:
                self._verifier = CitationVerifier(models=DeferredModels(), cache=True)
            return self._verifier

    def run(
        self,
        answer: str,
        documents: Sequence[RetrievedDocument],
        *,
        question: str | None = None,
        history: Sequence[Any] | None = None,
        case_id: str | None = None,
    ) -> CaseResult:
        """Check `answer` against `documents`; never raises."""
        texts, metadata = to_sources(documents)
        try:
            verifier = self.verifier
            options = self._call_options(verifier.verify_case, question, history, case_id)
            return _checked(verifier.verify_case(answer, texts, metadata, **options))
        except Exception as error:  # noqa: BLE001 - an observer never breaks the app; a guard follows its policy
            return _failed(error, case_id)

    async def run_async(
        self,
        answer: str,
        documents: Sequence[RetrievedDocument],
        *,
        question: str | None = None,
        history: Sequence[Any] | None = None,
        case_id: str | None = None,
    ) -> CaseResult:
        """As `run`, without blocking the event loop; only cancellation of the task passes through."""
        texts, metadata = to_sources(documents)
        try:
            verifier = self.verifier
            method = getattr(verifier, "verify_case_async", None)
            if method is None:
                return await asyncio.to_thread(
                    self.run, answer, documents, question=question, history=history, case_id=case_id
                )
            options = self._call_options(method, question, history, case_id)
            return _checked(await method(answer, texts, metadata, **options))
        except Exception as error:  # noqa: BLE001 - as above
            return _failed(error, case_id)

    def _call_options(
        self, method: Any, question: str | None, history: Sequence[Any] | None, case_id: str | None
    ) -> dict[str, Any]:
        """The options, with those extras that this verifier knows."""
        options = dict(self._options)
        extras = {"question": question, "history": history, "case_id": case_id}
        parameters = inspect.signature(method).parameters
        takes_all = any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters.values())
        options.update(
            {name: value for name, value in extras.items() if value is not None and (takes_all or name in parameters)}
        )
        return options


def _checked(case: object) -> CaseResult:
    if not isinstance(case, CaseResult):
        raise TypeError(f"the verifier returned {type(case).__name__}, not a CaseResult")
    return case


def _failed(error: Exception, case_id: str | None) -> CaseResult:
    logger.warning("the grounding check failed: %s: %s", type(error).__name__, error, exc_info=error)
    return failed_case(error, case_id=case_id)

"""Runs the check of one draft; whatever goes wrong is a result of it."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import CancelledError
from typing import Any, Protocol

from longtracer import CaseResult
from longtracer.contracts import cancelled_case, failed_case, skipped_case
from longtracer.engine.request import checked_timeout
from longtracer.kept_verifiers import kept_verifier

from .documents import to_sources
from .draft import Draft

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

    Without `verifier` the process's shared one is used, whose models load when something is scored. `options` are
    further keyword arguments of `verify_case`, such as `check_citations`.

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
        self._verifier = verifier
        self._options: dict[str, Any] = {
            "timeout": checked_timeout(timeout),
            "detect_conflicts": detect_conflicts,
            **(options or {}),
        }

    @property
    def verifier(self) -> Verifier:
        """The verifier in use."""
        return self._verifier if self._verifier is not None else kept_verifier(cache=True)

    def run(self, draft: Draft, *, case_id: str | None = None) -> CaseResult:
        """Check `draft`; never raises. Without documents (None) nothing is checked and the case is SKIPPED."""
        if draft.documents is None:
            return _nothing_captured(case_id)
        try:
            method = self.verifier.verify_case
            return _checked(method(*_arguments(draft), **self._call_options(method, draft, case_id)))
        except Exception as error:  # noqa: BLE001 - an observer never breaks the app; a guard follows its policy
            return _failed(error, case_id)

    async def run_async(self, draft: Draft, *, case_id: str | None = None) -> CaseResult:
        """As `run`, without blocking the event loop; only cancellation of the task passes through."""
        if draft.documents is None:
            return _nothing_captured(case_id)
        try:
            method = getattr(self.verifier, "verify_case_async", None)
            if method is None:  # a verifier of the caller's own that is sync only
                return await asyncio.to_thread(self.run, draft, case_id=case_id)
            return _checked(await method(*_arguments(draft), **self._call_options(method, draft, case_id)))
        except Exception as error:  # noqa: BLE001 - as above
            return _failed(error, case_id)

    def _call_options(self, method: Any, draft: Draft, case_id: str | None) -> dict[str, Any]:
        """The options and what is known of the draft, as far as this verifier takes them.

        An option that was asked for is passed in any case: a verifier that does not know it must not ignore it.
        """
        parameters = inspect.signature(method).parameters
        takes_all = any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters.values())
        extras = {"question": draft.question, "history": draft.history, "case_id": case_id}
        known = {name: value for name, value in extras.items() if value is not None}
        asked_for = {name: value for name, value in self._options.items() if value not in (None, False)}
        return asked_for | {
            name: value for name, value in (self._options | known).items() if takes_all or name in parameters
        }


def _arguments(draft: Draft) -> tuple[str, list[str], list[dict[str, Any]]]:
    return draft.answer, *to_sources(draft.documents or ())


def _checked(case: object) -> CaseResult:
    if not isinstance(case, CaseResult):
        raise TypeError(f"the verifier returned {type(case).__name__}, not a CaseResult")
    return case


def _nothing_captured(case_id: str | None) -> CaseResult:
    return skipped_case("no documents were captured, so there was nothing to check the answer against", case_id=case_id)


def _failed(error: Exception, case_id: str | None) -> CaseResult:
    if isinstance(error, CancelledError):
        return cancelled_case(case_id=case_id)
    logger.warning("the grounding check failed: %s: %s", type(error).__name__, error, exc_info=error)
    return failed_case(error, case_id=case_id)

"""One-line checks on verifiers that are kept between calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .contracts import (
    CaseResult,
    EvaluatorError,
    VerificationResult,
    failed_case,
)
from .kept_verifiers import kept_verifier

__all__ = ["check", "check_batch", "check_case"]

_Texts = Sequence[str | None]
_Metadata = Sequence[Mapping[str, Any] | None] | None


def check_case(
    response: str,
    sources: _Texts,
    source_metadata: _Metadata = None,
    *,
    case_id: str | None = None,
    timeout: float | None = None,
    detect_conflicts: bool = False,
    check_citations: bool = False,
    question: str | None = None,
    history: Sequence[Any] | None = None,
    **verifier_options: Any,
) -> CaseResult:
    """Check one response; loading the models is part of it, so a missing model is reported and not raised.

    `verifier_options` are the arguments of `CitationVerifier`. Equal options share one verifier, and so its models.
    The other arguments are those of `CitationVerifier.verify_case`.

    Raises:
        InvalidInputError: for a timeout that is not a finite number above zero.
        TypeError: for a verifier option that does not exist.
    """
    try:
        verifier = kept_verifier(**verifier_options)
    except EvaluatorError as error:
        return failed_case(error, case_id=case_id if isinstance(case_id, str) else None)
    return verifier.verify_case(
        response,
        sources,
        source_metadata,
        case_id=case_id,
        timeout=timeout,
        detect_conflicts=detect_conflicts,
        check_citations=check_citations,
        question=question,
        history=history,
    )


def check(
    response: str, sources: _Texts, source_metadata: _Metadata = None, **verifier_options: Any
) -> VerificationResult:
    """The legacy result of one response.

    Raises:
        TypeError: for arguments of the wrong type.
        EvaluatorError: from the models, as they are (ModelUnavailableError when one is missing).
    """
    return kept_verifier(**verifier_options).verify_parallel(response, sources, source_metadata)


def check_batch(
    responses: Sequence[str],
    sources: Sequence[_Texts],
    source_metadata: Sequence[_Metadata] | None = None,
    **verifier_options: Any,
) -> list[VerificationResult]:
    """The legacy results of many responses, each with the sources of the same index.

    Raises:
        TypeError: for arguments of the wrong type.
        InvalidInputError: when the lists differ in length.
        EvaluatorError: from the models, as they are.
    """
    return kept_verifier(**verifier_options).verify_batch(responses, sources, source_metadata)

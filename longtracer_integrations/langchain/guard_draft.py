"""Reads the draft that a guard checks from the output of a pipeline."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import cache
from typing import Any

from longtracer import InvalidInputError
from longtracer_integrations.draft import Draft
from longtracer_integrations.records import RetrievedDocument

from .answer import FoundAnswer, find_answer
from .capture_options import CaptureOptions
from .earlier_turns import earlier_turns, evidence_with
from .keys import CONTEXT_KEYS
from .lists import context_of
from .question import read_question

__all__ = ["draft_of_output", "found_answer", "named_documents"]

logger = logging.getLogger("longtracer")


def found_answer(output: object, options: CaptureOptions, inputs: object = None) -> FoundAnswer | None:
    """Where the answer is; None when the output is not an answer yet (a tool call, an interruption).

    Raises:
        InvalidInputError: when no single answer can be found, so that nothing could be held back.
    """
    if options.answer_key is not None and isinstance(output, Mapping) and options.answer_key not in output:
        raise InvalidInputError(f"the output has no {options.answer_key!r}, only {sorted(map(str, output))}")
    found = find_answer(output, answer_key=options.answer_key, inputs=inputs, whole=True)
    if found.unfinished:
        return None
    if found.several:
        raise InvalidInputError(f"the output holds several texts ({', '.join(found.several)}); set answer_key=")
    if found.text is None:
        raise InvalidInputError(f"no answer was found in the output ({type(output).__name__}); set answer_key=")
    return found


def draft_of_output(answer: str, output: Any, options: CaptureOptions) -> Draft:
    """The draft of an output that names its documents itself.

    Raises:
        TypeError: as `named_documents`.
    """
    question = read_question(output, question_key=options.question_key) if isinstance(output, Mapping) else None
    history = earlier_turns(output) if options.history else ()
    documents = evidence_with(named_documents(output, options), history)
    return Draft(answer=answer, documents=documents, question=question, history=history or None, output=output)


def named_documents(output: object, options: CaptureOptions) -> tuple[RetrievedDocument, ...] | None:
    """The documents that an output names, None when it names none: `Document` objects, and anything with text that
    stands under `context_key`.

    Raises:
        TypeError: when what is under `context_key` cannot be read as documents.
    """
    found = context_of(output, context_key=options.context_key, id_key=options.id_key)
    if found is None and options.context_key is None and isinstance(output, Mapping):
        for key in CONTEXT_KEYS:
            if output.get(key):
                _warn_once(key)
                break
    return found


@cache
def _warn_once(key: str) -> None:
    logger.warning(
        "what stands under %r is no list of Documents, so that the model may have written it and it is no evidence; "
        "if your chain puts its documents there as texts, say so with context_key=%r (said once)",
        key,
        key,
    )

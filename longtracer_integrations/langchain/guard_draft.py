"""Reads the draft that a guard checks from the output of a pipeline."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from longtracer import InvalidInputError
from longtracer_integrations.documents import read_documents
from longtracer_integrations.draft import Draft
from longtracer_integrations.records import RetrievedDocument

from .answer import FoundAnswer, find_answer
from .capture_options import CaptureOptions
from .earlier_turns import earlier_turns, evidence_with
from .keys import CONTEXT_KEYS
from .lists import context_of
from .question import read_question

__all__ = ["draft_of_output", "found_answer", "named_documents"]


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
    """The documents that an output names: lists of documents, mappings or texts, or one text; None when it names none.

    Raises:
        TypeError: when what is under `context_key` cannot be read as documents.
    """
    found = context_of(output, context_key=options.context_key, id_key=options.id_key)
    if found is not None or not isinstance(output, Mapping) or options.context_key is not None:
        return found
    for key in CONTEXT_KEYS:
        read = None if key == "sources" else _read(output.get(key), options)  # "sources" often holds mere names
        if read is not None:
            return read
    return None


def _read(value: object, options: CaptureOptions) -> tuple[RetrievedDocument, ...] | None:
    if not isinstance(value, str | list | tuple):
        return None
    try:
        return read_documents(value, id_key=options.id_key)
    except TypeError:
        return None

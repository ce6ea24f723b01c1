"""Makes the record of a request from its runs, when its root has ended."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from longtracer_integrations.records import AnswerStatus, RagAnswer

from .answer import find_answer
from .capture_options import CaptureOptions
from .earlier_turns import brings_facts, earlier_turns
from .messages import last_question
from .question import read_question
from .run_tree import RunTree
from .seen_documents import seen_documents

__all__ = ["given_up", "record_of_end", "record_of_error"]


def record_of_end(
    tree: RunTree, output: object, options: CaptureOptions, *, streamed_inputs: object = None
) -> RagAnswer | None:
    """The record of a root that ended; None when it gave no answer (a retriever, a tool, a step of a hand-made loop).

    streamed_inputs: of a streamed root, which are known at its end only.
    """
    if tree.root.kind not in ("chain", "llm"):
        return None
    inputs = tree.inputs if streamed_inputs is None else streamed_inputs
    found = find_answer(output, answer_key=options.answer_key, inputs=inputs)
    if streamed_inputs is not None and (output is None or _was_left(tree)):
        return _record(tree, AnswerStatus.CLOSED_EARLY, output, inputs, options, partial=found.text)
    interrupted = any(run.interrupted for run in tree.runs.values())
    if interrupted or (found.unfinished and _is_graph(tree)):
        return _record(tree, AnswerStatus.INTERRUPTED, output, inputs, options)
    if found.several:
        several = f"the output holds several texts ({', '.join(found.several)}); choose one with answer_key="
        return _record(tree, AnswerStatus.AMBIGUOUS, output, inputs, options, error=several)
    if found.text is None:
        return None
    return _record(tree, AnswerStatus.OK, output, inputs, options, answer=found.text)


def record_of_error(
    tree: RunTree, error: BaseException, options: CaptureOptions, *, streamed_inputs: object = None
) -> RagAnswer | None:
    """The record of a root that raised, was cancelled, or whose stream was closed."""
    if tree.root.kind not in ("chain", "llm"):
        return None
    status = AnswerStatus.ERROR
    if isinstance(error, GeneratorExit):
        status = AnswerStatus.CLOSED_EARLY
    elif isinstance(error, asyncio.CancelledError):
        status = AnswerStatus.CANCELLED
    message = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    inputs = tree.inputs if streamed_inputs is None else streamed_inputs
    return _record(tree, status, None, inputs, options, error=message, partial=_partial_text(tree))


def given_up(tree: RunTree, options: CaptureOptions) -> RagAnswer | None:
    """The record of a request whose end was never seen."""
    if tree.root.kind not in ("chain", "llm"):
        return None
    error = "the end of this request was never seen"
    return _record(tree, AnswerStatus.CLOSED_EARLY, None, tree.inputs, options, error=error)


def _record(
    tree: RunTree,
    status: AnswerStatus,
    output: object,
    inputs: object,
    options: CaptureOptions,
    *,
    answer: str | None = None,
    error: str | None = None,
    partial: str | None = None,
) -> RagAnswer:
    documents = seen_documents(tree, output, options)
    history = earlier_turns(inputs, output) if options.history else ()
    if status is AnswerStatus.OK and not documents and not brings_facts(history):
        status = AnswerStatus.NO_RETRIEVAL if documents is None else AnswerStatus.NO_DOCUMENTS
    return RagAnswer(
        question=_question(inputs, output, options),
        answer=answer,
        documents=documents or (),
        status=status,
        run_id=str(tree.root.run_id),
        error=error,
        partial=partial,
        history=history,
    )


def _question(inputs: object, output: object, options: CaptureOptions) -> str | None:
    found = read_question(inputs, question_key=options.question_key)
    if found is None and isinstance(output, Mapping) and isinstance(messages := output.get("messages"), list):
        return last_question(messages)  # a run that resumes has a command for its input
    return found


def _was_left(tree: RunTree) -> bool:
    """Whether nobody read the stream to its end.

    In sync code the root of such a stream ends like any other; only the runs below it were cut off. In async code it
    raises, so that open runs below a root that ended are none of its own: a model stream that the chain itself left,
    a task that goes on.
    """
    return not tree.root.is_async and tree.has_open_runs


def _is_graph(tree: RunTree) -> bool:
    return any(run.node is not None for run in tree.runs.values())


def _partial_text(tree: RunTree) -> str | None:
    texts: list[Any] = [run.text for run in tree.runs.values() if run.kind == "llm" and run.failed and run.text]
    return texts[-1] if texts else None

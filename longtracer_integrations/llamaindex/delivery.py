"""Gives finished answers to whoever wants records: checked once, recorded by all."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from longtracer import CaseResult
from longtracer_integrations.observer import Observer
from longtracer_integrations.policy import GroundingBlocked
from longtracer_integrations.records import AnswerStatus, RagAnswer

from .attach_result import attach_case, attached_case
from .chat_history import ShownHistory, earlier_turns, evidence_turns
from .ended import Ended, is_cancellation

__all__ = ["Delivery", "Recipient", "logged"]

logger = logging.getLogger("longtracer")


class Recipient(Protocol):
    """Something with an observer of its own."""

    @property
    def observer(self) -> Observer:
        """What finishes and keeps its records."""
        ...


@dataclass(eq=False, slots=True)
class _Pending:
    """An answer whose check is under way in an event loop. `settled`: its record is made, or somebody else makes it."""

    ended: Ended
    recipients: tuple[Recipient, ...]
    settled: bool = False

    def completed(self, record: RagAnswer) -> None:
        """The check is done."""
        self.settled = True
        attach_case(self.ended.response, record.case)


class Delivery:
    """Delivers answers, at once in a call that blocks anyway, behind the event loop's back otherwise."""

    def __init__(self) -> None:
        self._tasks: dict[asyncio.Task[None], _Pending] = {}

    def answered(self, ended: Ended, recipients: tuple[Recipient, ...]) -> None:
        """Check `ended` as the last of `recipients` does, and give the record to all of them."""
        if not recipients:
            return
        if ended.asked.blocking or not _in_event_loop():
            _deliver(ended, recipients)
            return
        pending = _Pending(ended, recipients)
        task = asyncio.get_running_loop().create_task(_deliver_async(pending))
        self._tasks[task] = pending
        task.add_done_callback(lambda done: self._tasks.pop(done, None))

    async def answered_async(self, ended: Ended, recipients: tuple[Recipient, ...]) -> None:
        """As `answered`, awaiting the check."""
        if recipients:
            await _deliver_async(_Pending(ended, recipients))

    async def wait_async(self) -> None:
        """Wait for the checks that are under way in this event loop."""
        loop = asyncio.get_running_loop()
        tasks = [task for task in tuple(self._tasks) if task.get_loop() is loop]
        if tasks:
            await asyncio.wait(tasks)

    def settle(self) -> None:
        """Finish the checks of this thread's event loop, and of loops that have stopped, right here."""
        for task, pending in tuple(self._tasks.items()):
            loop = task.get_loop()
            if pending.settled or (loop.is_running() and loop is not _running_loop()):
                continue
            pending.settled = True
            _deliver(pending.ended, pending.recipients)
            if not loop.is_closed():
                task.cancel()


def logged(action: Callable[[], None], about: str) -> None:
    """Run `action`; what it raises is logged, and goes no further."""
    try:
        action()
    except BaseException:
        logger.exception("the LlamaIndex handler failed at %s", about)


def _in_event_loop() -> bool:
    return _running_loop() is not None


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


async def _deliver_async(pending: _Pending) -> None:
    ended, recipients = pending.ended, pending.recipients
    newest, others = recipients[-1], recipients[:-1]
    try:
        record, known = _record(ended), _known_case(ended)
        if known is None:
            history = await _history_async(ended)
            finished = await newest.observer.finish_async(record, history=history, completed=pending.completed)
        else:
            finished, others = replace(record, case=known), recipients
        if finished is not None:
            for recipient in others:
                await recipient.observer.receive_async(finished, report=_reports(recipient, recipients))
    except asyncio.CancelledError:
        if not pending.settled:
            # The loop is being shut down; the answer was given all the same, so that its record is due.
            newest.observer.finish(_record(ended), background=True, completed=_hand_on(ended, recipients))
        raise
    except BaseException:
        logger.exception("the record of run %s could not be finished", ended.asked.run_id)


def _deliver(ended: Ended, recipients: tuple[Recipient, ...]) -> None:
    try:
        record, known = _record(ended), _known_case(ended)
        if known is None:
            newest = recipients[-1].observer
            newest.finish(record, history=_history(ended), completed=_hand_on(ended, recipients))
            return
        for recipient in recipients:
            recipient.observer.receive(replace(record, case=known), report=_reports(recipient, recipients))
    except BaseException:
        logger.exception("the record of run %s could not be finished", ended.asked.run_id)


def _history(ended: Ended) -> list[tuple[str, str]] | None:
    """The earlier turns of a chat; a memory that cannot be read has none."""
    asked = ended.asked
    if asked.history is not None:
        return evidence_turns(asked.history)
    if asked.memory is None or ended.error is not None:
        return None
    try:
        return earlier_turns(ShownHistory(asked.memory).messages(), asked.question)
    except Exception:
        logger.exception("the memory of run %s could not be read", asked.run_id)
        return None


async def _history_async(ended: Ended) -> list[tuple[str, str]] | None:
    asked = ended.asked
    if asked.history is not None or asked.memory is None or ended.error is not None:
        return _history(ended)
    try:
        return earlier_turns(await ShownHistory(asked.memory).amessages(), asked.question)
    except Exception:
        logger.exception("the memory of run %s could not be read", asked.run_id)
        return None


def _hand_on(ended: Ended, recipients: tuple[Recipient, ...]) -> Callable[[RagAnswer], None]:
    """Attach the case, and pass the record on to all recipients but the newest, which has made it."""

    def completed(record: RagAnswer) -> None:
        attach_case(ended.response, record.case)
        for recipient in recipients[:-1]:
            recipient.observer.receive(record, report=_reports(recipient, recipients))

    return completed


def _reports(recipient: Recipient, recipients: tuple[Recipient, ...]) -> bool:
    """Whether `recipient` calls its `on_result`: the same function given to two recipients is called once."""
    newer = recipients[recipients.index(recipient) + 1 :]
    return all(each.observer.on_result != recipient.observer.on_result for each in newer)


def _known_case(ended: Ended) -> CaseResult | None:
    """The case of an answer that a guard has judged already: what it let out needs no second check."""
    if isinstance(ended.error, GroundingBlocked):
        return ended.error.case
    return attached_case(ended.response, ended.metadata, ended.answer)


def _record(ended: Ended) -> RagAnswer:
    return RagAnswer(
        question=ended.asked.question,
        answer=ended.answer,
        documents=ended.captured.documents,
        status=_status(ended),
        run_id=ended.asked.run_id,
        partial=ended.partial,
        error=None if ended.error is None else str(ended.error) or type(ended.error).__name__,
    )


def _status(ended: Ended) -> AnswerStatus:
    if ended.closed:
        return AnswerStatus.CLOSED_EARLY
    if ended.error is not None:
        return AnswerStatus.CANCELLED if is_cancellation(ended.error) else AnswerStatus.ERROR
    if ended.captured.documents:
        return AnswerStatus.OK
    return AnswerStatus.NO_DOCUMENTS if ended.captured.retrieved else AnswerStatus.NO_RETRIEVAL

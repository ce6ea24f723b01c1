"""A short answer as a statement, formed with the question it answers."""

from __future__ import annotations

from .fragments import is_fragment

__all__ = ["form_answer", "is_short_answer"]


def is_short_answer(text: str) -> bool:
    """Whether `text` says nothing without its question: no finite verb, at most eight words."""
    return len(text.split()) <= 8 and is_fragment(text)


def form_answer(question: str, answer: str) -> str:
    """The statement that `answer` makes as a reply to `question`."""
    return f"{question.strip()} {answer}"

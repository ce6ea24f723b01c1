"""Emphasis markers of Markdown: which `*`, `_` and `~~` are markup and which are text."""

from __future__ import annotations

from dataclasses import dataclass, field

from .spans import Span

__all__ = ["EmphasisRuns"]


@dataclass
class _Run:
    start: int
    end: int


@dataclass
class EmphasisRuns:
    """Collects delimiter runs of one text, in order; `dropped` then says which characters are markup.

    The flanking rules are those of CommonMark with two differences: between two digits or two spaces a run is
    text (`5*3*2`), and a `**` left over at the edge of a word is markup (a cut-off answer).
    """

    text: str
    _spans: list[Span] = field(default_factory=list)
    _open: dict[str, list[_Run]] = field(default_factory=lambda: {"*": [], "_": [], "~": []})
    _left: list[_Run] = field(default_factory=list)

    def add(self, start: int, end: int) -> None:
        """Take the run `text[start:end]` of one delimiter character into account."""
        opens, closes = self._flanking(start, end)
        run = _Run(start, end)
        stack = self._open[self.text[start]]
        while closes and stack and run.start < run.end:
            self._pair(stack, run)
        if run.start < run.end:
            if opens:
                stack.append(run)
            elif closes:
                self._left.append(run)

    def dropped(self) -> list[Span]:
        """The spans of markup, in no particular order."""
        loose = [run for stack in self._open.values() for run in stack] + self._left
        strong = (run for run in loose if run.end - run.start == 2 and self.text[run.start] == "*")
        return self._spans + [Span(run.start, run.end) for run in strong]

    def _pair(self, stack: list[_Run], closer: _Run) -> None:
        opener = stack[-1]
        if self.text[opener.start] == "~":
            # What is struck out is not said.
            self._spans.append(Span(stack.pop().start, closer.end))
            closer.start = closer.end
            return
        width = min(opener.end - opener.start, closer.end - closer.start)
        self._spans += [Span(opener.end - width, opener.end), Span(closer.start, closer.start + width)]
        opener.end -= width
        closer.start += width
        if opener.start == opener.end:
            stack.pop()

    def _flanking(self, start: int, end: int) -> tuple[bool, bool]:
        before = self.text[start - 1] if start else " "
        after = self.text[end] if end < len(self.text) else " "
        if before.isdigit() and after.isdigit():
            return False, False
        before_word, after_word = before.isalnum(), after.isalnum()
        left = not after.isspace() and (after_word or not before_word)
        right = not before.isspace() and (before_word or not after_word)
        if self.text[start] == "_":
            return left and not before_word, right and not after_word
        return left, right

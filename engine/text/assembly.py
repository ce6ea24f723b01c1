"""From the blocks of an answer to its claims and skipped spans."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, zip_longest

from .blocks import Block, BlockKind, parse_blocks
from .fragments import complete, is_fragment, is_heading_line, is_lead_in
from .framing import unframed
from .headings import is_statement_heading
from .markers import enumerator_length
from .model import Claim, ClaimKind, Segmentation, SkippedSpan, SkipReason
from .prose import Prose, Unit
from .references import is_reference, opens_references
from .refusals import fact_after_refusal, is_refusal, restored_fact
from .short_answers import answers_itself, form_answer, is_short_answer
from .smalltalk import announcement_length, is_smalltalk, question_turn, statement_in_question
from .tables import pipe_cells, row_text
from .thinking import mark_thinking, thinking_spans, without_thinking
from .tiling import tile
from .values import is_bare_number, is_value

__all__ = ["assemble"]

_WORD = re.compile(r"[^\W_]+(?:[.,'’:/-]?[^\W_]+)*")
_NO_SPACE_SCRIPT = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]{3}"
)
_LONGEST_SHORT_ANSWER = 4_000
"""Characters; a longer response is no short answer, and its claims stand without the question."""
_LONGEST_QUESTION = 400
_COLON = re.compile(r"\s*[:：]$")
_NOTE_LABEL = re.compile(r"\[\^?[\w-]{1,12}\]:\s+(?=\S)")
_ONLY_URL = re.compile(r"[\W_]*(?:(?:https?://|www\.)\S+[\W_]*)+$")


def assemble(response: str, question: str | None, max_claims: int | None) -> Segmentation:
    """Claims and skipped spans of `response`; see `split_claims`."""
    thought = thinking_spans(response)
    said = without_thinking(response, thought)
    asked = question.strip() if question and len(said.strip()) <= _LONGEST_SHORT_ANSWER else ""
    assembler = _Assembler(said, asked or None)
    blocks = parse_blocks(said)
    for block, following in zip_longest(blocks, blocks[1:]):
        if block is not None:
            assembler.add(block, following)
    return mark_thinking(tile(said, _limited(assembler.entries, max_claims)), thought)


def _limited(entries: list[Claim | SkippedSpan], max_claims: int | None) -> Iterator[Claim | SkippedSpan]:
    count = 0
    for entry in entries:
        count += isinstance(entry, Claim)
        if isinstance(entry, Claim) and max_claims is not None and count > max_claims:
            yield SkippedSpan(entry.start, entry.end, SkipReason.LIMIT)
        else:
            yield entry


class _Assembler:
    """Takes blocks in order and keeps what later text needs: lead-ins of open lists, a title "Sources", a question."""

    def __init__(self, response: str, question: str | None) -> None:
        self.response = response
        self.question = question
        self.entries: list[Claim | SkippedSpan] = []
        self.lead_ins: dict[int, str] = {}
        self.in_references = False
        self.opening = self.next_opening = ""
        self.asked = ""
        self.announced = False
        self.is_one_word = len(tuple(islice(_WORD.finditer(response), 2))) < 2

    def add(self, block: Block, following: Block | None) -> None:
        """Turn one block into entries; `following` is the block after it."""
        start, end = block.pieces[0].start, block.pieces[-1].end
        if block.kind not in (BlockKind.HEADING, BlockKind.PARAGRAPH):
            self.asked = ""
        match block.kind:
            case BlockKind.CODE:
                self._skip(start, end, SkipReason.CODE)
            case BlockKind.TABLE_HEADER:
                self._skip(start, end, SkipReason.TABLE_HEADER)
            case BlockKind.RULE:
                self._skip(start, end, SkipReason.MARKUP)
            case BlockKind.TABLE_ROW:
                self._add_row(block)
            case BlockKind.HEADING:
                self._add_heading(block, following)
            case BlockKind.PARAGRAPH:
                self._add_prose(block, following)

    def _skip(self, start: int, end: int, reason: SkipReason) -> None:
        if start < end:
            self.entries.append(SkippedSpan(start, end, reason))

    def _claim(self, unit: Unit, kind: ClaimKind, model_text: str) -> None:
        self.entries.append(Claim(unit.text, unit.start, unit.end, kind, model_text, unit.citations))

    def _add_heading(self, block: Block, following: Block | None) -> None:
        start, end = block.pieces[0].start, block.pieces[-1].end
        text = self.response[start:end]
        if is_statement_heading(text):
            self._add_prose(block, following)
            return
        self.in_references = opens_references(text)
        self.asked = _question(Prose(self.response, block).read(0, end - start))
        while block.marked and start and self.response[start - 1] in "# \t":
            start -= 1
        self._skip(start, end, SkipReason.HEADING)

    def _add_row(self, block: Block) -> None:
        prose = Prose(self.response, block)
        self._add_row_unit(prose.unit(0, len(prose.flat.text)), row_text(block.header, block.cells))

    def _add_row_unit(self, unit: Unit, text: str) -> None:
        if self._is_too_short(text):
            self._skip(unit.start, unit.end, SkipReason.TOO_SHORT)
        else:
            self._claim(unit, ClaimKind.TABLE_ROW, text)

    def _add_prose(self, block: Block, following: Block | None) -> None:
        prose = Prose(self.response, block)
        self.lead_ins = {depth: lead for depth, lead in self.lead_ins.items() if depth < block.depth}
        self.opening, self.next_opening = self.next_opening, ""
        units = prose.units()
        for unit, later in zip_longest(units, units[1:]):
            if unit is not None:
                self._add_unit(prose, unit, block, followed=later is not None or following is not None)
        last = units[-1].model_text if units else ""
        if following is not None and last.endswith((":", "：")):
            if following.depth > block.depth:
                self.lead_ins[block.depth] = last
            elif is_lead_in(last):
                self.next_opening = last

    def _add_unit(self, prose: Prose, unit: Unit, block: Block, *, followed: bool) -> None:
        """Cut off what only leads to a statement, then judge what is left."""
        if cells := pipe_cells(unit.text):
            self._add_row_unit(unit, row_text((), cells))
            return
        start, end = unit.span
        self.announced = False
        for length, reason in _prefixes(prose.flat.text, start, end):
            self._skip(*prose.flat.origin(start, start + length), reason)
            start += length
            self.announced = reason is SkipReason.NOT_A_CLAIM
        sentence = prose.flat.text[start:end]
        refused = fact_after_refusal(sentence)
        if turn := refused or question_turn(sentence):
            self._judge(prose.unit(start, start + turn.start), block, followed=True)
            self._skip(*prose.flat.origin(start + turn.start, start + turn.end), SkipReason.CONNECTIVE)
            start += turn.end
        last = unit if start == unit.span.start else prose.unit(start, end)
        if refused:
            last = replace(last, model_text=restored_fact(sentence, refused, last.model_text))
        self._judge(last, block, followed)

    def _judge(self, unit: Unit, block: Block, followed: bool) -> None:
        if not _WORD.search(unit.model_text):
            return
        reason = self._skip_reason(unit, block, followed)
        if reason is None:
            self._claim_unit(unit, block)
        else:
            self._skip(unit.start, unit.end, reason)
        self.asked = _question(unit.model_text) if reason is SkipReason.NOT_A_CLAIM else ""

    def _skip_reason(self, unit: Unit, block: Block, followed: bool) -> SkipReason | None:
        text = unit.model_text
        if _ONLY_URL.match(text):
            return SkipReason.URL
        if is_reference(unit.text, in_list=self.in_references, listed=block.item is not None):
            return SkipReason.CITATION
        if is_refusal(text):
            return None
        if is_smalltalk(text):
            return SkipReason.NOT_A_CLAIM
        if followed and (is_heading_line(unit.text) or is_lead_in(text) or opens_references(text)):
            self.in_references = opens_references(text)
            return SkipReason.LEAD_IN if is_lead_in(text) else SkipReason.HEADING
        if self._is_too_short(text) and not (self._is_completed(unit, block) or self._is_value(unit, block)):
            return SkipReason.TOO_SHORT
        return None

    def _is_too_short(self, text: str) -> bool:
        return len(_WORD.findall(text)) < 2 and not _NO_SPACE_SCRIPT.search(text)

    def _is_completed(self, unit: Unit, block: Block) -> bool:
        """Whether a one-word unit says something together with its lead-in or the question."""
        if self._lead_in(block):
            return True
        return self._answered(unit.model_text) is not None

    def _is_value(self, unit: Unit, block: Block) -> bool:
        """Whether a one-word unit is a quantity; a bare number is one only where nothing else can be meant.

        A response of one word is too short to be judged without its question, whatever the word.
        """
        if self.is_one_word:
            return False
        if not is_bare_number(unit.model_text):
            return is_value(unit.model_text)
        return self.announced or (block.item is None and not self._is_alone(unit))

    def _is_alone(self, unit: Unit) -> bool:
        """Whether nothing else stands in the line of `unit`, as with a page number."""
        before = self.response.rfind("\n", 0, unit.start) + 1
        after = self.response.find("\n", unit.end)
        line = self.response[before:] if after < 0 else self.response[before:after]
        return len(_WORD.findall(line)) < 2

    def _answered(self, text: str) -> str | None:
        """The question that `text` is a short answer to: the one right before it, or the one that was given."""
        questions = (self.asked, self.question or "")
        return next((question for question in questions if question and is_short_answer(text, question)), None)

    def _claim_unit(self, unit: Unit, block: Block) -> None:
        text = unit.model_text
        lead_in, question = self._lead_in(block), self._answered(text)
        self.opening = ""
        if is_refusal(text):
            self._claim(unit, ClaimKind.REFUSAL, text)
        elif lead_in and (is_fragment(text) or self._is_too_short(text)):
            self._claim(unit, _kind(block), complete(lead_in, text))
        elif question is not None:
            self._claim(unit, ClaimKind.SHORT_ANSWER, form_answer(question, text))
        else:
            statement = unframed(statement_in_question(text) or text)
            self._claim(unit, _kind(block), _COLON.sub(".", statement))

    def _lead_in(self, block: Block) -> str:
        """The line that introduces a list item, or, for the first unit below it, a paragraph."""
        return self.lead_ins.get(block.depth - 1, "") or self.opening


def _prefixes(text: str, start: int, end: int) -> Iterator[tuple[int, SkipReason]]:
    """Lengths of a note's label, an enumerator and an announcement at the beginning of `text[start:end]`."""
    if label := _NOTE_LABEL.match(text, start, end):
        yield label.end() - start, SkipReason.CITATION
        start = label.end()
    if length := enumerator_length(text, start, end):
        yield length, SkipReason.LIST_MARKER
        start += length
    length = announcement_length(text[start:end])
    if length and start + length < end:
        yield length, SkipReason.NOT_A_CLAIM


def _question(text: str) -> str:
    """`text` when it is a question that the answer puts and then answers itself, else nothing."""
    bare = text[enumerator_length(text, 0, len(text)) :]
    return bare if len(bare) <= _LONGEST_QUESTION and answers_itself(bare) else ""


def _kind(block: Block) -> ClaimKind:
    if block.item is not None:
        return ClaimKind.LIST_ITEM
    return ClaimKind.BLOCK_QUOTE if block.quoted else ClaimKind.SENTENCE

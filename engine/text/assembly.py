"""From the blocks of an answer to its claims and skipped spans."""

from __future__ import annotations

import re
from dataclasses import replace

from .blocks import Block, BlockKind, parse_blocks
from .fragments import complete, is_fragment, is_heading_line, is_lead_in
from .model import Claim, ClaimKind, Segmentation, SkippedSpan, SkipReason
from .prose import Prose, Unit
from .refusals import is_refusal
from .short_answers import form_answer, is_short_answer
from .smalltalk import announcement_length, is_smalltalk, statement_in_question
from .tables import row_text
from .tiling import tile

__all__ = ["assemble"]

_WORD = re.compile(r"[^\W_]+(?:[.,'’:/-]?[^\W_]+)*")
_NO_SPACE_SCRIPT = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]{3}"
)
_ENUMERATOR = re.compile(r"[(\[]?(?:\d{1,2}|[a-zA-Z]|[ivx]{2,5}|[IVX]{2,5})[.)\]]\)?\s+(?=\S)|[①-⑳❶-❿]\s*(?=\S)")
_ONLY_URL = re.compile(r"[\W_]*(?:(?:https?://|www\.)\S+[\W_]*)+$")
_SKIPPED_BLOCKS = {
    BlockKind.HEADING: SkipReason.HEADING,
    BlockKind.CODE: SkipReason.CODE,
    BlockKind.TABLE_HEADER: SkipReason.TABLE_HEADER,
    BlockKind.RULE: SkipReason.MARKUP,
}


def assemble(response: str, question: str | None, max_claims: int | None) -> Segmentation:
    """Claims and skipped spans of `response`; see `split_claims`."""
    assembler = _Assembler(response, question)
    blocks = parse_blocks(response)
    for index, block in enumerate(blocks):
        assembler.add(block, blocks[index + 1] if index + 1 < len(blocks) else None)
    return tile(response, _limited(assembler, max_claims))


def _limited(assembler: _Assembler, max_claims: int | None) -> list[Claim | SkippedSpan]:
    kept: list[Claim | SkippedSpan] = []
    count = 0
    for entry in assembler.entries:
        if isinstance(entry, Claim):
            count += 1
            if max_claims is not None and count > max_claims:
                kept.append(SkippedSpan(entry.start, entry.end, SkipReason.LIMIT))
                continue
        kept.append(entry)
    return kept


class _Assembler:
    """Takes blocks in order and keeps what a later block needs: the lead-ins of open lists."""

    def __init__(self, response: str, question: str | None) -> None:
        self.response = response
        self.question = question
        self.entries: list[Claim | SkippedSpan] = []
        self.lead_ins: dict[int, str] = {}

    def add(self, block: Block, following: Block | None) -> None:
        """Turn one block into entries."""
        if reason := _SKIPPED_BLOCKS.get(block.kind):
            self._skip(block.pieces[0].start, block.pieces[-1].end, reason)
        elif block.kind is BlockKind.TABLE_ROW:
            self._add_row(block)
        else:
            self._add_prose(block, following)

    def _skip(self, start: int, end: int, reason: SkipReason) -> None:
        if start < end:
            self.entries.append(SkippedSpan(start, end, reason))

    def _add_row(self, block: Block) -> None:
        prose = Prose(self.response, block)
        unit = prose.unit(0, len(prose.flat.text))
        text = row_text(block.header, block.cells)
        if len(_WORD.findall(text)) < 2:
            self._skip(unit.start, unit.end, SkipReason.TOO_SHORT)
            return
        self._claim(replace(unit, model_text=text), ClaimKind.TABLE_ROW)

    def _add_prose(self, block: Block, following: Block | None) -> None:
        prose = Prose(self.response, block)
        for depth in [depth for depth in self.lead_ins if depth >= block.depth]:
            del self.lead_ins[depth]
        units = prose.units()
        for number, unit in enumerate(units):
            last = number == len(units) - 1
            self._add_unit(prose, unit, block, followed=not last or following is not None)
            if (
                last
                and following is not None
                and following.depth > block.depth
                and unit.model_text.endswith((":", "："))
            ):
                self.lead_ins[block.depth] = unit.model_text

    def _add_unit(self, prose: Prose, unit: Unit, block: Block, *, followed: bool) -> None:
        """Cut enumerators, announcements and refusals off a unit, then judge what is left."""
        text = prose.flat.text
        start, end = unit.span
        match = _ENUMERATOR.match(text, start, end)
        if match and match.end() < end:
            self._skip(*prose.flat.origin(start, match.end()), SkipReason.LIST_MARKER)
            start = match.end()
        if length := announcement_length(text[start:end]):
            if start + length < end:
                self._skip(*prose.flat.origin(start, start + length), SkipReason.NOT_A_CLAIM)
                start += length
        self._judge(unit if start == unit.span.start else prose.unit(start, end), block, followed)

    def _judge(self, unit: Unit, block: Block, followed: bool) -> None:
        reason = self._skip_reason(unit, block, followed)
        if reason is None:
            self._claim_unit(unit, block)
        else:
            self._skip(unit.start, unit.end, reason)

    def _skip_reason(self, unit: Unit, block: Block, followed: bool) -> SkipReason | None:
        text = unit.model_text
        if not _WORD.search(text):
            return SkipReason.CITATION if unit.citations else SkipReason.PUNCTUATION
        if _ONLY_URL.match(text):
            return SkipReason.URL
        if is_refusal(text):
            return None
        if is_smalltalk(text):
            return SkipReason.NOT_A_CLAIM
        if followed and is_heading_line(unit.text):
            return SkipReason.HEADING
        if followed and is_lead_in(text):
            return SkipReason.LEAD_IN
        if self._is_too_short(text) and not self._formed(unit, block):
            return SkipReason.TOO_SHORT
        return None

    def _is_too_short(self, text: str) -> bool:
        return len(_WORD.findall(text)) < 2 and not _NO_SPACE_SCRIPT.search(text)

    def _formed(self, unit: Unit, block: Block) -> bool:
        """Whether a one-word unit says something together with its lead-in or the question."""
        return bool(self.question and self.question.strip()) or block.depth - 1 in self.lead_ins

    def _claim_unit(self, unit: Unit, block: Block) -> None:
        text = unit.model_text
        if is_refusal(text):
            self._claim(unit, ClaimKind.REFUSAL)
            return
        lead_in = self.lead_ins.get(block.depth - 1)
        if lead_in and (is_fragment(text) or self._is_too_short(text)):
            self._claim(replace(unit, model_text=complete(lead_in, text)), ClaimKind.LIST_ITEM)
        elif self.question and is_short_answer(text):
            self._claim(replace(unit, model_text=form_answer(self.question, text)), ClaimKind.SHORT_ANSWER)
        else:
            self._claim(replace(unit, model_text=statement_in_question(text) or text), _kind(block))

    def _claim(self, unit: Unit, kind: ClaimKind) -> None:
        self.entries.append(Claim(unit.text, unit.start, unit.end, kind, unit.model_text, unit.citations))


def _kind(block: Block) -> ClaimKind:
    if block.item is not None:
        return ClaimKind.LIST_ITEM
    return ClaimKind.BLOCK_QUOTE if block.quoted else ClaimKind.SENTENCE

"""The passages of a source document that can be evidence, with exact offsets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import zip_longest

from .blocks import Block, BlockKind, parse_blocks
from .fragments import complete, is_fragment
from .markers import enumerator_length
from .prose import Prose, Unit, tidy
from .tables import pipe_cells, row_text

__all__ = ["Passage", "PassageKind", "opens_with_pronoun", "split_source"]


class PassageKind(StrEnum):
    """What a passage is in its document."""

    SENTENCE = "sentence"
    LIST_ITEM = "list_item"
    TABLE_ROW = "table_row"
    HEADING = "heading"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Passage:
    """One passage: `source[start:end] == text`, in code points; `model_text` is what models read.

    opens_with_pronoun  whether it begins with a word such as "It" or "They" that points to the passage before
    """

    text: str
    start: int
    end: int
    model_text: str
    opens_with_pronoun: bool
    kind: PassageKind


_WORD = re.compile(r"[^\W_]")
_PRONOUN = re.compile(
    r"(?:(?:but|and|so|also|however|then|later|afterwards|moreover|in addition|additionally|furthermore"
    r"|instead),?\s+)*"
    r"(?:it|its|they|their|them|he|his|him|she|her|this|these|that|those|both|the former|the latter|such|one of them"
    r"|some of them|each of them)\b",
    re.IGNORECASE,
)


def opens_with_pronoun(text: str) -> bool:
    """Whether `text` begins with a word such as "It" or "They" that points to what was said before."""
    return _PRONOUN.match(text) is not None


def split_source(text: str) -> tuple[Passage, ...]:
    """The passages of a document: sentences, list items, table rows with their headers, headings, code lines."""
    return tuple(passage for block in _with_lead_ins(text) for passage in block)


def _with_lead_ins(text: str) -> Iterator[list[Passage]]:
    lead_ins: dict[int, str] = {}
    blocks = parse_blocks(text)
    for block, following in zip_longest(blocks, blocks[1:]):
        if block.kind in (BlockKind.RULE, BlockKind.TABLE_HEADER):
            continue
        lead_ins = {depth: lead for depth, lead in lead_ins.items() if depth < block.depth}
        passages = list(_passages(text, block, lead_ins.get(block.depth - 1)))
        if passages and following and following.depth > block.depth and passages[-1].model_text.endswith((":", "：")):
            lead_ins[block.depth] = passages[-1].model_text
        yield passages


def _passages(text: str, block: Block, lead_in: str | None) -> Iterator[Passage]:
    if block.kind is BlockKind.CODE:
        for start, end in block.pieces:
            if _WORD.search(text[start:end]) and not text.startswith(("```", "~~~"), start):
                yield Passage(text[start:end], start, end, tidy(text[start:end]), False, PassageKind.CODE)
        return
    prose = Prose(text, block)
    if block.kind is BlockKind.TABLE_ROW:
        unit = prose.unit(0, len(prose.flat.text))
        row = row_text(block.header, block.cells)
        if _WORD.search(row):
            yield Passage(unit.text, unit.start, unit.end, row, False, PassageKind.TABLE_ROW)
        return
    for unit in prose.units():
        yield from _passage(prose, unit, block, lead_in)


def _passage(prose: Prose, unit: Unit, block: Block, lead_in: str | None) -> Iterator[Passage]:
    start, end = unit.span
    if length := enumerator_length(prose.flat.text, start, end):
        unit = prose.unit(start + length, end)
    read = unit.model_text
    if not _WORD.search(read):
        return
    if cells := pipe_cells(unit.text):
        yield Passage(unit.text, unit.start, unit.end, row_text((), cells) or read, False, PassageKind.TABLE_ROW)
        return
    completed = complete(lead_in, read) if lead_in and is_fragment(read) else read
    yield Passage(unit.text, unit.start, unit.end, completed, opens_with_pronoun(read), _kind(block))


def _kind(block: Block) -> PassageKind:
    if block.kind is BlockKind.HEADING:
        return PassageKind.HEADING
    return PassageKind.SENTENCE if block.item is None else PassageKind.LIST_ITEM

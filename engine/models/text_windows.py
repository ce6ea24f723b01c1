"""Windows of a text as shorter texts, for models that only take text: cut at token boundaries, by offsets."""

from __future__ import annotations

from typing import Any, NamedTuple

from longtracer.contracts.errors import ModelUnavailableError

from .windows import pair_windows, spans

__all__ = ["TextPair", "TextWindows"]

# Special tokens of a pair, and a few more because a text that is cut may be tokenized a little differently.
_SINGLE_SPARE = 4
_PAIR_SPARE = 8


class TextPair(NamedTuple):
    """One window of a pair; `part` numbers the part of the hypothesis."""

    part: int
    premise: str
    hypothesis: str


class TextWindows:
    """Windows by the tokens of a transformers fast tokenizer, of at most `max_tokens` with the special ones."""

    def __init__(self, tokenizer: Any, max_tokens: int) -> None:
        """ModelUnavailableError for a tokenizer that cannot tell where its tokens stand in the text."""
        if not tokenizer.is_fast:
            raise ModelUnavailableError(f"{type(tokenizer).__name__} gives no offsets: a fast tokenizer is needed")
        self._tokenizer = tokenizer
        self._max_tokens = max_tokens

    def of_sentence(self, sentence: str) -> list[str]:
        """The sentence, or its windows when it is too long."""
        offsets = self._offsets(sentence)
        return [_cut(sentence, offsets, span) for span in spans(len(offsets), self._max_tokens - _SINGLE_SPARE)]

    def of_pair(self, premise: str, hypothesis: str) -> list[TextPair]:
        """The pair, or its windows when it is too long."""
        first, second = self._offsets(premise), self._offsets(hypothesis)
        return [
            TextPair(part, _cut(premise, first, of_premise), _cut(hypothesis, second, of_hypothesis))
            for part, of_premise, of_hypothesis in pair_windows(len(first), len(second), self._max_tokens - _PAIR_SPARE)
        ]

    def _offsets(self, text: str) -> list[tuple[int, int]]:
        # verbose=False: a text longer than the model is expected here, it is why windows exist.
        encoded = self._tokenizer(
            text, add_special_tokens=False, return_offsets_mapping=True, truncation=False, verbose=False
        )
        offsets: list[tuple[int, int]] = encoded["offset_mapping"]
        return offsets


def _cut(text: str, offsets: list[tuple[int, int]], span: tuple[int, int]) -> str:
    """The characters of tokens `span`; the whole text, unchanged, for all of them."""
    start, end = span
    if (start, end) == (0, len(offsets)):
        return text
    return text[offsets[start][0] : offsets[end - 1][1]]

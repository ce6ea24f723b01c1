"""Texts to token ids: no truncation, no padding, no special tokens, so the tokenizer itself never changes."""

from __future__ import annotations

from collections.abc import Iterable

from tokenizers import Tokenizer

from longtracer.contracts.errors import ModelUnavailableError

from .batches import TokenRow

__all__ = ["WordPieces"]


class WordPieces:
    """A BERT tokenizer. Safe to share between threads: after construction it is only read."""

    def __init__(self, content: bytes, name: str) -> None:
        """Read a `tokenizer.json`; ModelUnavailableError when it is none or lacks BERT's special tokens."""
        try:
            self._tokenizer = Tokenizer.from_str(content.decode("utf-8"))
        except Exception as exc:  # the Rust library raises bare Exception
            raise ModelUnavailableError(f"{name} is no tokenizer: {exc}") from exc
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        # A document that spells out "[SEP]" must not be able to end the premise.
        self._tokenizer.encode_special_tokens = True
        self._start = self._special("[CLS]", name)
        self._separator = self._special("[SEP]", name)

    def ids(self, texts: Iterable[str]) -> dict[str, list[int]]:
        """The token ids of each distinct text. One text a call: no thread pool that a fork could break."""
        return {text: self._ids(text) for text in dict.fromkeys(texts)}

    def single(self, text: list[int]) -> TokenRow:
        """A sentence as the encoder reads it."""
        ids = [self._start, *text, self._separator]
        return TokenRow(ids, len(ids))

    def pair(self, premise: list[int], hypothesis: list[int]) -> TokenRow:
        """A pair as the classifier reads it."""
        first = [self._start, *premise, self._separator]
        return TokenRow([*first, *hypothesis, self._separator], len(first))

    def _ids(self, text: str) -> list[int]:
        # Half of a surrogate pair is no character: Rust takes only text that UTF-8 can hold.
        sound = text.encode("utf-8", "replace").decode("utf-8")
        ids: list[int] = self._tokenizer.encode(sound, add_special_tokens=False).ids
        return ids

    def _special(self, token: str, name: str) -> int:
        found: int | None = self._tokenizer.token_to_id(token)
        if found is None:
            raise ModelUnavailableError(f"{name} has no {token} token")
        return found

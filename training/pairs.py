"""The unit of training data: one premise-hypothesis pair, and how files of them are read."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from dataclasses import dataclass, replace
from pathlib import Path

LABELS = ("contradiction", "entailment", "neutral")
NOT_ENTAILMENT = "not_entailment"
TARGETS: dict[str, int] = {**{name: index for index, name in enumerate(LABELS)}, NOT_ENTAILMENT: len(LABELS)}

_SPACES = re.compile(r"\s+")
_NOT_WORD = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Pair:
    """A premise, a hypothesis and one of `contradiction`, `entailment`, `neutral`, `not_entailment`."""

    premise: str
    hypothesis: str
    label: str
    source: str

    def __post_init__(self) -> None:
        if self.label not in TARGETS:
            raise ValueError(f"unknown label {self.label!r} in {self.source}")

    @property
    def target(self) -> int:
        """Index into the model's labels; one past them for `not_entailment`."""
        return TARGETS[self.label]

    @property
    def supported(self) -> bool:
        return self.label == "entailment"

    def relabelled(self, source: str) -> Pair:
        return replace(self, source=source)


def squeeze(text: str) -> str:
    """One space wherever the text has any run of white space."""
    return _SPACES.sub(" ", text).strip()


def read_rows(path: Path) -> list[dict[str, object]]:
    """The JSON objects of a gzipped JSON-lines file."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def read_pairs(path: Path) -> list[Pair]:
    """The pairs of one set; the set's name is the file's name."""
    name = path.name.removesuffix(".jsonl.gz")
    return [
        Pair(squeeze(str(row["premise"])), squeeze(str(row["hypothesis"])), str(row["label"]), name)
        for row in read_rows(path)
    ]


def fingerprint(*texts: str) -> bytes:
    """A hash that ignores case, spacing and punctuation: equal for texts that say the same words."""
    words = "\n".join(_NOT_WORD.sub(" ", text.lower()).strip() for text in texts)
    return hashlib.blake2b(words.encode(), digest_size=12).digest()

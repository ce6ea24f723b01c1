"""Mixes the training sets: caps, repeats, and no pair whose text is held out."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from training.pairs import Pair, fingerprint, read_pairs, read_rows

_SENTENCE_END = re.compile(r"(?<=[.!?]) (?=\S)")


@dataclass(frozen=True, slots=True)
class MixtureConfig:
    """Which sets, and how many pairs of each go into one epoch.

    `caps` limits a set to that many pairs, drawn anew each epoch; a cap of 0 leaves the set out, and a set without
    a cap is used whole. A premise longer than `max_premise_chars` is reduced to the sentences nearest to the claim.
    """

    sets: tuple[str, ...]
    caps: Mapping[str, int] = field(default_factory=dict)
    max_premise_chars: int = 1200


class HeldOut:
    """Fingerprints of every text that development or measurement looks at."""

    def __init__(self, hypotheses: Iterable[bytes], pairs: Iterable[bytes]) -> None:
        self._hypotheses = frozenset(hypotheses)
        self._pairs = frozenset(pairs)

    def __contains__(self, pair: Pair) -> bool:
        """True when the pair, or a hypothesis of at least six words, is held out."""
        if fingerprint(pair.premise, pair.hypothesis) in self._pairs:
            return True
        return len(pair.hypothesis.split()) >= 6 and fingerprint(pair.hypothesis) in self._hypotheses


def read_held_out(data: Path) -> HeldOut:
    """Reads `dev/` and `rag/` below the data folder. `clapnq_dev` is left aside: its answers are in train."""
    pairs = [pair for path in sorted((data / "dev").glob("*.jsonl.gz")) for pair in read_pairs(path)]
    answers = [
        str(row["answer"])
        for path in sorted((data / "rag").glob("*.jsonl.gz"))
        if not path.name.startswith("clapnq")
        for row in read_rows(path)
    ]
    hypotheses = [pair.hypothesis for pair in pairs] + answers
    return HeldOut(
        (fingerprint(text) for text in hypotheses if len(text.split()) >= 6),
        (fingerprint(pair.premise, pair.hypothesis) for pair in pairs),
    )


def load_sets(data: Path, config: MixtureConfig, held_out: HeldOut) -> dict[str, list[Pair]]:
    """Reads each set's usable pairs, in file order.

    Raises:
        FileNotFoundError: a set named in the configuration is missing.
    """
    return {name: usable(read_pairs(data / "train" / f"{name}.jsonl.gz"), config, held_out) for name in config.sets}


def usable(pairs: Iterable[Pair], config: MixtureConfig, held_out: HeldOut) -> list[Pair]:
    """Drops held-out pairs and exact repeats; shortens premises too long to be read whole."""
    kept: dict[tuple[str, str], Pair] = {}
    for pair in pairs:
        if pair not in held_out:
            short = replace(pair, premise=focus(pair.premise, pair.hypothesis, config.max_premise_chars))
            kept.setdefault((short.premise, short.hypothesis), short)
    return list(kept.values())


def focus(document: str, claim: str, most: int) -> str:
    """The sentences that share most of the claim's words, in their order, `most` characters together at most.

    This is what a verifier reads of a long document: the evidence retrieved for the claim.
    """
    if len(document) <= most:
        return document
    sentences = _SENTENCE_END.split(document)
    wanted = _words(claim)
    ranked = sorted(range(len(sentences)), key=lambda index: -len(wanted & _words(sentences[index])))
    kept: list[int] = []
    for index in ranked:
        if sum(len(sentences[place]) + 1 for place in kept) + len(sentences[index]) <= most:
            kept.append(index)
    return " ".join(sentences[index] for index in sorted(kept)) or document[:most]


def _words(text: str) -> set[str]:
    return {word for word in re.findall(r"\w+", text.lower()) if len(word) > 3 or word.isdigit()}


def draw_epoch(sets: Mapping[str, Sequence[Pair]], caps: Mapping[str, int], *, seed: int, epoch: int) -> list[Pair]:
    """One epoch's pairs in random order; the same seed and epoch always give the same list."""
    rng = random.Random(f"{seed}/{epoch}")
    drawn: list[Pair] = []
    for name in sorted(sets):
        pairs = sets[name]
        drawn.extend(rng.sample(pairs, min(caps.get(name, len(pairs)), len(pairs))))
    rng.shuffle(drawn)
    return drawn

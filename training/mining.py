"""Mines hard negatives: evidence a retriever would hand over, which the model takes for support and is not.

`python -m training.mining --checkpoint DIR --encoder DIR --data DIR --out FILE`
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from training.answers import Encoder
from training.pairs import NOT_ENTAILMENT, Pair, read_rows
from training.predict import Predictor, softmax
from training.synthetic.build import Prose, overlap, reword

MOST_OVERLAP = 0.6
"""Evidence with more of the claim's words than this may really support it, and is left out."""

_SPECIFIC = re.compile(r"(?<!^)\b[A-Z]\w+|\b\d[\d,.]*\b")


def neighbours(vectors: NDArray[np.float32], queries: Sequence[int], count: int) -> NDArray[np.int64]:
    """The `count` most similar other rows of each query row: (queries, count)."""
    found = np.zeros((len(queries), count), np.int64)
    for start in range(0, len(queries), 256):
        rows = list(queries[start : start + 256])
        similarity = vectors[rows] @ vectors.T
        similarity[np.arange(len(rows)), rows] = -1.0
        found[start : start + len(rows)] = np.argsort(-similarity, axis=1)[:, :count]
    return found


def names_more(claim: str, premise: str) -> bool:
    """True when a name or number of the claim stands nowhere in the premise.

    Without it about half of the hardest pairs were supported after all: shorter versions of the premise.
    """
    return any(word[0].lower() not in premise.lower() for word in _SPECIFIC.finditer(claim))


def candidates(prose: Prose, vectors: NDArray[np.float32], claims: int, rng: random.Random) -> list[Pair]:
    """Reworded sentences against the sentences most like them, those that may support them left out."""
    chosen = rng.sample(range(len(prose.sentences)), min(claims, len(prose.sentences)))
    pairs = []
    for index, near in zip(chosen, neighbours(vectors, chosen, 3), strict=True):
        claim, _ = reword(prose.sentences[index], rng, most=3)
        for place in near:
            premise = prose.sentences[place]
            # The sentence as it stood: rewording writes its dates and names in other ways.
            if overlap(claim, premise) <= MOST_OVERLAP and names_more(prose.sentences[index], premise):
                pairs.append(Pair(premise, claim, NOT_ENTAILMENT, "mined"))
    return pairs


def hardest(pairs: Sequence[Pair], entailed: NDArray[np.float64], count: int) -> list[Pair]:
    """The pairs with the highest entailment probability."""
    order = np.argsort(-entailed, kind="stable")[:count]
    return [pairs[index] for index in order]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("--checkpoint", "--encoder", "--data", "--out"):
        parser.add_argument(name, type=Path, required=True)
    parser.add_argument("--claims", type=int, default=6000)
    parser.add_argument("--keep", type=int, default=3000)
    parser.add_argument("--sentences", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    rng = random.Random(arguments.seed)
    rows = read_rows(arguments.data / "prose" / "wiki_sentences.jsonl.gz")
    prose = Prose.of([str(row["text"]) for row in rows][: arguments.sentences])
    vectors = Encoder(arguments.encoder)(prose.sentences)
    pairs = candidates(prose, vectors, arguments.claims, rng)
    entailed = softmax(Predictor.from_folder(arguments.checkpoint).logits(pairs))[:, 1]
    kept = hardest(pairs, entailed, arguments.keep)
    with gzip.open(arguments.out, "wt", encoding="utf-8") as out:
        out.writelines(json.dumps(asdict(pair)) + "\n" for pair in kept)
    print(f"{len(pairs)} candidates, {int((entailed > 0.5).sum())} taken for support, kept {len(kept)}")


if __name__ == "__main__":
    main()

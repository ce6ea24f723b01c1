"""Planted errors: swaps of numbers, dates and names the model never saw, and supported twins of the same sentences.

`python -m training.planted --checkpoint DIR --data DIR`
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

import numpy as np
import torch

from training.pairs import Pair, read_pairs
from training.predict import Predictor, softmax
from training.synthetic import dates, entities, numbers, structure
from training.synthetic.edits import ENTAILMENT, NOT_ENTAILMENT, Edit

SOURCES = ("begin", "xsum_hallucination", "wice_claim_test_chunks", "rte_dev")
"""Development sets whose premises lend the sentences: none of them is in the training data."""

SWAPS = {
    "number": (numbers.swap_number, numbers.swap_digits, numbers.swap_number_word),
    "date": (dates.swap_year, dates.swap_month, dates.swap_day),
}
TWINS = (*numbers.EDITS, *dates.EDITS, *structure.EDITS)


def sentences(data: Path) -> list[str]:
    """Sentences of the sources that have a name, a number or a date."""
    found: dict[str, None] = {}
    for name in SOURCES:
        for pair in read_pairs(data / "dev" / f"{name}.jsonl.gz"):
            for piece in pair.premise.split(". ")[:-1]:
                if 50 <= len(piece) <= 260 and piece[0].isupper():
                    found[piece + "."] = None
    return list(found)


def plant(texts: list[str], rng: random.Random, count: int) -> dict[str, list[Pair]]:
    """Up to `count` pairs of each kind; the kind `twin` is supported, all others are not."""
    swap_name = entities.NameSwap(entities.collect(texts))
    true_edits = [edit for edit in TWINS if edit.label == ENTAILMENT]
    makers = {
        **{kind: [Edit(kind, NOT_ENTAILMENT, swap) for swap in swaps] for kind, swaps in SWAPS.items()},
        "name": [Edit("name", NOT_ENTAILMENT, swap_name)],
        "twin": true_edits,
        "copy": [Edit("copy", ENTAILMENT, lambda text, _: text)],
    }
    return {kind: _planted(edits, texts, rng, count) for kind, edits in makers.items()}


def _planted(edits: list[Edit], texts: list[str], rng: random.Random, count: int) -> list[Pair]:
    pairs: list[Pair] = []
    for text in rng.sample(texts, len(texts)):
        edit = rng.choice(edits)
        result = edit.apply(text, rng)
        if result is not None:
            pairs.append(Pair(text, result, edit.label, f"planted/{edit.name}"))
        if len(pairs) == count:
            break
    return pairs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--temperature", type=float, default=1.0)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    predictor = Predictor.from_folder(arguments.checkpoint, bf16=True)
    for kind, pairs in plant(sentences(arguments.data), random.Random(7), arguments.count).items():
        entailed = softmax(predictor.logits(pairs), arguments.temperature)[:, 1]
        truth = np.array([pair.supported for pair in pairs])
        print(f"{kind:8} {len(pairs):5} pairs  right {np.mean((entailed > 0.5) == truth):.3f}", flush=True)


if __name__ == "__main__":
    main()

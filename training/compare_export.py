"""How far the exported models are from the torch models they were made of."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from transformers import AutoModel, AutoModelForSequenceClassification, AutoTokenizer

from longtracer.engine import NLI_LABELS
from longtracer.engine.models.embedded import load_embedded
from longtracer.engine.models.labels import label_columns, labels_of_config

Floats = npt.NDArray[np.float32]
Pair = tuple[str, str]

_SUBJECTS = ("The museum", "Dr. Okafor", "A red kite", "The 1998 treaty", "Every intern", "No supplier")
_PREDICATES = (
    "opened in 1903 and closed in 1911",
    "was praised by most of the reviewers",
    "cannot be refunded after 30 days",
    "moved from Lyon to Marseille last spring",
    "costs $4.50 per litre, tax included",
)
_BATCH = 32


def sample_pairs() -> list[Pair]:
    """Premises and hypotheses of every label, from a small grammar: 6 x 5 sentences, each with two others."""
    sentences = [f"{subject} {predicate}." for predicate in _PREDICATES for subject in _SUBJECTS]
    count = len(sentences)
    return [(sentences[i], sentences[(i + step) % count]) for i in range(count) for step in (0, 1, 6)]


def torch_probabilities(folder: Path, pairs: Sequence[Pair]) -> Floats:
    """Probabilities of `NLI_LABELS` by transformers at full precision."""
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForSequenceClassification.from_pretrained(folder, dtype=torch.float32).eval()
    columns = label_columns(labels_of_config(model.config.id2label, model=str(folder)), model=str(folder))
    rows = []
    with torch.inference_mode():
        for start in range(0, len(pairs), _BATCH):
            premises, hypotheses = zip(*pairs[start : start + _BATCH], strict=True)
            batch = tokenizer(
                list(premises),
                list(hypotheses),
                padding="longest",
                truncation=True,
                max_length=512,
                return_tensors="pt",
            )
            rows.append(model(**batch).logits.softmax(-1)[:, list(columns)].numpy())
    return np.concatenate(rows)


def torch_vectors(folder: Path, sentences: Sequence[str]) -> Floats:
    """Mean-pooled unit vectors by transformers at full precision."""
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModel.from_pretrained(folder, dtype=torch.float32).eval()
    with torch.inference_mode():
        batch = tokenizer(list(sentences), padding="longest", truncation=True, max_length=256, return_tensors="pt")
        states = model(**batch).last_hidden_state
        mask = batch["attention_mask"][..., None]
        pooled = (states * mask).sum(1) / mask.sum(1)
        vectors: Floats = torch.nn.functional.normalize(pooled, dim=-1).numpy()
    return vectors


def read_rows(path: Path, count: int) -> list[tuple[Pair, str]]:
    """Up to `count` rows of a set, drawn with a fixed seed."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    chosen = random.Random(0).sample(rows, min(count, len(rows)))
    return [((row["premise"], row["hypothesis"]), row["label"]) for row in chosen]


def balanced_accuracy(probabilities: Floats, labels: Sequence[str]) -> float:
    """Of "entailed" against the rest, at p > 0.5."""
    said = probabilities[:, NLI_LABELS.index("entailment")] > 0.5
    gold = np.array([label == "entailment" for label in labels])
    return float(np.mean([said[gold].mean(), (~said[~gold]).mean()]))


def accuracy(probabilities: Floats, labels: Sequence[str]) -> float:
    """Of the most probable of three labels; NaN for a set of two labels."""
    if set(labels) - set(NLI_LABELS):
        return float("nan")
    gold = np.array([NLI_LABELS.index(label) for label in labels])
    return float((probabilities.argmax(1) == gold).mean())


def report_differences(out: Path, checkpoint: Path, encoder: Path, dev: Sequence[Path], rows: int) -> None:
    """Print the largest difference in a probability and in a vector, then both accuracies on each set."""
    models = load_embedded(out)
    pairs = sample_pairs()
    change = np.abs(models.nli.predict(pairs) - torch_probabilities(checkpoint, pairs)).max()
    sentences = sorted({text for pair in pairs for text in pair})
    cosines = (models.encoder.encode(sentences) * torch_vectors(encoder, sentences)).sum(1)
    print(f"sample sentences: max |dp| {change:.4f}, lowest cosine to the original vector {cosines.min():.5f}")
    for path in dev:
        drawn = read_rows(path, rows)
        labels = [label for _, label in drawn]
        ours = models.nli.predict([pair for pair, _ in drawn])
        reference = torch_probabilities(checkpoint, [pair for pair, _ in drawn])
        print(f"{path.name.removesuffix('.jsonl.gz'):26} {difference_line(ours, reference, labels)}")


def difference_line(ours: Floats, reference: Floats, labels: Sequence[str]) -> str:
    """Both accuracies, ours first, and the largest and the mean change of a probability."""
    change = np.abs(ours - reference)
    return (
        f"acc {accuracy(ours, labels):.3f} (torch {accuracy(reference, labels):.3f})"
        f"  bacc {balanced_accuracy(ours, labels):.3f} ({balanced_accuracy(reference, labels):.3f})"
        f"  max |dp| {change.max():.4f}  mean |dp| {change.mean():.4f}"
    )

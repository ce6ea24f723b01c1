"""How far the exported models are from the torch models they were made of."""

from __future__ import annotations

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
from training.metrics import balanced_accuracy
from training.pairs import Pair, read_pairs

Floats = npt.NDArray[np.float32]

_SUBJECTS = ("The museum", "Dr. Okafor", "A red kite", "The 1998 treaty", "Every intern", "No supplier")
_PREDICATES = (
    "opened in 1903 and closed in 1911",
    "was praised by most of the reviewers",
    "cannot be refunded after 30 days",
    "moved from Lyon to Marseille last spring",
    "costs $4.50 per litre, tax included",
)
_BATCH = 32


def sample_pairs() -> list[tuple[str, str]]:
    """Premises and hypotheses of every label, from a small grammar: 6 x 5 sentences, each with two others."""
    sentences = [f"{subject} {predicate}." for predicate in _PREDICATES for subject in _SUBJECTS]
    count = len(sentences)
    return [(sentences[i], sentences[(i + step) % count]) for i in range(count) for step in (0, 1, 6)]


def torch_probabilities(folder: Path, pairs: Sequence[tuple[str, str]]) -> Floats:
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


def report_differences(out: Path, checkpoint: Path, encoder: Path, dev: Sequence[Path], rows: int) -> None:
    """Print the largest difference in a probability and in a vector, then both accuracies on each set.

    `rows` of each set are drawn with a fixed seed.
    """
    models = load_embedded(out)
    texts = sample_pairs()
    change = np.abs(models.nli.predict(texts) - torch_probabilities(checkpoint, texts)).max()
    sentences = sorted({text for pair in texts for text in pair})
    cosines = (models.encoder.encode(sentences) * torch_vectors(encoder, sentences)).sum(1)
    print(f"sample sentences: max |dp| {change:.4f}, lowest cosine to the original vector {cosines.min():.5f}")
    for path in dev:
        known = read_pairs(path)
        pairs = random.Random(0).sample(known, min(rows, len(known)))
        texts = [(pair.premise, pair.hypothesis) for pair in pairs]
        line = difference_line(models.nli.predict(texts), torch_probabilities(checkpoint, texts), pairs)
        print(f"{path.name.removesuffix('.jsonl.gz'):26} {line}")


def difference_line(ours: Floats, reference: Floats, pairs: Sequence[Pair]) -> str:
    """Both accuracies, ours first, and the largest and the mean change of a probability."""
    change = np.abs(ours - reference)
    entailed = np.array([pair.supported for pair in pairs])
    bacc, bacc_reference = (balanced_accuracy(scores[:, 1] > 0.5, entailed) for scores in (ours, reference))
    return (
        f"acc {accuracy(ours, pairs):.3f} (torch {accuracy(reference, pairs):.3f})"
        f"  bacc {bacc:.3f} ({bacc_reference:.3f})  max |dp| {change.max():.4f}  mean |dp| {change.mean():.4f}"
    )


def accuracy(probabilities: Floats, pairs: Sequence[Pair]) -> float:
    """Of the most probable of three labels; NaN for a set of two labels."""
    gold = np.array([pair.target for pair in pairs])
    if len(NLI_LABELS) in gold:
        return float("nan")
    return float((probabilities.argmax(1) == gold).mean())

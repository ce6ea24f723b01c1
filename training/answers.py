"""Answer-level figures: whole answers against their documents, by a plain stand-in for the engine's rule."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import AutoModel, AutoTokenizer

from training.pairs import Pair, read_rows, squeeze
from training.predict import Predictor, softmax

BEST = 3
_BOUNDARY = re.compile(r"(?<=[.!?])\s+(?=[\"'“(]?[A-Z0-9])|\n+")


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer as claims, each with the evidence it is tried against."""

    claims: tuple[str, ...]
    evidence: tuple[tuple[str, ...], ...]
    supported: bool


class Encoder:
    """Unit-length sentence vectors (n, d), float32, by mean pooling."""

    def __init__(self, folder: Path) -> None:
        self._tokenizer: Any = AutoTokenizer.from_pretrained(folder)
        self._model: Any = AutoModel.from_pretrained(folder)

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float32]:
        order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
        result = np.zeros((len(texts), self._model.config.hidden_size), np.float32)
        with torch.inference_mode():
            for start in range(0, len(order), 64):
                places = order[start : start + 64]
                batch = self._tokenizer(
                    [texts[place] for place in places],
                    padding=True,
                    truncation=True,
                    max_length=128,
                    return_tensors="pt",
                )
                hidden = self._model(**batch).last_hidden_state
                mask = batch["attention_mask"][..., None]
                pooled = (hidden * mask).sum(1) / mask.sum(1)
                result[places] = torch.nn.functional.normalize(pooled, dim=-1).numpy()
        return result


def split(text: str) -> list[str]:
    """Plain sentence splitting; pieces without a letter or digit are dropped."""
    return [squeeze(piece) for piece in _BOUNDARY.split(text) if re.search(r"\w", piece)]


def prepare(rows: Sequence[Mapping[str, Any]], encoder: Encoder) -> list[Answer]:
    """Finds each claim's evidence: its three most similar sentences, and those together in their order."""
    claims = [split(row["answer"]) for row in rows]
    sentences = [[piece for context in row["contexts"] for piece in split(context)] for row in rows]
    texts = list(dict.fromkeys(text for group in claims + sentences for text in group))
    vectors = dict(zip(texts, encoder(texts), strict=True))
    return [
        Answer(
            tuple(said),
            tuple(_evidence(vectors[claim], found, vectors) for claim in said),
            not row["hallucinated"],
        )
        for row, said, found in zip(rows, claims, sentences, strict=True)
        if said and found
    ]


def _evidence(
    claim: NDArray[np.float32], sentences: Sequence[str], vectors: Mapping[str, NDArray[np.float32]]
) -> tuple[str, ...]:
    similarity = np.array([vectors[sentence] @ claim for sentence in sentences])
    best = np.argsort(-similarity, kind="stable")[:BEST]
    single = [sentences[index] for index in best]
    joined = " ".join(sentences[index] for index in sorted(best))
    return (*single, joined) if len(single) > 1 else tuple(single)


def support(answers: Sequence[Answer], predictor: Predictor, temperature: float = 1.0) -> NDArray[np.float64]:
    """Per answer (n,): the least supported claim's best entailment probability."""
    pairs = [
        Pair(evidence, claim, "entailment", "rag")
        for answer in answers
        for claim, found in zip(answer.claims, answer.evidence, strict=True)
        for evidence in found
    ]
    entailed = iter(softmax(predictor.logits(pairs), temperature)[:, 1])
    return np.array([min(max(next(entailed) for _ in found) for found in answer.evidence) for answer in answers])


def read_answers(data: Path, name: str, limit: int | None) -> list[Mapping[str, Any]]:
    """The first `limit` answers of a set, evenly spaced over the file."""
    rows = read_rows(data / "rag" / f"{name}.jsonl.gz")
    if limit is None or len(rows) <= limit:
        return list(rows)
    return [rows[index] for index in np.linspace(0, len(rows) - 1, limit).astype(int)]

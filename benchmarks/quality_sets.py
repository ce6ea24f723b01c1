"""The labelled sets of the quality benchmark: pairs, and answers with their documents.

The data folder has `dev/NAME.jsonl.gz` with rows {"premise", "hypothesis", "label"} and `rag/NAME.jsonl.gz` with rows
{"question", "contexts", "answer", "hallucinated"}. Nothing of it is part of the project.
"""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from longtracer.case_files import LabelledCase
from longtracer.engine import NLI_LABELS

NLI_SETS = ("mnli_dev_mismatched_gold", "snli_test", "breaking_nli", "healthver_test", "rte_dev")
CLAIM_SETS = ("summedits", "expertqa", "covidfact_test", "wice_claim_test_chunks", "xsum_hallucination")
ANSWER_SETS = ("begin", "halueval_qa", "q2_wow", "expertqa", "clapnq_dev")


@dataclass(frozen=True, slots=True)
class Pair:
    """A premise, a hypothesis and a gold label; `three_way` when the label is one of `NLI_LABELS`."""

    premise: str
    hypothesis: str
    label: str

    @property
    def three_way(self) -> bool:
        return self.label in NLI_LABELS


def rows(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def sample_pairs(data: Path, name: str, count: int, seed: int) -> list[Pair]:
    """`count` pairs of a set, or all of them, drawn with a fixed seed."""
    found = [Pair(row["premise"], row["hypothesis"], row["label"]) for row in rows(data / "dev" / f"{name}.jsonl.gz")]
    return random.Random(f"{seed}/{name}").sample(found, min(count, len(found)))


def sample_claims(data: Path, name: str, count: int, seed: int) -> list[LabelledCase]:
    """Claims of a document set as answers of a sentence or a few; half of them hallucinated where there are enough."""
    found = [
        LabelledCase(response=row["hypothesis"], sources=(row["premise"],), hallucinated=row["label"] != "entailment")
        for row in rows(data / "dev" / f"{name}.jsonl.gz")
    ]
    return _both_classes(found, count, random.Random(f"{seed}/{name}"))


def sample_answers(data: Path, name: str, count: int, seed: int) -> list[LabelledCase]:
    """Answers with their retrieved documents and questions, drawn as `sample_claims` does; none without documents."""
    found = [
        LabelledCase(
            response=row["answer"],
            sources=tuple(row["contexts"]),
            question=row.get("question") or None,
            hallucinated=bool(row["hallucinated"]),
        )
        for row in rows(data / "rag" / f"{name}.jsonl.gz")
        if row.get("contexts")
    ]
    return _both_classes(found, count, random.Random(f"{seed}/{name}"))


def _both_classes(cases: list[LabelledCase], count: int, rng: random.Random) -> list[LabelledCase]:
    wrong = [case for case in cases if case.hallucinated]
    right = [case for case in cases if not case.hallucinated]
    few = min(count // 2, len(wrong), len(right))
    if not few:
        return rng.sample(cases, min(count, len(cases)))
    return [
        *rng.sample(wrong, min(count - few, count // 2, len(wrong))),
        *rng.sample(right, min(count // 2, len(right))),
    ]

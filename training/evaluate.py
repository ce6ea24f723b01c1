"""Compares checkpoints on the development sets: pairs, and whole answers.

`python -m training.evaluate --checkpoint DIR --data DIR [--encoder DIR] [--temperature T]`
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch

from training.answers import Encoder, prepare, read_answers, support
from training.metrics import auroc, balanced_accuracy, expected_calibration_error
from training.pairs import NOT_ENTAILMENT, Pair, read_pairs
from training.predict import Predictor, softmax

SETS = (
    "mnli_dev_mismatched_gold",
    "snli_test",
    "breaking_nli",
    "rte_dev",
    "med",
    "healthver_test",
    "covidfact_test",
    "wice_claim_test_chunks",
    "xsum_hallucination",
    "begin",
    "halueval_qa",
    "q2_wow",
    "expertqa",
    "summedits",
)
ANSWER_SETS = ("begin", "halueval_qa", "q2_wow", "expertqa", "clapnq_dev")


@dataclass(frozen=True, slots=True)
class Report:
    """`accuracy` is NaN for sets without three labels; the rest treats `entailed` as the positive class."""

    name: str
    rows: int
    accuracy: float
    balanced: float
    auroc: float
    calibration_error: float


def sample(pairs: list[Pair], limit: int | None, seed: int = 0) -> list[Pair]:
    if limit is None or len(pairs) <= limit:
        return pairs
    return random.Random(seed).sample(pairs, limit)


def report_pairs(name: str, pairs: list[Pair], predictor: Predictor, temperature: float = 1.0) -> Report:
    probabilities = softmax(predictor.logits(pairs), temperature)
    truth = np.array([pair.supported for pair in pairs])
    entailed = probabilities[:, 1]
    accuracy = float("nan")
    if not any(pair.label == NOT_ENTAILMENT for pair in pairs):
        accuracy = float((probabilities.argmax(axis=1) == [pair.target for pair in pairs]).mean())
    return Report(
        name,
        len(pairs),
        accuracy,
        balanced_accuracy(entailed > 0.5, truth),
        auroc(entailed, truth),
        expected_calibration_error(entailed, truth),
    )


def report_sets(
    data: Path, names: list[str], predictor: Predictor, limit: int | None, temperature: float = 1.0
) -> list[Report]:
    return [
        report_pairs(name, sample(read_pairs(data / "dev" / f"{name}.jsonl.gz"), limit), predictor, temperature)
        for name in names
    ]


def report_answers(
    data: Path, predictor: Predictor, encoder: Encoder, limit: int | None, temperature: float = 1.0
) -> Iterator[Report]:
    """One report per answer set; `clapnq_dev` has supported answers only, so only its recall shows."""
    for name in ANSWER_SETS:
        answers = prepare(read_answers(data, name, limit), encoder)
        scores = support(answers, predictor, temperature)
        truth = np.array([answer.supported for answer in answers])
        yield Report(
            f"answers/{name}",
            len(answers),
            float(((scores > 0.5) == truth).mean()),
            balanced_accuracy(scores > 0.5, truth),
            auroc(scores, truth),
            expected_calibration_error(scores, truth),
        )


def show(report: Report) -> None:
    figures = (report.accuracy, report.balanced, report.auroc, report.calibration_error)
    print(f"{report.name:28} {report.rows:6} " + " ".join(f"{figure:7.3f}" for figure in figures), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--encoder", type=Path, help="a sentence encoder's folder; without it no answers are judged")
    parser.add_argument("--rows", type=int, default=1000, help="pairs per set at most")
    parser.add_argument("--answers", type=int, default=300, help="answers per set at most")
    parser.add_argument("--temperature", type=float, default=1.0)
    parser.add_argument("--sets", nargs="*", default=list(SETS))
    parser.add_argument("--json", type=Path, help="where to write the figures")
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    predictor = Predictor.from_folder(arguments.checkpoint)
    print(f"{'set':28} {'rows':>6} {'acc':>7} {'bal.acc':>7} {'AUROC':>7} {'ECE':>7}")
    reports = []
    for name in arguments.sets:
        reports += report_sets(arguments.data, [name], predictor, arguments.rows, arguments.temperature)
        show(reports[-1])
    if arguments.encoder is not None:
        encoder = Encoder(arguments.encoder)
        for report in report_answers(arguments.data, predictor, encoder, arguments.answers, arguments.temperature):
            reports.append(report)
            show(report)
    if arguments.json is not None:
        arguments.json.write_text(json.dumps([asdict(report) for report in reports], indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()

"""What each mechanism of the engine is worth: balanced accuracy and F1 as they are added one after the other.

    python benchmarks/quality_mechanisms.py --data FOLDER

Starts from entailment by the single best sentence. Prints a Markdown table with a column for each labelled set.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from unittest.mock import patch

import numpy as np
from quality_models import remembering
from quality_sets import sample_answers, sample_claims

from longtracer.case_files import LabelledCase
from longtracer.engine import ModelPair
from longtracer.engine.decide import FactChecker
from longtracer.engine.models import load_embedded, load_models
from longtracer.engine.rule import DecisionRule
from longtracer.judging import measure_cases, remembered_facts, verdict_of
from longtracer.metrics import balanced_accuracy, f1_of

ANSWERS, CLAIMS = ("begin", "halueval_qa", "q2_wow", "expertqa"), ("summedits",)


@dataclass(frozen=True, slots=True)
class Step:
    """The engine with some of its mechanisms: a rule, and whether statements are made plain and facts compared."""

    name: str
    rule: DecisionRule
    plain: bool
    facts: bool


def steps(final: DecisionRule) -> Iterator[Step]:
    """From the best sentence alone to the rule that ships; each step keeps what the one before it added."""
    off = replace(
        final, entailment=0.5, evidence_sentences=1, neighbour_window=False, joined_window=False,
        veto_margin=None, answer_weight=0.0, unstated_penalty=0.0, name_penalty=0.0,
    )  # fmt: skip
    yield Step("best sentence entails", off, False, False)
    more = replace(off, evidence_sentences=final.evidence_sentences)
    yield Step(f"best {more.evidence_sentences} sentences", more, False, False)
    around = replace(more, neighbour_window=True)
    yield Step("and the best one with its neighbours", around, False, False)
    joined = replace(around, joined_window=True)
    yield Step("and the best ones joined", joined, False, False)
    yield Step("plain statements", joined, True, False)
    yield Step("numbers, dates, names, negations compared", joined, True, True)
    alone = replace(joined, answer_weight=final.answer_weight)
    yield Step("short answers alone", alone, True, True)
    words = replace(alone, unstated_penalty=final.unstated_penalty)
    yield Step("words no document has", words, True, True)
    names = replace(words, name_penalty=final.name_penalty)
    yield Step("names no document has", names, True, True)
    yield Step("contradiction outweighs (not kept)", replace(names, veto_margin=0.0), True, True)
    yield Step("the rule that ships", final, True, True)


@contextmanager
def statements(plain: bool) -> Iterator[None]:
    """With or without the step that takes agreement and hedges off a claim."""
    if plain:
        yield
        return
    with patch("longtracer.engine.evaluate.plain_statements", lambda segmentation: segmentation):
        yield


def row(step: Step, sets: Sequence[Sequence[LabelledCase]], models: ModelPair, facts: FactChecker) -> str:
    """The table row of a step."""
    cells = []
    pairs, claims = 0, 0
    for cases in sets:
        with statements(step.plain):
            measured = measure_cases(cases, models, step.rule)
        found = [verdict_of(case, step.rule, facts if step.facts else None) for case in measured]
        flagged = np.array([verdict.flagged for verdict in found], dtype=bool)
        truth = np.array([case.hallucinated for case in cases], dtype=bool)
        cells.append(f"{balanced_accuracy(flagged, truth):.3f} / {f1_of(flagged, truth):.3f}")
        pairs += sum(len(signals.scored) for case in measured for signals in case.signals)
        claims += sum(len(case.signals) for case in measured)
    return f"| {step.name} | {' | '.join(cells)} | {pairs / max(claims, 1):.1f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with dev/ and rag/")
    parser.add_argument("--models", help="a profile, or a profile file")
    parser.add_argument("--files", type=Path, help="folder of another set of embedded model files")
    parser.add_argument("--answers", type=int, default=200, help="answers of each set")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cache", type=Path, help="folder that keeps the scores between runs")
    arguments = parser.parse_args()
    loaded = load_embedded(arguments.files) if arguments.files else load_models(arguments.models)
    models, save = remembering(loaded, arguments.cache)
    sets = [
        draw(arguments.data, name, arguments.answers, arguments.seed)
        for draw, names in ((sample_answers, ANSWERS), (sample_claims, CLAIMS))
        for name in names
    ]
    facts = remembered_facts()
    print(f"| with | {' | '.join((*ANSWERS, *CLAIMS))} | pairs a claim |")
    print("|---|" + "---|" * (len(sets) + 1))
    for step in steps(models.rule):
        print(row(step, sets, models, facts), flush=True)
        save()


if __name__ == "__main__":
    main()

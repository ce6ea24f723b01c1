"""Detection quality on labelled sets: tables with 95 % bootstrap intervals, and two plots.

    python benchmarks/quality.py --data FOLDER

`FOLDER` is described in `quality_sets.py`. The models run once over every set; the rules that are compared are applied
to the same scores. Writes `quality.json`, `reliability.png` and `precision_recall.png` into `--out`, and puts the
tables between the markers of `quality.md` there. Under 15 minutes on two cores with the default sizes.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from quality_models import remembering
from quality_planted import KINDS, planted_cases
from quality_plots import precision_recall_plot, reliability_plot
from quality_sets import ANSWER_SETS, CLAIM_SETS, NLI_SETS, Pair, rows, sample_answers, sample_claims, sample_pairs
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from longtracer.case_files import LabelledCase
from longtracer.engine import NLI_LABELS, ModelPair
from longtracer.engine.models import load_embedded, load_models
from longtracer.engine.rule import DecisionRule
from longtracer.evaluation import EvaluationReport, report_on
from longtracer.judging import Arm, measure_cases, remembered_facts, verdicts
from longtracer.metrics import Bools, Floats, Measure, balanced_accuracy, bootstrap, calibration_error

LONG = ("expertqa", "clapnq_dev")
BEGIN, END = "<!-- results: begin -->", "<!-- results: end -->"
_ENTAILMENT = NLI_LABELS.index("entailment")
_CHUNK = 64


@dataclass(frozen=True, slots=True)
class PairReport:
    """A set of pairs: 3-way accuracy where the labels allow it, else balanced accuracy of p(entailment) > 0.5."""

    name: str
    pairs: int
    figure: str
    value: Measure
    calibration_error: float


@dataclass(frozen=True, slots=True)
class PlantedReport:
    """Planted cases of one kind: the share that is flagged."""

    kind: str
    cases: int
    flagged: Measure


@dataclass(frozen=True, slots=True)
class Curves:
    """What the plots are drawn from: pairs before and after calibration, and answers by set."""

    raw: tuple[Floats, Bools]
    calibrated: tuple[Floats, Bools]
    answers: Mapping[str, tuple[Floats, Bools]]


class Bench:
    """Runs the sets one after the other behind one progress bar."""

    def __init__(self, models: ModelPair, arguments: argparse.Namespace, progress: Progress) -> None:
        self.models = models
        self.rule: DecisionRule = models.rule
        self.arguments = arguments
        self.progress = progress
        self.facts = remembered_facts()
        self.curves: dict[str, tuple[Floats, Bools]] = {}

    def pairs(self, name: str) -> tuple[PairReport, Floats, Bools]:
        """The report of an NLI set, its rows of probabilities at temperature 1, and which pairs are entailed."""
        found = sample_pairs(self.arguments.data, name, self.arguments.pairs, self.arguments.seed)
        scores = self._predict(name, found)
        entailed = np.array([pair.label == "entailment" for pair in found], dtype=bool)
        tempered = temper(scores, self.rule.temperature)[:, _ENTAILMENT]
        value = self._measure(figure_of(found, scores), len(found))
        kind = "accuracy" if found[0].three_way else "balanced accuracy"
        return PairReport(name, len(found), kind, value, calibration_error(tempered, entailed)), scores, entailed

    def _predict(self, name: str, found: Sequence[Pair]) -> Floats:
        task = self.progress.add_task(name, total=len(found))
        order = sorted(range(len(found)), key=lambda n: len(found[n].premise))
        scores = np.zeros((len(found), len(NLI_LABELS)))
        for start in range(0, len(found), _CHUNK):
            at = order[start : start + _CHUNK]
            scores[at] = self.models.nli.predict([(found[n].premise, found[n].hypothesis) for n in at])
            self.progress.update(task, completed=start + len(at))
        return scores

    def answers(self, name: str, cases: Sequence[LabelledCase]) -> EvaluationReport:
        """The report of a set of answers, or of claims as answers."""
        task = self.progress.add_task(name, total=len(cases))
        measured = measure_cases(
            cases, self.models, progress=lambda done, _: self.progress.update(task, completed=done)
        )
        found = [verdicts(each, self.models, self.rule, self.facts) for each in measured]
        judged = [(case, each[Arm.OURS]) for case, each in zip(cases, found, strict=True) if each is not None]
        scores = np.array([verdict.score for _, verdict in judged])
        self.curves[name] = (scores, np.array([not case.hallucinated for case, _ in judged], dtype=bool))
        labels = [case.hallucinated for case in cases]
        return report_on(name, labels, found, rounds=self.arguments.rounds, seed=self.arguments.seed)

    def planted(self, kind: str, texts: Sequence[str]) -> PlantedReport:
        cases = planted_cases(texts, kind, self.arguments.planted, self.arguments.seed)
        task = self.progress.add_task(kind, total=len(cases))
        measured = measure_cases(
            cases, self.models, progress=lambda done, _: self.progress.update(task, completed=done)
        )
        found = [verdicts(each, self.models, self.rule, self.facts) for each in measured]
        flagged = np.array([each is None or each[Arm.OURS].flagged for each in found])
        return PlantedReport(kind, len(cases), self._measure(lambda at: float(flagged[at].mean()), len(cases)))

    def _measure(self, figure: Callable[[Any], float], count: int) -> Measure:
        return bootstrap(figure, count, rounds=self.arguments.rounds, seed=self.arguments.seed)


def figure_of(pairs: Sequence[Pair], scores: Floats) -> Callable[[Any], float]:
    """Accuracy of the likeliest label where all three are gold labels, else balanced accuracy of entailment."""
    if all(pair.three_way for pair in pairs):
        right = scores.argmax(axis=1) == [NLI_LABELS.index(pair.label) for pair in pairs]
        return lambda at: float(right[at].mean())
    flagged = scores[:, _ENTAILMENT] <= 0.5
    wrong = np.array([pair.label != "entailment" for pair in pairs], dtype=bool)
    return lambda at: balanced_accuracy(flagged[at], wrong[at])


def temper(rows: Floats, temperature: float) -> Floats:
    """Probabilities of shape (n, 3) with their logits divided by `temperature`."""
    powered = np.maximum(rows, 1e-12) ** (1.0 / temperature)
    tempered: Floats = powered / powered.sum(axis=1, keepdims=True)
    return tempered


def tables(results: Mapping[str, Any], pairs: Sequence[PairReport], sets: Mapping[str, Sequence[EvaluationReport]],
           planted: Sequence[PlantedReport]) -> str:  # fmt: skip
    """Everything measured, as Markdown."""
    lines = [
        f"Models {results['nli']}, rule `{results['rule']['name']}`; "
        f"{results['seconds'] / 60:.1f} minutes{results['memory']}. Intervals are 95 % bootstrap intervals.", "",
        "| pairs | n | figure | ours | ECE of p(entailment) |", "|---|---|---|---|---|",
        *(f"| {r.name} | {r.pairs} | {r.figure} | {r.value} | {r.calibration_error:.3f} |" for r in pairs),
        f"| all of them | {sum(r.pairs for r in pairs)} | | | {results['calibration_error']:.3f} |", "",
    ]  # fmt: skip
    for title, reports in sets.items():
        heads = "| set | n | rule | balanced accuracy | F1 (hallucinated) | AUROC | caught | passed |"
        lines += [f"{title}:", "", heads, "|---|---|---|---|---|---|---|---|"]
        for report in reports:
            lines += [
                f"| {report.name} | {report.cases} | {arm.name} | {arm.balanced_accuracy} | {arm.f1} | {arm.auroc} "
                f"| {_share(arm.caught)} | {_share(arm.passed)} |"
                for arm in report.arms
            ]
        lines.append("")
    lines += ["| planted | n | flagged |", "|---|---|---|"]
    lines += [f"| {r.kind} | {r.cases} | {r.flagged} |" for r in planted]
    return "\n".join(lines) + "\n"


def _share(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.2f}"


def put_between_markers(page: Path, text: str) -> None:
    """Replace what stands between the markers of `page`; the page is made when it is missing."""
    old = page.read_text(encoding="utf-8") if page.exists() else f"# Detection quality\n\n{BEGIN}\n{END}\n"
    head, _, rest = old.partition(BEGIN)
    _, _, tail = rest.partition(END)
    page.write_text(f"{head}{BEGIN}\n{text}{END}{tail}", encoding="utf-8")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with dev/, rag/ and prose/")
    parser.add_argument("--out", type=Path, default=Path("docs"), help="folder for results, table and plots")
    parser.add_argument("--models", help="a profile, or a profile file")
    parser.add_argument("--files", type=Path, help="folder of another set of embedded model files")
    parser.add_argument("--pairs", type=int, default=500, help="pairs of each NLI set")
    parser.add_argument("--claims", type=int, default=160, help="claims of each document set")
    parser.add_argument("--answers", type=int, default=300, help="answers of each RAG set; half as many long ones")
    parser.add_argument("--planted", type=int, default=120, help="planted cases of each kind")
    parser.add_argument("--rounds", type=int, default=500, help="bootstrap resamples")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cache", type=Path, help="folder that keeps the scores between runs")
    return parser.parse_args()


def run(bench: Bench) -> tuple[dict[str, Any], str, Curves]:
    """All sets: results for JSON, the tables, and what the plots need."""
    began, arguments = time.perf_counter(), bench.arguments
    nli = [bench.pairs(name) for name in NLI_SETS]
    raw, entailed = np.concatenate([scores for _, scores, _ in nli]), np.concatenate([truth for *_, truth in nli])
    tempered = temper(raw, bench.rule.temperature)[:, _ENTAILMENT]
    draw = arguments.data, arguments.seed
    sets = {
        "Answers (RAG sets)": [
            bench.answers(name, sample_answers(draw[0], name, arguments.answers // (2 if name in LONG else 1), draw[1]))
            for name in ANSWER_SETS
        ],
        "Claims against documents": [
            bench.answers(f"{name} (claims)", sample_claims(draw[0], name, arguments.claims, draw[1]))
            for name in CLAIM_SETS
        ],
    }
    texts = [row["text"] for row in rows(arguments.data / "prose" / "wiki_sentences.jsonl.gz")]
    planted = [bench.planted(kind, texts) for kind in KINDS]
    results = {
        "encoder": bench.models.encoder.name,
        "nli": bench.models.nli.name,
        "rule": asdict(bench.rule),
        "seed": arguments.seed,
        "calibration_error": calibration_error(tempered, entailed),
        "pairs": [asdict(report) for report, *_ in nli],
        "sets": {title: [report.to_dict() for report in reports] for title, reports in sets.items()},
        "planted": [asdict(report) for report in planted],
        "memory": " on scores kept from earlier runs" if arguments.cache else "",
        "seconds": round(time.perf_counter() - began, 1),
    }
    curves = Curves((raw[:, _ENTAILMENT], entailed), (tempered, entailed), bench.curves)
    return results, tables(results, [report for report, *_ in nli], sets, planted), curves


def main() -> None:
    arguments = parse_arguments()
    loaded = load_embedded(arguments.files) if arguments.files else load_models(arguments.models)
    models, save = remembering(loaded, arguments.cache)
    columns = TextColumn("{task.description:32}"), BarColumn(), MofNCompleteColumn()
    with Progress(*columns, TimeElapsedColumn(), TimeRemainingColumn()) as progress:
        results, markdown, curves = run(Bench(models, arguments, progress))
    save()
    arguments.out.mkdir(parents=True, exist_ok=True)
    (arguments.out / "quality.json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    put_between_markers(arguments.out / "quality.md", markdown)
    calibrated = {"temperature 1": curves.raw, f"temperature {results['rule']['temperature']}": curves.calibrated}
    reliability_plot(calibrated, arguments.out / "reliability.png")
    drawn = {name: curve for name, curve in curves.answers.items() if 0 < curve[1].sum() < len(curve[1])}
    precision_recall_plot(drawn, arguments.out / "precision_recall.png")
    print(markdown)


if __name__ == "__main__":
    main()

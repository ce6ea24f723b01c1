"""Fits the numbers of the embedded profile's rule, on development answers that the quality benchmark does not draw.

    python benchmarks/quality_fit.py --data FOLDER --out training/rule_embedded.json
      [--manifest engine/models/manifest.json]

The temperature is fitted to NLI pairs by likelihood, the thresholds to whole answers by what mistakes cost.
`training/export.py --rule` takes the file; the manifest keeps its rule when it is exported anew.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from itertools import product
from pathlib import Path

import numpy as np
from quality import temper
from quality_models import remembering
from quality_planted import planted_cases
from quality_sets import NLI_SETS, rows, sample_answers, sample_claims, sample_pairs
from rich.progress import track

from longtracer.case_files import LabelledCase
from longtracer.engine import NLI_LABELS, ModelPair
from longtracer.engine.models import load_embedded
from longtracer.engine.models.manifest import Manifest
from longtracer.engine.rule import DecisionRule
from longtracer.judging import MeasuredCase, measure_cases, remembered_facts, verdict_of
from longtracer.metrics import Floats, balanced_accuracy, calibration_error
from longtracer.rule_fit import FALSE_PASS_WEIGHT, cost_of

TEMPERATURES = tuple(round(0.5 + 0.05 * step, 2) for step in range(41))
SIZES = {
    "begin": 300, "halueval_qa": 250, "q2_wow": 200, "expertqa": 100, "summedits": 120, "wice_claim_test_chunks": 80,
    "covidfact_test": 100,
}  # fmt: skip
DOCUMENT_SETS = ("summedits", "wice_claim_test_chunks", "covidfact_test")
HALF = ("expertqa", *DOCUMENT_SETS, "planted")
"""Sets that count half: their samples are small, or made."""
_ENTAILMENT = NLI_LABELS.index("entailment")

START = DecisionRule(name="embedded", contradiction=0.5, agreement_margin=0.1)
"""What is not fitted: which sentences are tried was chosen by `quality_mechanisms.py`."""


def candidates(base: DecisionRule) -> Iterator[DecisionRule]:
    """The grid of thresholds."""
    thresholds = [round(0.15 + 0.05 * step, 2) for step in range(11)]
    for words, names, answer, veto in product(
        (0.0, 1.0, 2.0, 3.0, 4.0), (0.0, 1.0, 2.0, 3.0), (0.5, 0.75), (0.0, 0.1, None)
    ):
        penalised = replace(base, unstated_penalty=words, name_penalty=names, answer_weight=answer, veto_margin=veto)
        yield from (replace(penalised, entailment=threshold) for threshold in thresholds)


def unseen(data: Path, name: str, count: int, seed: int) -> list[LabelledCase]:
    """`count` cases of a set; none that the benchmark draws with the same seed and its default sizes."""
    draw = sample_claims if name in DOCUMENT_SETS else sample_answers
    drawn = {case.model_dump_json() for case in draw(data, name, 160 if name in HALF else 300, seed)}
    others = [case for case in draw(data, name, 100_000, seed + 1) if case.model_dump_json() not in drawn]
    wrong = [case for case in others if case.hallucinated][: count // 2]
    return [*wrong, *[case for case in others if not case.hallucinated][: count // 2]]


def fitted_temperature(data: Path, models: ModelPair, count: int, seed: int) -> tuple[float, float, float]:
    """The temperature with the least log loss of p(entailment), and the calibration error before and after."""
    scores, truth = [], []
    for name in track(NLI_SETS, "pairs"):
        drawn = set(sample_pairs(data, name, 500, seed))
        found = [pair for pair in sample_pairs(data, name, count + 500, seed + 1) if pair not in drawn][:count]
        if not found:  # the benchmark has the whole set
            continue
        scores.append(models.nli.predict([(pair.premise, pair.hypothesis) for pair in found]))
        truth.append(np.array([pair.label == "entailment" for pair in found], dtype=bool))
    rows_, entailed = np.concatenate(scores).astype(np.float64), np.concatenate(truth)

    def stated(temperature: float) -> Floats:
        return np.clip(temper(rows_, temperature)[:, _ENTAILMENT], 1e-6, 1 - 1e-6)

    losses = [-np.log(np.where(entailed, stated(t), 1 - stated(t))).mean() for t in TEMPERATURES]
    best = TEMPERATURES[int(np.argmin(losses))]
    return best, calibration_error(stated(1.0), entailed), calibration_error(stated(best), entailed)


def report(groups: dict[str, Sequence[MeasuredCase]], rule: DecisionRule) -> str:
    """Balanced accuracy of `rule` for each set."""
    facts = remembered_facts()
    found = []
    for name, group in groups.items():
        flagged = np.array([verdict_of(case, rule, facts).flagged for case in group], dtype=bool)
        truth = np.array([case.case.hallucinated for case in group], dtype=bool)
        caught, passed = flagged[truth].mean(), (~flagged[~truth]).mean()
        found.append(f"{name} {balanced_accuracy(flagged, truth):.3f} ({caught:.2f}/{passed:.2f})")
    return ", ".join(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with dev/, rag/ and prose/")
    parser.add_argument("--out", type=Path, required=True, help="JSON file for the rule's numbers")
    parser.add_argument("--manifest", type=Path, help="manifest to write the rule into as well")
    parser.add_argument("--files", type=Path, help="folder of another set of embedded model files")
    parser.add_argument("--pairs", type=int, default=300, help="pairs of each NLI set")
    parser.add_argument("--share", type=float, default=1.0, help="share of the default number of answers")
    parser.add_argument("--weight", type=float, default=FALSE_PASS_WEIGHT, help="cost of a false pass")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cache", type=Path, help="folder that keeps the scores between runs")
    arguments = parser.parse_args()
    models, save = remembering(load_embedded(arguments.files), arguments.cache)
    temperature, before, after = fitted_temperature(arguments.data, models, arguments.pairs, arguments.seed)
    print(f"temperature {temperature}: calibration error {before:.3f} -> {after:.3f}")
    base = replace(START, temperature=temperature)
    groups = measured_groups(arguments, models, base)
    save()
    facts = remembered_facts()
    rules = list(candidates(base))
    shares = [0.5 if name in HALF else 1.0 for name in groups]
    costs = [
        float(np.average([cost_of(g, rule, facts, arguments.weight) for g in groups.values()], weights=shares))
        for rule in track(rules, "rules")
    ]
    for at in sorted(range(len(rules)), key=lambda n: costs[n])[:8]:
        rule = rules[at]
        numbers = f"t {rule.entailment} words {rule.unstated_penalty} names {rule.name_penalty}"
        numbers += f" answer {rule.answer_weight} veto {rule.veto_margin}"
        print(f"cost {costs[at]:.4f}: {numbers}: {report(groups, rule)}")
    write_rule(rules[int(np.argmin(costs))], arguments.out, arguments.manifest)


def measured_groups(
    arguments: argparse.Namespace, models: ModelPair, base: DecisionRule
) -> dict[str, Sequence[MeasuredCase]]:
    """Answers of each set with their signals, and planted errors with their twins as one more set."""
    groups: dict[str, Sequence[MeasuredCase]] = {}
    for name, count in SIZES.items():
        cases = unseen(arguments.data, name, int(count * arguments.share), arguments.seed)
        groups[name] = measure_cases(list(track(cases, name)), models, base)
    texts = [row["text"] for row in rows(arguments.data / "prose" / "wiki_sentences.jsonl.gz")]
    planted = [
        case
        for kind, count in (("name swap", 40), ("number swap", 20), ("twin", 60))
        for case in planted_cases(texts, kind, int(count * arguments.share), arguments.seed + 1)
    ]
    groups["planted"] = measure_cases(planted, models, base)
    return groups


def write_rule(rule: DecisionRule, out: Path, manifest: Path | None) -> None:
    """Write the numbers of `rule`, into the manifest too when there is one."""
    out.write_text(json.dumps(asdict(rule), indent=2) + "\n", encoding="utf-8")
    if manifest is not None:
        known = Manifest.model_validate_json(manifest.read_bytes())
        changed = known.model_copy(update={"rule": rule})
        manifest.write_text(changed.model_dump_json(indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

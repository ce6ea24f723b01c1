"""Fitting a rule to labelled answers, on scripted models and on the real ones."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from longtracer import CitationVerifier, InvalidInputError, QualityGate
from longtracer.calibration import FEWEST_PER_CLASS, calibrate
from longtracer.case_files import LabelledCase
from longtracer.engine import DecisionRule
from longtracer.engine.models import load_models
from longtracer.evaluation import evaluate_cases
from longtracer.judging import Arm, measure_cases, verdicts
from longtracer.rule_fit import cost_of, fit_rule, fit_temperature, folds
from longtracer.testing import ScriptedNli, WordOverlapEncoder, scripted_models

PLACES = ["Oslo", "Bergen", "Lima", "Quito", "Cairo", "Tunis", "Delhi", "Seoul", "Perth", "Turin", "Basel", "Porto"]


def answer(place, said, *, hallucinated):
    return LabelledCase(
        response=f"The office is located in {said}.",
        sources=(f"Our office is located in {place}, near the harbour.",),
        hallucinated=hallucinated,
    )


CASES = [
    answer(place, said, hallucinated=place != said)
    for place, other in zip(PLACES, PLACES[1:] + PLACES[:1], strict=True)
    for said in (place, other)
]


class Certain:
    """Entailment at 0.7 for what stands in the source, at 0.6 for what does not: a classifier that leans to yes."""

    name = "leaning"

    def predict(self, pairs):
        stated = [claim.rstrip(".").split()[-1] in source for source, claim in pairs]
        return np.array([[0.02, 0.7, 0.28] if each else [0.02, 0.6, 0.38] for each in stated], dtype=np.float32)


@pytest.fixture(scope="module")
def leaning():
    rule = DecisionRule(name="plain")
    models = replace(scripted_models(lambda premise, claim: "entailment"), nli=Certain(), rule=rule)
    return models, measure_cases(CASES, models)


def write(folder, cases):
    path = folder / "cases.jsonl"
    path.write_text("\n".join(case.model_dump_json() for case in cases), encoding="utf-8")
    return path


def test_a_threshold_between_the_classes_is_found(leaning):
    models, measured = leaning
    assert cost_of(measured, models.rule, None) > 0.4
    fit = fit_rule([measured], models.rule)
    assert fit.cost == 0
    assert cost_of(measured, fit.rule, None) == 0


def test_a_dear_false_pass_moves_the_threshold_up(leaning):
    models, measured = leaning
    # One grounded answer that only scores like a hallucinated one: letting it pass lets the others pass.
    odd = [replace(each, case=each.case.model_copy(update={"hallucinated": False})) for each in measured[1:2]]
    mixed = [*measured[:1], *measured[2:4], *odd]
    strict = fit_rule([mixed], models.rule, weight=20.0).rule
    lenient = fit_rule([mixed], models.rule, weight=0.05).rule
    assert strict.entailment > lenient.entailment


def test_the_temperature_cools_scores_that_are_too_sure():
    models = scripted_models(lambda premise, claim: "entailment")
    measured = measure_cases(CASES, models)
    assert fit_temperature(measured, DecisionRule(name="plain")) > 1.5


def test_folds_hold_each_case_out_once_and_keep_both_labels(leaning):
    _, measured = leaning
    held_out = [case for _, part in folds(measured, 5) for case in part]
    assert sorted(map(id, held_out)) == sorted(map(id, measured))
    assert all(len({case.case.hallucinated for case in part}) == 2 for _, part in folds(measured, 5))


def test_every_rule_gets_a_verdict_from_one_run(leaning):
    models, measured = leaning
    found = verdicts(measured[1], models, models.rule, None)
    assert found is not None
    assert set(found) == set(Arm)
    assert not found[Arm.SIMILARITY_RULE].flagged


def test_a_case_that_fails_is_left_out_and_counted():
    def broken(premise, claim):
        raise MemoryError("no room")

    models = replace(scripted_models(lambda p, c: "entailment"), encoder=WordOverlapEncoder(), nli=ScriptedNli(broken))
    (measured,) = measure_cases(CASES[:1], models)
    assert measured.problem is not None
    assert verdicts(measured, models, models.rule) is None


def test_a_profile_file_is_written_and_read(tmp_path):
    result = calibrate(write(tmp_path, CASES))
    path = result.write(tmp_path / "mine.json")
    assert load_models(str(path)).rule == replace(result.rule, name="mine")
    with CitationVerifier(models=str(path)) as checker:
        good, bad = (checker.verify_case(case.response, list(case.sources)) for case in CASES[:2])
    assert good.metadata["models"]["rule"] == "mine"
    assert (good.quality_gate, bad.quality_gate) == (QualityGate.PASS, QualityGate.FAIL)


def test_calibration_reports_what_it_is_worth(tmp_path):
    result = calibrate(write(tmp_path, CASES))
    assert (result.cases, result.hallucinated, result.indeterminate) == (len(CASES), len(CASES) // 2, 0)
    assert result.after.value >= 0.9


def test_too_few_answers_of_a_label_are_refused(tmp_path):
    few = [case for case in CASES if case.hallucinated][: FEWEST_PER_CLASS - 1]
    with pytest.raises(InvalidInputError, match="needs at least 10"):
        calibrate(write(tmp_path, [*few, *(case for case in CASES if not case.hallucinated)]))


def test_a_model_pair_is_no_profile(tmp_path):
    with pytest.raises(InvalidInputError, match="works on a profile"):
        calibrate(write(tmp_path, CASES), models="mine.json")


def test_a_profile_file_must_be_json(tmp_path):
    result = calibrate(write(tmp_path, CASES))
    with pytest.raises(InvalidInputError, match=r"ends in \.json"):
        result.write(tmp_path / "mine.toml")


def test_evaluation_has_a_row_for_every_rule(tmp_path):
    report = evaluate_cases(write(tmp_path, CASES), rounds=20)
    assert [arm.name for arm in report.arms] == [arm.value for arm in Arm]
    assert report.ours.balanced_accuracy.value >= 0.9
    assert report.ours.balanced_accuracy.value > report.arms[2].balanced_accuracy.value
    assert json.loads(json.dumps(report.to_dict()))["cases"] == len(CASES)


def test_indeterminate_cases_are_counted_and_left_out(tmp_path):
    foreign = LabelledCase(response="東京は日本の首都です。", sources=("東京は日本の首都です。",), hallucinated=False)
    report = evaluate_cases(write(tmp_path, [*CASES[:4], foreign]), rounds=20)
    assert (report.cases, report.indeterminate) == (4, 1)
    assert "1 INDETERMINATE" in report.to_markdown()


def test_progress_is_told_after_each_case(tmp_path):
    seen = []
    evaluate_cases(write(tmp_path, CASES[:3]), rounds=5, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 3), (2, 3), (3, 3)]

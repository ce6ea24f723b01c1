"""Figures of merit against values worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from longtracer.metrics import auroc, balanced_accuracy, bootstrap, calibration_error, f1_of, reliability

TRUTH = np.array([True, True, True, False])
FLAGGED = np.array([True, True, False, False])


def test_balanced_accuracy_weighs_both_classes_alike():
    assert balanced_accuracy(FLAGGED, TRUTH) == pytest.approx((2 / 3 + 1) / 2)


def test_f1_of_the_hallucinated_class():
    assert f1_of(FLAGGED, TRUTH) == pytest.approx(0.8)


@pytest.mark.parametrize("figure", [balanced_accuracy, auroc])
def test_a_class_without_a_case_gives_no_figure(figure):
    assert math.isnan(figure(np.array([0.5, 0.7]) > 0.6, np.array([True, True])))


def test_f1_without_anything_to_find_is_undefined():
    assert math.isnan(f1_of(np.array([False]), np.array([False])))


@pytest.mark.parametrize(
    ("scores", "expected"), [([0.9, 0.8, 0.7, 0.1], 1.0), ([0.1, 0.2, 0.3, 0.9], 0.0), ([0.5, 0.5, 0.5, 0.5], 0.5)]
)
def test_auroc_is_the_chance_of_the_right_order(scores, expected):
    assert auroc(np.array(scores), TRUTH) == expected


def test_auroc_counts_a_tie_half():
    assert auroc(np.array([0.9, 0.5, 0.5]), np.array([True, True, False])) == 0.75


def test_calibration_error_of_honest_scores_is_zero():
    assert calibration_error(np.array([0.25] * 4), np.array([True, False, False, False])) == pytest.approx(0)


def test_calibration_error_is_the_weighted_gap():
    scores, truth = np.array([0.95, 0.95, 0.05, 0.05]), np.array([True, False, False, False])
    assert calibration_error(scores, truth) == pytest.approx(0.5 * 0.45 + 0.5 * 0.05)


def test_a_certain_score_falls_into_the_last_bin():
    (last,) = reliability(np.array([1.0]), np.array([True]))
    assert (last.low, last.high, last.count) == (0.9, 1.0, 1)


def test_the_interval_holds_the_value_and_narrows_with_more_cases():
    few, many = (bootstrap(lambda at, n=n: float((at % 2 == 0).mean()) if n else 0.0, n) for n in (20, 2000))
    assert few.low < few.value < few.high
    assert many.high - many.low < few.high - few.low


def test_the_interval_is_the_same_in_every_run():
    values = np.arange(30) % 3 == 0
    assert bootstrap(lambda at: float(values[at].mean()), 30) == bootstrap(lambda at: float(values[at].mean()), 30)


def test_no_case_gives_no_interval():
    assert str(bootstrap(lambda at: 1.0, 0)) == "-"

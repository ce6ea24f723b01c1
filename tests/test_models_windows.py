"""Windows lose no token, batches lose no input, and the window that speaks for a pair is the documented one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from longtracer.engine.models.batches import TokenRow, length_sorted_batches, padded, run_sorted
from longtracer.engine.models.windows import merge_pair, merge_vectors, pair_windows, spans

CONTRADICTED = (0.90, 0.05, 0.05)
ENTAILED = (0.05, 0.90, 0.05)
WEAKLY_ENTAILED = (0.30, 0.40, 0.30)
NEUTRAL = (0.05, 0.15, 0.80)
NEUTRAL_NEAR_ENTAILED = (0.05, 0.45, 0.50)


def rows(*probabilities: tuple[float, float, float]) -> np.ndarray:
    return np.array(probabilities, dtype=np.float32)


@given(length=st.integers(0, 2000), size=st.integers(1, 300))
def test_windows_cover_every_token_and_none_is_too_long(length: int, size: int) -> None:
    windows = spans(length, size)
    assert {token for start, end in windows for token in range(start, end)} == set(range(length))
    assert all(end - start <= size for start, end in windows)


@given(length=st.integers(0, 300))
def test_text_that_fits_is_one_window(length: int) -> None:
    assert spans(length, 300) == [(0, length)]


def test_neighbouring_windows_share_a_quarter() -> None:
    assert spans(250, 100) == [(0, 100), (75, 175), (150, 250)]


@given(premise=st.integers(0, 1500), hypothesis=st.integers(0, 700))
def test_every_token_of_a_pair_is_in_some_window_and_no_window_is_too_long(premise: int, hypothesis: int) -> None:
    windows = pair_windows(premise, hypothesis, room=253)
    for part in {window.part for window in windows}:
        covered = {t for w in windows if w.part == part for t in range(*w.premise)}
        assert covered == set(range(premise))
    assert {t for w in windows for t in range(*w.hypothesis)} == set(range(hypothesis))
    assert all(w.premise[1] - w.premise[0] + w.hypothesis[1] - w.hypothesis[0] <= 253 for w in windows)


def test_hypothesis_stays_whole_while_it_leaves_room() -> None:
    assert {window.hypothesis for window in pair_windows(1000, 120, room=253)} == {(0, 120)}


@pytest.mark.parametrize(
    ("windows", "speaks"),
    [
        ([NEUTRAL, ENTAILED], ENTAILED),
        ([CONTRADICTED, ENTAILED], ENTAILED),
        ([CONTRADICTED, WEAKLY_ENTAILED, ENTAILED], ENTAILED),
        ([NEUTRAL, CONTRADICTED], CONTRADICTED),
        ([NEUTRAL_NEAR_ENTAILED, CONTRADICTED], CONTRADICTED),
        ([NEUTRAL, NEUTRAL_NEAR_ENTAILED], NEUTRAL_NEAR_ENTAILED),
        ([NEUTRAL], NEUTRAL),
    ],
)
def test_window_that_speaks_for_a_premise(windows: list, speaks: tuple[float, float, float]) -> None:
    assert merge_pair(rows(*windows), [0] * len(windows)).tolist() == rows(speaks)[0].tolist()


@pytest.mark.parametrize(
    ("parts", "speaks"),
    [
        ([ENTAILED, NEUTRAL], NEUTRAL),
        ([ENTAILED, CONTRADICTED], CONTRADICTED),
        ([NEUTRAL, CONTRADICTED], CONTRADICTED),
        ([ENTAILED, WEAKLY_ENTAILED], WEAKLY_ENTAILED),
    ],
)
def test_part_that_speaks_for_a_long_hypothesis(parts: list, speaks: tuple[float, float, float]) -> None:
    assert merge_pair(rows(*parts), range(len(parts))).tolist() == rows(speaks)[0].tolist()


def test_merged_vector_has_length_1_and_leans_to_the_longer_window() -> None:
    merged = merge_vectors(np.eye(2, dtype=np.float32), [3, 1])
    assert np.linalg.norm(merged) == pytest.approx(1)
    assert merged[0] == pytest.approx(3 * merged[1])


def test_opposite_windows_merge_to_the_first_instead_of_nothing() -> None:
    assert merge_vectors(np.array([[1, 0], [-1, 0]], dtype=np.float32), [1, 1]).tolist() == [1, 0]


@given(lengths=st.lists(st.integers(1, 700)))
def test_every_input_is_in_one_batch(lengths: list[int]) -> None:
    batches = length_sorted_batches(lengths)
    assert sorted(index for batch in batches for index in batch) == list(range(len(lengths)))


@given(lengths=st.lists(st.integers(1, 700)))
def test_padded_batch_of_several_stays_in_the_budget(lengths: list[int]) -> None:
    for batch in length_sorted_batches(lengths, budget=512):
        assert len(batch) == 1 or len(batch) * max(lengths[index] for index in batch) <= 512


def test_padding_is_masked_and_the_second_text_has_type_1() -> None:
    arrays = padded([TokenRow([101, 5, 102, 6, 102], 3), TokenRow([101, 102], 2)])
    assert arrays["input_ids"].tolist() == [[101, 5, 102, 6, 102], [101, 102, 0, 0, 0]]
    assert arrays["token_type_ids"].tolist() == [[0, 0, 0, 1, 1], [0, 0, 0, 0, 0]]
    assert arrays["attention_mask"].tolist() == [[1, 1, 1, 1, 1], [1, 1, 0, 0, 0]]


def test_outputs_come_back_in_the_order_of_the_inputs() -> None:
    inputs = [TokenRow([1] * length, 1) for length in (400, 3, 300, 2, 200)]
    found = run_sorted(inputs, lambda arrays: arrays["attention_mask"].sum(1, keepdims=True).astype(np.float32), 1)
    assert found[:, 0].tolist() == [400, 3, 300, 2, 200]

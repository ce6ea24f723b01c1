"""Label names decide what a model's outputs mean; names that do not say it are refused."""

from __future__ import annotations

import pytest

from longtracer.contracts.errors import ModelUnavailableError
from longtracer.engine.models.labels import label_columns, labels_of_config


@pytest.mark.parametrize(
    ("labels", "columns"),
    [
        (("contradiction", "entailment", "neutral"), (0, 1, 2)),
        (("entailment", "neutral", "contradiction"), (2, 0, 1)),
        (("ENTAILMENT", "NEUTRAL", "CONTRADICTION"), (2, 0, 1)),
        (("contradictory", "entailed", "Neutral"), (0, 1, 2)),
        (("neutral", "contradicts", " entails "), (1, 2, 0)),
    ],
)
def test_columns_follow_the_names(labels: tuple[str, ...], columns: tuple[int, int, int]) -> None:
    assert label_columns(labels, model="m") == columns


@pytest.mark.parametrize(
    "labels",
    [
        ("LABEL_0", "LABEL_1", "LABEL_2"),
        ("entailment", "not_entailment"),
        ("entailment", "not_entailment", "contradiction"),
        ("entailment", "entailed", "neutral"),
        ("contradiction", "entailment", "neutral", "other"),
        ("contradiction", "entailment", "neutral", "neutral"),
        (),
    ],
)
def test_names_that_are_not_the_three_labels_are_refused(labels: tuple[str, ...]) -> None:
    with pytest.raises(ModelUnavailableError, match="must name contradiction, entailment, neutral"):
        label_columns(labels, model="m")


def test_refusal_names_the_model_and_its_labels() -> None:
    with pytest.raises(ModelUnavailableError, match=r"acme/nli: its labels are 'LABEL_0', 'LABEL_1'"):
        label_columns(("LABEL_0", "LABEL_1"), model="acme/nli")


def test_ids_of_a_config_give_the_order_not_its_writing_order() -> None:
    assert labels_of_config({"2": "neutral", "0": "entailment", "1": "contradiction"}, model="m") == (
        "entailment",
        "contradiction",
        "neutral",
    )


@pytest.mark.parametrize("id2label", [{"1": "a", "2": "b"}, {"x": "a"}, {"0": "a", "00": "b"}])
def test_ids_that_do_not_count_up_from_0_are_refused(id2label: dict[str, str]) -> None:
    with pytest.raises(ModelUnavailableError, match="ids of its id2label"):
        labels_of_config(id2label, model="m")


def test_config_without_labels_has_none() -> None:
    assert labels_of_config(None, model="m") == ()

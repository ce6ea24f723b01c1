"""Which output of a classifier means what: read from its own label names, never guessed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from longtracer.contracts.errors import ModelUnavailableError
from longtracer.engine.protocols import NLI_LABELS

__all__ = ["label_columns", "labels_of_config"]

_ALIASES: Mapping[str, str] = {
    "contradiction": "contradiction",
    "contradictory": "contradiction",
    "contradicted": "contradiction",
    "contradicts": "contradiction",
    "entailment": "entailment",
    "entailed": "entailment",
    "entails": "entailment",
    "neutral": "neutral",
}


def label_columns(labels: Sequence[str], *, model: str) -> tuple[int, int, int]:
    """The columns of a model's output in the order of `NLI_LABELS`.

    `labels` are the model's own names in output order, in any case. Raises ModelUnavailableError unless they are
    the three NLI labels, each once: `LABEL_0` says nothing, `not_entailment` is neutral and contradiction at once.
    """
    meanings = [_ALIASES.get(label.strip().lower()) for label in labels]
    if sorted(filter(None, meanings)) != sorted(NLI_LABELS) or len(meanings) != len(NLI_LABELS):
        raise ModelUnavailableError(
            f"{model}: its labels are {', '.join(map(repr, labels)) or 'missing'}; "
            f"an NLI model must name {', '.join(NLI_LABELS)} in its id2label"
        )
    contradiction, entailment, neutral = (meanings.index(label) for label in NLI_LABELS)
    return contradiction, entailment, neutral


def labels_of_config(id2label: Mapping[int | str, str] | None, *, model: str) -> tuple[str, ...]:
    """The label names of a transformers `config.id2label` in output order.

    Raises ModelUnavailableError when the ids are not 0, 1, 2, ... as numbers or as text.
    """
    named = {int(key): str(value) for key, value in (id2label or {}).items() if str(key).strip().isdecimal()}
    if sorted(named) != list(range(len(id2label or {}))):
        raise ModelUnavailableError(f"{model}: the ids of its id2label are not 0, 1, 2: {id2label!r}")
    return tuple(named[index] for index in range(len(named)))

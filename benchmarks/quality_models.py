"""Models that keep their scores, in memory and if wanted on disk, so that no pair is scored twice."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from longtracer.engine import ModelPair
from longtracer.engine.protocols import FloatArray

_BATCH = 256


class _Remembered:
    """Calls `compute` for what is new and keeps every row."""

    def __init__(self, name: str, compute: Callable[[list[Hashable]], FloatArray], file: Path | None) -> None:
        self.name = name
        self._compute = compute
        self._file = file
        self._rows: dict[Hashable, FloatArray] = {}
        if file is not None and file.exists():
            self._rows = pickle.loads(file.read_bytes())  # a file this benchmark wrote itself

    def rows(self, keys: Sequence[Hashable]) -> FloatArray:
        missing = [key for key in dict.fromkeys(keys) if key not in self._rows]
        for start in range(0, len(missing), _BATCH):
            part = missing[start : start + _BATCH]
            self._rows.update(zip(part, self._compute(part), strict=True))
        return np.stack([self._rows[key] for key in keys])

    def save(self) -> None:
        if self._file is not None:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._file.write_bytes(pickle.dumps(self._rows))


class RememberedEncoder(_Remembered):
    def encode(self, sentences: Sequence[str]) -> FloatArray:
        return self.rows(sentences)


class RememberedNli(_Remembered):
    def predict(self, pairs: Sequence[tuple[str, str]]) -> FloatArray:
        return self.rows([tuple(pair) for pair in pairs])


def remembering(models: ModelPair, folder: Path | None) -> tuple[ModelPair, Callable[[], None]]:
    """The same models with a memory, and a function that writes it below `folder`, by model revision."""

    def file(name: str) -> Path | None:
        return None if folder is None else folder / f"{name.replace('/', '_')}.pkl"

    encoder = RememberedEncoder(models.encoder.name, models.encoder.encode, file(models.encoder.name))  # type: ignore[arg-type]
    nli = RememberedNli(models.nli.name, models.nli.predict, file(models.nli.name))  # type: ignore[arg-type]

    def save() -> None:
        encoder.save()
        nli.save()

    return replace(models, encoder=encoder, nli=nli), save

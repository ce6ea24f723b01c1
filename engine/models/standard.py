"""The standard profile: the two models of the specification, run by sentence-transformers on torch.

Nothing here imports torch before the weights are known to be on this machine.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from longtracer.contracts.errors import EvaluationFailedError, ModelUnavailableError
from longtracer.engine.protocols import FloatArray, ModelPair
from longtracer.engine.rule import SPEC_RULE

from .base import Windowed
from .hub_cache import LocalModel, find_local, locate
from .labels import label_columns, labels_of_config
from .scores import label_probabilities, pairs_of_windows, sentences_of_windows
from .status import ProfileStatus, missing_modules
from .text_windows import TextWindows

__all__ = [
    "STANDARD_ENCODER",
    "STANDARD_NLI",
    "StandardEncoder",
    "StandardNli",
    "load_standard",
    "prepare_standard",
    "standard_status",
]

STANDARD_ENCODER = "sentence-transformers/all-MiniLM-L6-v2"
STANDARD_NLI = "cross-encoder/nli-deberta-v3-xsmall"
_MODULES = ("torch", "transformers", "sentence_transformers")
_EXTRA = "pip install 'longtracer-integrations[transformers]'"
_LANGUAGES = frozenset({"en"})
_BATCH = 32
_MAX_TOKENS = 512


class StandardEncoder:
    """A SentenceTransformer. Calls from several threads take turns: its tokenizer is not thread-safe."""

    def __init__(self, model: Any, name: str) -> None:
        self.name = name
        self._model = model
        self._lock = threading.Lock()
        self._windows = TextWindows(model.tokenizer, min(model.max_seq_length or _MAX_TOKENS, _MAX_TOKENS))

    def encode(self, sentences: Sequence[str]) -> FloatArray:
        """Embed `sentences`: (n, d) float32, rows of length 1. EvaluationFailedError when torch fails."""
        return self.encode_windowed(sentences).values

    def encode_windowed(self, sentences: Sequence[str]) -> Windowed:
        """As `encode`, with how many windows each sentence took (see `ReportsEncoderWindows`)."""
        with self._lock:
            parts = [self._windows.of_sentence(sentence) for sentence in sentences]
            vectors = self._encode([part for group in parts for part in group])
        return sentences_of_windows(vectors, [[len(text) for text in group] for group in parts])

    def _encode(self, texts: list[str]) -> FloatArray:
        if not texts:
            # The width, without the method for it: its name changed between releases.
            return self._encode([""])[:0]
        try:
            vectors: FloatArray = self._model.encode(
                texts, batch_size=_BATCH, show_progress_bar=False, normalize_embeddings=True
            )
        except (RuntimeError, ValueError, MemoryError) as exc:
            raise EvaluationFailedError(f"{self.name}: {exc}") from exc
        return vectors


class StandardNli:
    """A CrossEncoder of three labels. Calls from several threads take turns: its tokenizer is not thread-safe."""

    def __init__(self, model: Any, name: str, columns: tuple[int, int, int]) -> None:
        self.name = name
        self._model = model
        self._columns = columns
        self._lock = threading.Lock()
        self._windows = TextWindows(model.tokenizer, min(model.tokenizer.model_max_length, _MAX_TOKENS))

    def predict(self, pairs: Sequence[tuple[str, str]]) -> FloatArray:
        """Probabilities of `NLI_LABELS`: (n, 3) float32, rows summing to 1. EvaluationFailedError on a failure."""
        return self.predict_windowed(pairs).values

    def predict_windowed(self, pairs: Sequence[tuple[str, str]]) -> Windowed:
        """As `predict`, with how many windows each pair took (see `ReportsNliWindows`)."""
        with self._lock:
            plans = [self._windows.of_pair(*pair) for pair in pairs]
            rows = self._probabilities([(part.premise, part.hypothesis) for plan in plans for part in plan])
        return pairs_of_windows(rows, [[part.part for part in plan] for plan in plans])

    def _probabilities(self, pairs: list[tuple[str, str]]) -> FloatArray:
        if not pairs:
            return np.zeros((0, len(self._columns)), dtype=np.float32)
        import torch

        order = sorted(range(len(pairs)), key=lambda index: len(pairs[index][0]) + len(pairs[index][1]))
        try:
            logits = self._model.predict(
                [pairs[index] for index in order],
                batch_size=_BATCH,
                show_progress_bar=False,
                # The model's own activation may already be a softmax or a sigmoid: ask for the logits.
                activation_fn=torch.nn.Identity(),
            )
        except (RuntimeError, ValueError, MemoryError) as exc:
            raise EvaluationFailedError(f"{self.name}: {exc}") from exc
        probabilities = np.empty((len(pairs), len(self._columns)), dtype=np.float32)
        probabilities[order] = label_probabilities(logits, self._columns)
        return probabilities


def load_standard(
    device: str | None = None,
    *,
    encoder: str | Path = STANDARD_ENCODER,
    nli: str | Path = STANDARD_NLI,
    allow_download: bool = False,
) -> ModelPair:
    """The specification's encoder and classifier, or others given as hub names or folders.

    `device` is torch's ("cpu", "cuda", "mps"; None lets sentence-transformers choose). The local cache is used
    first, the hub only with `allow_download`. Raises ModelUnavailableError when weights are missing (before torch is
    imported), when the classifier's labels are not NLI labels, or when the extra is not installed.
    """
    _require_modules()
    encoder_files = locate(encoder, allow_download=allow_download)
    nli_files = locate(nli, allow_download=allow_download)
    columns = _columns(nli_files)
    return ModelPair(
        encoder=_load_encoder(encoder_files, device),
        nli=_load_nli(nli_files, device, columns),
        rule=SPEC_RULE,
        name="standard",
        languages=_LANGUAGES,
    )


def prepare_standard(encoder: str = STANDARD_ENCODER, nli: str = STANDARD_NLI) -> tuple[LocalModel, LocalModel]:
    """Fetch both models into the hub's cache unless they are there; ModelUnavailableError when that fails."""
    return locate(encoder, allow_download=True), locate(nli, allow_download=True)


def standard_status() -> ProfileStatus:
    """Whether the extra and both models are on this machine; imports neither torch nor transformers."""
    absent = missing_modules(_MODULES)
    if absent:
        return ProfileStatus("standard", False, f"{', '.join(absent)} not installed: {_EXTRA}", _LANGUAGES)
    missing = [model for model in (STANDARD_ENCODER, STANDARD_NLI) if find_local(model) is None]
    if missing:
        detail = f"{' and '.join(missing)} not on this machine: longtracer models prepare"
        return ProfileStatus("standard", False, detail, _LANGUAGES)
    return ProfileStatus("standard", True, f"{STANDARD_ENCODER} and {STANDARD_NLI} are in the cache", _LANGUAGES)


def _require_modules() -> None:
    absent = missing_modules(_MODULES)
    if absent:
        raise ModelUnavailableError(f"the standard models need {', '.join(absent)}: {_EXTRA}")


def _columns(files: LocalModel) -> tuple[int, int, int]:
    try:
        config = json.loads((files.folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as exc:
        raise ModelUnavailableError(f"{files.name}: config.json cannot be read: {exc}") from exc
    return label_columns(labels_of_config(config.get("id2label"), model=files.name), model=files.name)


def _load_encoder(files: LocalModel, device: str | None) -> StandardEncoder:
    from sentence_transformers import SentenceTransformer

    try:
        model = SentenceTransformer(str(files.folder), device=device, local_files_only=True)
    except (OSError, RuntimeError, ValueError, KeyError) as exc:
        raise ModelUnavailableError(f"{files.name} cannot be loaded: {exc}") from exc
    return StandardEncoder(model.float().eval(), files.name)


def _load_nli(files: LocalModel, device: str | None, columns: tuple[int, int, int]) -> StandardNli:
    from sentence_transformers import CrossEncoder

    try:
        model = CrossEncoder(str(files.folder), device=device, local_files_only=True)
    except (OSError, RuntimeError, ValueError, KeyError) as exc:
        raise ModelUnavailableError(f"{files.name} cannot be loaded: {exc}") from exc
    return StandardNli(model.float().eval(), files.name, columns)

"""The embedded profile: both models from files inside the package, on the CPU, with no network and no torch."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from longtracer.contracts.errors import ModelUnavailableError
from longtracer.engine.protocols import FloatArray, ModelPair
from longtracer.engine.rule import DecisionRule

from .base import Windowed
from .batches import run_sorted
from .labels import label_columns
from .manifest import Manifest, ModelEntry, read_manifest, verified
from .scores import label_probabilities, pairs_of_windows, sentences_of_windows
from .status import ProfileStatus, missing_modules
from .windows import pair_windows, spans

if TYPE_CHECKING:
    from .session import GraphSession
    from .tokens import WordPieces

__all__ = ["EmbeddedEncoder", "EmbeddedNli", "embedded_rule", "embedded_status", "load_embedded"]

_FOLDER = Path(__file__).parent
_MODULES = ("onnxruntime", "tokenizers")

_SINGLE_SPECIALS = 2
_PAIR_SPECIALS = 3


class EmbeddedEncoder:
    """all-MiniLM-L6-v2 on onnxruntime. Safe to share between threads; a row never depends on the other rows."""

    def __init__(self, session: GraphSession, tokenizer: WordPieces, entry: ModelEntry) -> None:
        self.name = entry.full_name
        self._session = session
        self._tokenizer = tokenizer
        self._room = entry.max_length - _SINGLE_SPECIALS
        self._dimension = entry.width

    def encode(self, sentences: Sequence[str]) -> FloatArray:
        """Embed `sentences`: (n, d) float32, rows of length 1. EvaluationFailedError when the runtime fails."""
        return self.encode_windowed(sentences).values

    def encode_windowed(self, sentences: Sequence[str]) -> Windowed:
        """As `encode`, with how many windows each sentence took (see `ReportsEncoderWindows`)."""
        tokens = self._tokenizer.ids(sentences)
        windows = [spans(len(tokens[sentence]), self._room) for sentence in sentences]
        rows = [
            self._tokenizer.single(tokens[sentence][start:end])
            for sentence, parts in zip(sentences, windows, strict=True)
            for start, end in parts
        ]
        vectors = run_sorted(rows, self._session.run, self._dimension)
        return sentences_of_windows(vectors, [[end - start for start, end in parts] for parts in windows])


class EmbeddedNli:
    """Our 3-way NLI MiniLM on onnxruntime. Safe to share between threads; no row depends on the other rows."""

    def __init__(self, session: GraphSession, tokenizer: WordPieces, entry: ModelEntry) -> None:
        self.name = entry.full_name
        self._session = session
        self._tokenizer = tokenizer
        self._room = entry.max_length - _PAIR_SPECIALS
        self._columns = label_columns(entry.labels, model=entry.full_name)

    def predict(self, pairs: Sequence[tuple[str, str]]) -> FloatArray:
        """Probabilities of `NLI_LABELS`: (n, 3) float32, rows summing to 1. EvaluationFailedError on a failure."""
        return self.predict_windowed(pairs).values

    def predict_windowed(self, pairs: Sequence[tuple[str, str]]) -> Windowed:
        """As `predict`, with how many windows each pair took (see `ReportsNliWindows`)."""
        tokens = self._tokenizer.ids(text for pair in pairs for text in pair)
        plans = [pair_windows(len(tokens[premise]), len(tokens[claim]), self._room) for premise, claim in pairs]
        rows = [
            self._tokenizer.pair(tokens[premise][start:end], tokens[claim][first:last])
            for (premise, claim), plan in zip(pairs, plans, strict=True)
            for _, (start, end), (first, last) in plan
        ]
        logits = run_sorted(rows, self._session.run, len(self._columns))
        parts = [[window.part for window in plan] for plan in plans]
        return pairs_of_windows(label_probabilities(logits, self._columns), parts)


def load_embedded(folder: Path | None = None, *, threads: int | None = None) -> ModelPair:
    """The encoder and the classifier shipped in the package, with the rule calibrated for them.

    `folder` holds another set of the same files, `threads` the threads of one call (default: the cores this
    process may use). Raises ModelUnavailableError when a file is missing or altered, or onnxruntime is not there.
    """
    root = folder or _FOLDER
    manifest = read_manifest(root)
    encoder, encoder_tokens = _load(root, manifest, manifest.encoder, threads)
    nli, nli_tokens = _load(root, manifest, manifest.nli, threads)
    return ModelPair(
        encoder=EmbeddedEncoder(encoder, encoder_tokens, manifest.encoder),
        nli=EmbeddedNli(nli, nli_tokens, manifest.nli),
        rule=manifest.rule,
        name=manifest.profile,
        languages=manifest.languages,
    )


def embedded_rule(folder: Path | None = None) -> DecisionRule:
    """The rule calibrated for the embedded models, without loading them; ModelUnavailableError when it is missing."""
    return read_manifest(folder or _FOLDER).rule


def embedded_status(folder: Path | None = None) -> ProfileStatus:
    """Whether the runtime and every shipped file are there; sizes are compared here, hashes at load."""
    root = folder or _FOLDER
    absent = missing_modules(_MODULES)
    if absent:
        return ProfileStatus("embedded", False, f"{', '.join(absent)} not installed")
    try:
        manifest = read_manifest(root)
    except ModelUnavailableError as exc:
        return ProfileStatus("embedded", False, str(exc))
    wrong = [name for name, entry in manifest.files.items() if _size(root / name) != entry.bytes]
    detail = f"missing or altered: {', '.join(wrong)}" if wrong else "shipped with the package, runs on the CPU"
    return ProfileStatus("embedded", not wrong, detail, manifest.languages)


def _size(path: Path) -> int | None:
    return path.stat().st_size if path.is_file() else None


def _load(root: Path, manifest: Manifest, entry: ModelEntry, threads: int | None) -> tuple[GraphSession, WordPieces]:
    try:
        from .session import GraphSession, available_cores
        from .tokens import WordPieces
    except ImportError as exc:
        raise ModelUnavailableError(f"the embedded models need onnxruntime and tokenizers: {exc}") from exc
    # By path, not by content: a session made from bytes keeps them beside the weights it made of them.
    graph = verified(root, entry.graph, manifest)
    tokenizer = WordPieces(verified(root, entry.tokenizer, manifest).read_bytes(), entry.tokenizer)
    session = GraphSession(graph, name=entry.full_name, threads=threads or available_cores())
    return session, tokenizer

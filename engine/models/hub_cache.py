"""Finding a model on this machine, or fetching it when allowed, without importing torch or transformers."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from longtracer.contracts.errors import ModelUnavailableError

__all__ = ["LocalModel", "download", "find_local", "hub_offline", "locate"]

_WEIGHTS = (
    "model.safetensors",
    "pytorch_model.bin",
    "model.safetensors.index.json",
    "pytorch_model.bin.index.json",
)
_TOKENIZERS = ("tokenizer.json", "vocab.txt", "spm.model", "sentencepiece.bpe.model", "vocab.json")
_PATTERNS = ["*.json", "*.txt", "*.model", "*/config.json", "model*.safetensors"]
_OLD_WEIGHTS = ["pytorch_model*.bin"]
_CACHE_VARIABLES = ("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "SENTENCE_TRANSFORMERS_HOME")
_TRUE = frozenset({"1", "on", "yes", "true"})


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A model's folder on this machine, with the name and revision that results report."""

    folder: Path
    name: str


def find_local(model: str | Path) -> LocalModel | None:
    """`model` as a folder, else as a hub name in the local cache; None when it is neither or is incomplete."""
    folder = Path(model)
    if folder.is_dir():
        return LocalModel(folder, folder.name) if _complete(folder) else None
    for cache in _cache_folders():
        repository = cache / f"models--{str(model).replace('/', '--')}"
        snapshot = _main_snapshot(repository)
        if snapshot is not None and _complete(snapshot):
            return LocalModel(snapshot, f"{model}@{snapshot.name[:12]}")
    return None


def locate(model: str | Path, *, allow_download: bool) -> LocalModel:
    """The local model, downloaded first when it is missing and that is allowed.

    Raises ModelUnavailableError with the way to get it. HF_HUB_OFFLINE forbids the download in any case.
    """
    found = find_local(model)
    if found is not None:
        return found
    if Path(model).is_dir():
        raise ModelUnavailableError(f"the folder {model} lacks config.json, its weights or its tokenizer")
    if not allow_download:
        raise ModelUnavailableError(f"{model} is not on this machine; run: longtracer models prepare")
    if hub_offline():
        raise ModelUnavailableError(f"{model} is not on this machine and HF_HUB_OFFLINE forbids fetching it")
    return download(str(model))


def download(model: str) -> LocalModel:
    """Fetch `model` into the hub's cache; ModelUnavailableError when the hub cannot be reached or lacks it."""
    try:
        from huggingface_hub import snapshot_download
    except ImportError as exc:
        raise ModelUnavailableError(
            f"fetching {model} needs the extra: pip install 'longtracer-integrations[transformers]'"
        ) from exc
    for patterns in (_PATTERNS, [*_PATTERNS, *_OLD_WEIGHTS]):
        try:
            folder = Path(snapshot_download(model, allow_patterns=patterns))
        except Exception as exc:  # the hub, its HTTP client and the disk each raise their own kinds
            raise ModelUnavailableError(f"{model} could not be fetched: {exc}") from exc
        if _complete(folder):
            return LocalModel(folder, f"{model}@{folder.name[:12]}")
    raise ModelUnavailableError(f"{model} was fetched but lacks its weights or its tokenizer")


def hub_offline() -> bool:
    """Whether HF_HUB_OFFLINE or TRANSFORMERS_OFFLINE is set."""
    return any(os.environ.get(name, "").lower() in _TRUE for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"))


def _cache_folders() -> list[Path]:
    """Where the hub's client would look, read from the environment now and not when some module was imported."""
    home = os.environ.get("HF_HOME")
    root = Path(home) if home else Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache") / "huggingface"
    named = [os.environ.get(name, "") for name in _CACHE_VARIABLES]
    return [Path(folder).expanduser() for folder in (*named, str(root / "hub")) if folder]


def _main_snapshot(repository: Path) -> Path | None:
    try:
        revision = (repository / "refs" / "main").read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return None
    return repository / "snapshots" / revision


def _complete(folder: Path) -> bool:
    """Whether `folder` can be loaded: the links of an interrupted download count as missing."""
    groups = (("config.json",), _WEIGHTS, _TOKENIZERS)
    return all(any((folder / name).is_file() for name in group) for group in groups)

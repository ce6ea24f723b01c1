"""A run's state on disk: written whole or not at all, so a stopped run goes on where it was."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch


@dataclass(slots=True)
class Progress:
    """How far a run is. `elapsed` counts seconds of training only; `batch` counts batches done in `epoch`."""

    epoch: int = 0
    batch: int = 0
    step: int = 0
    elapsed: float = 0.0


def save(path: Path, model: Any, optimizer: torch.optim.Optimizer, progress: Progress) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "progress": asdict(progress)}
    torch.save(state, partial)
    os.replace(partial, path)


def resume(path: Path, model: Any, optimizer: torch.optim.Optimizer) -> Progress:
    """Puts a saved state into `model` and `optimizer`; a fresh `Progress` when nothing was saved."""
    if not path.exists():
        return Progress()
    state = torch.load(path, weights_only=True)
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    return Progress(**state["progress"])

"""A run's configuration file."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from training.data import MixtureConfig


@dataclass(frozen=True, slots=True)
class Schedule:
    """The learning rate: linear warm-up, a plateau, then linear decay to zero.

    The run's length is given in minutes of training, not in steps: on a shared machine it then ends on time.
    `hold` is the share of the run after which the rate decays.
    """

    peak: float
    minutes: float
    warmup_steps: int = 100
    hold: float = 0.0

    def rate(self, step: int, elapsed: float) -> float:
        """The rate at a step, `elapsed` seconds into the run."""
        done = elapsed / (60 * self.minutes)
        decay = 1.0 if done <= self.hold else max(0.0, (1.0 - done) / (1.0 - self.hold))
        return self.peak * decay * min(1.0, (step + 1) / self.warmup_steps)

    def over(self, elapsed: float) -> bool:
        return elapsed >= 60 * self.minutes


@dataclass(frozen=True, slots=True)
class BatchConfig:
    """`token_budget` padded tokens a batch at most; a row's loss counts 1 / `nominal_rows`, whatever its batch."""

    max_length: int = 256
    token_budget: int = 4096
    max_rows: int = 96
    nominal_rows: int = 64
    pool: int = 4096


@dataclass(frozen=True, slots=True)
class RunConfig:
    """Everything that decides a run, besides the data and the checkpoint it starts from."""

    mixture: MixtureConfig
    schedule: Schedule
    batches: BatchConfig = BatchConfig()
    synthetic: dict[str, int] = field(default_factory=dict)
    seed: int = 0
    frozen_layers: int = 0
    smoothing: float = 0.0
    weight_decay: float = 0.01
    bf16: bool = True
    save_minutes: float = 3.0
    evaluate_minutes: float = 15.0
    evaluate_rows: int = 300


def read_config(path: Path) -> RunConfig:
    """Reads a TOML file.

    Raises:
        TypeError: a key is unknown or missing.
    """
    table: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    mixture = table.pop("mixture")
    return RunConfig(
        mixture=MixtureConfig(**{**mixture, "sets": tuple(mixture["sets"])}),
        schedule=Schedule(**table.pop("schedule")),
        batches=BatchConfig(**table.pop("batches", {})),
        **table,
    )

"""Averages the weights of checkpoints: `python -m training.average OUT CHECKPOINT CHECKPOINT ...`."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from safetensors.torch import load_file

from training.model import save_half

State = Mapping[str, torch.Tensor]


def average(states: Sequence[State]) -> dict[str, torch.Tensor]:
    """The mean of each tensor, computed in single precision.

    Raises:
        ValueError: no states, or states that do not have the same tensors.
    """
    if not states or any(state.keys() != states[0].keys() for state in states):
        raise ValueError("checkpoints to average must exist and have the same tensors")
    return {name: torch.stack([state[name].float() for state in states]).mean(dim=0) for name in states[0]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("checkpoints", type=Path, nargs="+")
    arguments = parser.parse_args()
    states = [load_file(folder / "model.safetensors") for folder in arguments.checkpoints]
    save_half(average(states), arguments.checkpoints[0], arguments.out)


if __name__ == "__main__":
    main()

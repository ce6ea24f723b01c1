"""Turns the classifier that ships back into a checkpoint that training can go on from.

`python -m training.recover GRAPH --start DIR --out DIR`

A run's checkpoints are not kept with the project, its weights are. The layers come back as the graph rounded them
(7 bits with one scale per output, a fraction of a point of accuracy); the embeddings, which no run trains, are taken
at full precision from the checkpoint that the runs started from.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
import torch
from onnx import numpy_helper
from safetensors.torch import load_file

from training.model import save_half

_SELF = ".attention.self"
_FUSED = {"query_key_value": ("query", "key", "value"), "key_value": ("key", "value"), "query": ("query",)}
Arrays = Mapping[str, npt.NDArray[np.generic]]


def layers(constants: Arrays) -> dict[str, npt.NDArray[np.float32]]:
    """The weights of every layer by their name in a transformers BERT, from the constants of a graph.

    Matrices are (outputs, inputs); the graph stores codes (inputs, outputs) and a scale for each output.
    """
    found: dict[str, npt.NDArray[np.float32]] = {}
    for name, value in constants.items():
        if name.endswith(".int8") and name != "words.int8":
            stem = name.removesuffix(".int8")
            matrix = value.T.astype(np.float32) * constants[f"{stem}.scale"].astype(np.float32)[:, None]
            found.update({f"{part}.weight": piece for part, piece in _parts(stem, matrix)})
        elif name.endswith((".bias", ".weight")) and not name.startswith("embeddings."):
            found.update(_vector(name, value.astype(np.float32)))
    return found


def _parts(stem: str, matrix: npt.NDArray[np.float32]) -> list[tuple[str, npt.NDArray[np.float32]]]:
    """One matrix, or the projections that the graph multiplies in one product."""
    before, _, last = stem.rpartition(".")
    names = _FUSED.get(last, ()) if before.endswith(_SELF) else ()
    if not names:
        return [(stem, matrix)]
    return [(f"{before}.{name}", piece) for name, piece in zip(names, np.split(matrix, len(names)), strict=True)]


def _vector(name: str, value: npt.NDArray[np.float32]) -> dict[str, npt.NDArray[np.float32]]:
    """A bias or a small matrix as it is; the joined bias of an attention in its three parts."""
    stem = name.removesuffix(".bias")
    if not stem.endswith(_SELF):
        return {name: value}
    return {
        f"{stem}.{part}.bias": piece for part, piece in zip(("query", "key", "value"), np.split(value, 3), strict=True)
    }


def recover(graph: Path, start: Path, out: Path) -> None:
    """Writes a checkpoint folder with the layers of `graph` and everything else of `start`.

    Raises:
        ValueError: the graph lacks a layer of the checkpoint, or has one of another shape.
    """
    constants = {item.name: numpy_helper.to_array(item) for item in onnx.load(graph).graph.initializer}
    found = layers(constants)
    state: dict[str, torch.Tensor] = {}
    for name, tensor in load_file(start / "model.safetensors").items():
        plain = name.removeprefix("bert.")
        if plain.startswith("embeddings."):
            state[name] = tensor
            continue
        if plain not in found or found[plain].shape != tuple(tensor.shape):
            raise ValueError(f"{graph} has no weights like {name} of {start}")
        state[name] = torch.from_numpy(found[plain])
    save_half(state, start, out)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graph", type=Path)
    parser.add_argument("--start", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    recover(arguments.graph, arguments.start, arguments.out)


if __name__ == "__main__":
    main()

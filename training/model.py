"""The cross-encoder being trained: loading, its loss, and saving a half-precision copy."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from torch.nn import functional
from transformers import AutoModelForSequenceClassification

from training.batches import Batch
from training.pairs import LABELS


def load(folder: Path) -> Any:
    """The checkpoint in single precision, ready for `forward`.

    Raises:
        ValueError: the checkpoint's labels are not ours, in our order.
    """
    # Written-out attention: on CPUs the fused kernel's backward pass is slower, most of all in bfloat16.
    model = AutoModelForSequenceClassification.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager")
    found = tuple(model.config.id2label[index] for index in range(model.config.num_labels))
    if found != LABELS:
        raise ValueError(f"{folder} labels its outputs {found}, expected {LABELS}")
    return model


def forward(model: Any, batch: Batch, *, bf16: bool) -> torch.Tensor:
    """Logits (rows, 3), float32."""
    # A 4-d mask is added to the attention scores as it is.
    bias = (1.0 - batch.mask[:, None, None, :].float()) * -1e9
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=bf16):
        logits: torch.Tensor = model(input_ids=batch.ids, token_type_ids=batch.types, attention_mask=bias).logits
    return logits.float()


def loss(logits: torch.Tensor, targets: torch.Tensor, smoothing: float) -> torch.Tensor:
    """Per-row loss (rows,): smoothed cross-entropy, or -log(p_neutral + p_contradiction) for target 3."""
    log_p = functional.log_softmax(logits, dim=-1)
    not_entailed = torch.logsumexp(log_p[:, [0, 2]], dim=-1, keepdim=True)
    chosen = torch.cat([log_p, not_entailed], dim=-1).gather(1, targets[:, None]).squeeze(1)
    return -(1.0 - smoothing) * chosen - smoothing * log_p.mean(dim=-1)


def save_half(state: Mapping[str, torch.Tensor], origin: Path, folder: Path) -> None:
    """Writes a folder that loads like `origin` with other weights, float16."""
    folder.mkdir(parents=True, exist_ok=True)
    half = {name: value.detach().to(torch.float16).contiguous() for name, value in state.items()}
    save_file(half, folder / "model.safetensors", metadata={"format": "pt"})
    for name in ("config.json", "tokenizer.json", "tokenizer_config.json"):
        if (origin / name).resolve() != (folder / name).resolve():
            shutil.copy(origin / name, folder / name)


def frozen_names(model: Any, layers: int) -> Callable[[str], bool]:
    """Tells which parameters stay as they are: embeddings, and the first `layers` layers."""
    prefixes = ("bert.embeddings.", *(f"bert.encoder.layer.{index}." for index in range(layers)))
    names = {name for name, _ in model.named_parameters() if name.startswith(prefixes)}
    return names.__contains__

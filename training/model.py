"""The cross-encoder being trained: loading, its loss, and saving a half-precision copy."""

from __future__ import annotations

import math
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
        states = model.bert.embeddings(input_ids=batch.ids, token_type_ids=batch.types)
        *layers, last = model.bert.encoder.layer
        for layer in layers:
            states = layer(states, bias)
        logits: torch.Tensor = model.classifier(model.dropout(model.bert.pooler(_first_token(last, states, bias))))
    return logits.float()


def _first_token(layer: Any, states: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    """The layer's output (rows, 1, hidden) for the first token, the only one that the head reads.

    Saves a tenth of a step.
    """
    attention, first = layer.attention.self, states[:, :1]

    def heads(projected: torch.Tensor) -> torch.Tensor:
        return projected.unflatten(-1, (attention.num_attention_heads, -1)).transpose(1, 2)

    query, key, value = heads(attention.query(first)), heads(attention.key(states)), heads(attention.value(states))
    scores = query @ key.transpose(2, 3) / math.sqrt(query.shape[-1]) + bias
    mixed = (attention.dropout(scores.softmax(dim=-1).to(value.dtype)) @ value).transpose(1, 2).flatten(2)
    attended = layer.attention.output(mixed, first)
    output: torch.Tensor = layer.output(layer.intermediate(attended), attended)
    return output


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

"""Transformers models small enough to make on the spot: random weights, the real tokenizer, labels as asked for."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import torch
from transformers import BertConfig, BertForSequenceClassification, BertModel

import longtracer.engine.models as shipped

__all__ = ["NLI_NAMES", "tiny_encoder", "tiny_nli"]

NLI_NAMES = ("contradiction", "entailment", "neutral")
_SEED = 7


def tiny_nli(folder: Path, labels: Sequence[str] = NLI_NAMES, meanings: Sequence[str] = NLI_NAMES) -> Path:
    """Save a random classifier whose outputs are called `labels` in its config and mean `meanings`.

    Models with the same seed and other orders of `meanings` compute the same for the same meaning.
    """
    torch.manual_seed(_SEED)
    config = _config(id2label=dict(enumerate(labels)), label2id={label: i for i, label in enumerate(labels)})
    model = BertForSequenceClassification(config)
    with torch.no_grad():
        # Small, so that the softmax stays far from 0 and 1 and a difference shows.
        head = torch.randn(len(NLI_NAMES), config.hidden_size) * 0.2
        model.classifier.weight.copy_(head[[NLI_NAMES.index(meaning) for meaning in meanings]])
    model.save_pretrained(folder)
    return _with_tokenizer(folder)


def tiny_encoder(folder: Path) -> Path:
    """Save a random BERT as sentence-transformers finds one: it adds mean pooling itself."""
    torch.manual_seed(_SEED)
    BertModel(_config()).save_pretrained(folder)
    return _with_tokenizer(folder)


def _config(**labels: object) -> BertConfig:
    return BertConfig(
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        hidden_dropout_prob=0.3,
        initializer_range=0.3,
        **labels,
    )


def _with_tokenizer(folder: Path) -> Path:
    shutil.copy(Path(shipped.__file__).parent / "tokenizer.json", folder / "tokenizer.json")
    settings = {
        "tokenizer_class": "BertTokenizer",
        "model_max_length": 128,
        "cls_token": "[CLS]",
        "sep_token": "[SEP]",
        "pad_token": "[PAD]",
        "unk_token": "[UNK]",
        "mask_token": "[MASK]",
    }
    (folder / "tokenizer_config.json").write_text(json.dumps(settings), encoding="utf-8")
    return folder

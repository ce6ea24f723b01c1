"""A run on a tiny model: what stops and resumes ends where an unbroken run ends."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.processors import BertProcessing
from transformers import BertConfig, BertForSequenceClassification

from training.average import average
from training.batches import collate, cut, encode, load_tokenizer
from training.checkpoints import resume, save
from training.config import BatchConfig, RunConfig, Schedule
from training.data import MixtureConfig
from training.model import forward, load, loss, save_half
from training.pairs import LABELS, Pair
from training.predict import Predictor, softmax
from training.temperature import fit
from training.train import Places, Trainer

WORDS = ["the", "cat", "dog", "sat", "ran", "not", "."]
PAIRS = [
    Pair("the cat sat .", "the cat ran .", "contradiction", "x"),
    Pair("the cat sat .", "the cat sat .", "entailment", "x"),
    Pair("the dog ran .", "the cat sat .", "neutral", "x"),
    Pair("the dog ran . the cat sat .", "dog not .", "not_entailment", "x"),
]


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tiny")
    vocabulary = {word: index for index, word in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *WORDS])}
    tokenizer = Tokenizer(WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.post_processor = BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text("{}", encoding="utf-8")
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        id2label=dict(enumerate(LABELS)),
        label2id={label: index for index, label in enumerate(LABELS)},
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    return folder


def make_trainer(checkpoint: Path, run: Path, **changes: Any) -> Trainer:
    run.mkdir(parents=True, exist_ok=True)
    config = RunConfig(MixtureConfig(()), Schedule(1e-3, 10.0, 1), BatchConfig(max_length=32), bf16=False, **changes)
    return Trainer(config, Places(run, checkpoint, run))


def some_batch(checkpoint: Path) -> Any:
    return collate(encode(load_tokenizer(checkpoint, 32), PAIRS))


def weights(trainer: Trainer) -> list[Any]:
    return [value.clone() for value in trainer.model.state_dict().values()]


def equal(left: list[Any], right: list[Any]) -> bool:
    return all(torch.equal(one, other) for one, other in zip(left, right, strict=True))


def test_a_resumed_run_ends_where_an_unbroken_one_ends(checkpoint: Path, tmp_path: Path) -> None:
    batch = some_batch(checkpoint)
    unbroken = make_trainer(checkpoint, tmp_path / "a")
    for _ in range(4):
        unbroken.step(batch)
    first = make_trainer(checkpoint, tmp_path / "b")
    for _ in range(2):
        first.step(batch)
    first.save()
    second = make_trainer(checkpoint, tmp_path / "b")
    for _ in range(2):
        second.step(batch)
    assert equal(weights(second), weights(unbroken))


def test_progress_is_resumed(checkpoint: Path, tmp_path: Path) -> None:
    trainer = make_trainer(checkpoint, tmp_path)
    trainer.progress.batch, trainer.progress.elapsed = 5, 7.5
    save(tmp_path / "state.pt", trainer.model, trainer.optimizer, trainer.progress)
    assert resume(tmp_path / "state.pt", trainer.model, trainer.optimizer) == trainer.progress


def test_a_step_changes_the_weights_that_are_not_frozen(checkpoint: Path, tmp_path: Path) -> None:
    trainer = make_trainer(checkpoint, tmp_path, frozen_layers=1)
    before = {name: value.clone() for name, value in trainer.model.named_parameters()}
    trainer.step(some_batch(checkpoint))
    changed = {name for name, value in trainer.model.named_parameters() if not torch.equal(value, before[name])}
    assert "bert.encoder.layer.1.output.dense.weight" in changed
    assert not [name for name in changed if name.startswith(("bert.embeddings", "bert.encoder.layer.0."))]


def test_training_lowers_the_loss(checkpoint: Path, tmp_path: Path) -> None:
    trainer = make_trainer(checkpoint, tmp_path)
    losses = [trainer.step(some_batch(checkpoint)) for _ in range(30)]
    assert losses[-1] < losses[0]


def test_the_last_layer_is_that_of_the_whole_model(checkpoint: Path) -> None:
    model, batch = load(checkpoint).eval(), some_batch(checkpoint)
    with torch.no_grad():  # Fresh weights are so small that every pair would get the same logits.
        for parameter in model.parameters():
            parameter.mul_(10.0)
    whole = model(input_ids=batch.ids, token_type_ids=batch.types, attention_mask=batch.mask).logits
    assert torch.allclose(forward(model, batch, bf16=False), whole, atol=1e-5)
    assert not torch.allclose(whole[0], whole[1], atol=1e-3)


def test_padding_does_not_change_a_row(checkpoint: Path) -> None:
    model = load(checkpoint).eval()
    alone = forward(model, collate(encode(load_tokenizer(checkpoint, 32), PAIRS[:1])), bf16=False)
    padded = forward(model, some_batch(checkpoint), bf16=False)
    assert torch.allclose(alone[0], padded[0], atol=1e-5)


def test_not_entailment_is_trained_on_the_sum_of_the_other_two() -> None:
    logits = torch.log(torch.tensor([[0.2, 0.5, 0.3]]))
    assert loss(logits, torch.tensor([3]), 0.0).item() == pytest.approx(-torch.log(torch.tensor(0.5)).item())


def test_smoothing_raises_the_loss_of_a_sure_answer() -> None:
    logits, target = torch.tensor([[0.0, 9.0, 0.0]]), torch.tensor([1])
    assert loss(logits, target, 0.1) > loss(logits, target, 0.0)


def test_batches_stay_within_the_token_budget(checkpoint: Path) -> None:
    rows = sorted(encode(load_tokenizer(checkpoint, 32), PAIRS * 5), key=lambda row: len(row.ids))
    groups = cut(rows, 60, 4)
    assert all(len(group) * len(group[-1].ids) <= 60 and len(group) <= 4 for group in groups)
    assert [row for group in groups for row in group] == rows


def test_the_second_segment_is_the_hypothesis(checkpoint: Path) -> None:
    (row,) = encode(load_tokenizer(checkpoint, 32), PAIRS[:1])
    assert row.ids[row.split - 1] == 3


def test_predictions_come_in_the_order_of_the_pairs(checkpoint: Path) -> None:
    predictor = Predictor.from_folder(checkpoint)
    forwards, backwards = predictor.logits(PAIRS), predictor.logits(PAIRS[::-1])
    assert abs(forwards - backwards[::-1]).max() < 1e-5


def test_a_saved_copy_loads_with_the_same_weights(checkpoint: Path, tmp_path: Path) -> None:
    model = load(checkpoint)
    save_half(model.state_dict(), checkpoint, tmp_path / "copy")
    copy = load(tmp_path / "copy")
    assert equal([v.half() for v in model.state_dict().values()], [v.half() for v in copy.state_dict().values()])


def test_foreign_labels_are_refused(checkpoint: Path, tmp_path: Path) -> None:
    save_half(load(checkpoint).state_dict(), checkpoint, tmp_path)
    config = (checkpoint / "config.json").read_text(encoding="utf-8")
    (tmp_path / "config.json").write_text(config.replace("neutral", "unknown"), encoding="utf-8")
    with pytest.raises(ValueError, match="unknown"):
        load(tmp_path)


def test_averaging_takes_the_mean(checkpoint: Path) -> None:
    state = load_file(checkpoint / "model.safetensors")
    doubled = {name: 3 * value for name, value in state.items()}
    mean = average([state, doubled])
    assert all(torch.allclose(mean[name], 2 * value, atol=1e-5) for name, value in state.items())


def test_averaging_refuses_states_that_differ() -> None:
    with pytest.raises(ValueError, match="same tensors"):
        average([{"a": torch.zeros(1)}, {"b": torch.zeros(1)}])


def test_an_overconfident_model_gets_a_high_temperature() -> None:
    logits = np.tile([0.0, 4.0, 0.0], (100, 1))
    truth = np.arange(100) % 10 < 6
    assert fit([(logits, truth)]) > 1.5


def test_softmax_sums_to_one() -> None:
    assert softmax(np.array([[1.0, 2.0, 3.0]])).sum() == pytest.approx(1.0)

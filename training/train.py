"""Trains the cross-encoder: `python -m training.train CONFIG --data DIR --start DIR --run DIR`."""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer

from training.batches import Batch, encode, epoch_batches, load_tokenizer
from training.checkpoints import Progress, resume, save
from training.config import RunConfig, read_config
from training.data import draw_epoch, load_sets, read_held_out, usable
from training.evaluate import report_sets
from training.model import forward, frozen_names, load, loss, save_half
from training.pairs import Pair, read_pairs, read_rows
from training.predict import Predictor
from training.synthetic.build import Prose, generate

WATCHED = ["mnli_dev_mismatched_gold", "begin", "halueval_qa", "q2_wow", "healthver_test"]


@dataclass(frozen=True, slots=True)
class Places:
    """One run's folders: the data, the checkpoint it starts from, its own state; and files of further pairs."""

    data: Path
    start: Path
    run: Path
    extra: tuple[Path, ...] = ()

    @property
    def state(self) -> Path:
        return self.run / "state.pt"

    @property
    def latest(self) -> Path:
        return self.run / "latest"


class Source:
    """The batches of each epoch, the same for the same configuration."""

    def __init__(self, config: RunConfig, places: Places, tokenizer: Tokenizer) -> None:
        self._config = config
        self._tokenizer = tokenizer
        self._held_out = read_held_out(places.data)
        self._sets = load_sets(places.data, config.mixture, self._held_out)
        for path in places.extra:
            self._sets[path.stem] = usable(read_pairs(path), config.mixture, self._held_out)
        prose = read_rows(places.data / "prose" / "wiki_sentences.jsonl.gz") if config.synthetic else []
        self._prose = Prose.of([str(row["text"]) for row in prose])

    def pairs(self, epoch: int) -> list[Pair]:
        """Pairs of the sets and made pairs, mixed."""
        seed = self._config.seed
        made = generate(self._prose, self._config.synthetic, seed=seed, epoch=epoch)
        sets = {**self._sets, "synthetic": usable(made, self._config.mixture, self._held_out)}
        return draw_epoch(sets, self._config.mixture.caps, seed=seed, epoch=epoch)

    def batches(self, epoch: int, skip: int) -> Iterator[Batch]:
        sizes = self._config.batches
        rows = encode(self._tokenizer, self.pairs(epoch))
        made = epoch_batches(
            rows,
            token_budget=sizes.token_budget,
            max_rows=sizes.max_rows,
            pool=sizes.pool,
            rng=random.Random(f"{self._config.seed}/{epoch}/order"),
        )
        for index, batch in enumerate(made):
            if index >= skip:
                yield batch


class Every:
    """Tells when `seconds` have passed since it last said so."""

    def __init__(self, seconds: float, now: float) -> None:
        self._seconds = seconds
        self._last = now

    def due(self, now: float) -> bool:
        if now - self._last < self._seconds:
            return False
        self._last = now
        return True


class Trainer:
    """One run: owns the model, its optimiser and its progress."""

    def __init__(self, config: RunConfig, places: Places) -> None:
        self.config = config
        self.places = places
        self.model: Any = load(places.start)
        frozen = frozen_names(self.model, config.frozen_layers)
        for name, parameter in self.model.named_parameters():
            parameter.requires_grad_(not frozen(name))
        self.optimizer = make_optimizer(self.model, config)
        self.progress: Progress = resume(places.state, self.model, self.optimizer)
        self.tokenizer = load_tokenizer(places.start, config.batches.max_length)

    def step(self, batch: Batch) -> float:
        """One update; the mean loss of the batch's rows."""
        rate = self.config.schedule.rate(self.progress.step, self.progress.elapsed)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.model.train()
        losses = loss(forward(self.model, batch, bf16=self.config.bf16), batch.targets, self.config.smoothing)
        (losses.sum() / self.config.batches.nominal_rows).backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad()
        return float(losses.detach().mean())

    def run(self, source: Source) -> None:
        """Trains until the schedule is over, saving and evaluating on the way."""
        origin = time.monotonic() - self.progress.elapsed
        saved = Every(60 * self.config.save_minutes, self.progress.elapsed)
        evaluated = Every(60 * self.config.evaluate_minutes, self.progress.elapsed)
        recent: list[float] = []
        for batch in self.batches(source):
            recent.append(self.step(batch))
            self.progress.elapsed = time.monotonic() - origin
            if self.progress.step % 20 == 0:
                self.log(loss=round(sum(recent) / len(recent), 4))
                recent.clear()
            if saved.due(self.progress.elapsed):
                self.save()
            if evaluated.due(self.progress.elapsed):
                self.evaluate()
            if self.config.schedule.over(self.progress.elapsed):
                break
        self.save()
        self.evaluate()

    def batches(self, source: Source) -> Iterator[Batch]:
        """Batches from where the run stands, epoch after epoch."""
        while True:
            for batch in source.batches(self.progress.epoch, self.progress.batch):
                self.progress.batch += 1
                self.progress.step += 1
                yield batch
            self.progress.epoch += 1
            self.progress.batch = 0

    def save(self) -> None:
        save(self.places.state, self.model, self.optimizer, self.progress)
        save_half(self.model.state_dict(), self.places.start, self.places.latest)

    def evaluate(self) -> None:
        predictor = Predictor(self.model, self.tokenizer, bf16=self.config.bf16)
        for report in report_sets(self.places.data, WATCHED, predictor, self.config.evaluate_rows):
            self.log(**asdict(report))

    def log(self, **fields: object) -> None:
        line = json.dumps({**asdict(self.progress), **fields})
        print(line, flush=True)
        with (self.places.run / "log.jsonl").open("a", encoding="utf-8") as log:
            log.write(line + "\n")


def make_optimizer(model: Any, config: RunConfig) -> torch.optim.Optimizer:
    """AdamW over the trainable parameters; no decay on biases and norms."""
    trainable = [parameter for parameter in model.parameters() if parameter.requires_grad]
    groups = [
        {"params": [p for p in trainable if p.ndim > 1], "weight_decay": config.weight_decay},
        {"params": [p for p in trainable if p.ndim <= 1], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=config.schedule.peak, betas=(0.9, 0.98), fused=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("config", type=Path)
    for name in ("--data", "--start", "--run"):
        parser.add_argument(name, type=Path, required=True)
    parser.add_argument("--extra", type=Path, nargs="*", default=[], help="files of further pairs")
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    config = read_config(arguments.config)
    torch.manual_seed(config.seed)
    places = Places(arguments.data, arguments.start, arguments.run, tuple(arguments.extra))
    places.run.mkdir(parents=True, exist_ok=True)
    trainer = Trainer(config, places)
    trainer.run(Source(config, places, trainer.tokenizer))


if __name__ == "__main__":
    main()

"""Make the files of the embedded profile from a fine-tuned classifier and the encoder it came from.

    python -m training.export --checkpoint DIR --encoder DIR --calibration FILE --out engine/models

Both folders hold a transformers model (config.json, model.safetensors, tokenizer.json); the calibration file holds
premises and hypotheses as gzipped JSON lines. Rewrites the graphs with their weights in 8-bit storage, the tokenizer
and the manifest (its rule is kept unless --rule gives another), then compares the result with torch at full precision.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
from safetensors.numpy import load_file

from longtracer.engine import DecisionRule
from longtracer.engine.models.labels import labels_of_config
from longtracer.engine.models.manifest import MANIFEST, FileEntry, Manifest, ModelEntry
from longtracer.engine.models.rule_numbers import rule_with
from training.bert_graph import Bert, classifier_model, encoder_model
from training.calibrate import Texts, calibration_pairs, input_moments
from training.compare_export import report_differences

TOKENIZER = "tokenizer.json"
ENCODER = "encoder.onnx"
NLI = "nli.onnx"


@dataclass(frozen=True)
class Source:
    """A transformers model folder, read into memory."""

    folder: Path
    weights: dict[str, npt.NDArray[np.float32]]
    config: dict[str, object]
    tokenizer: bytes
    revision: str

    @classmethod
    def read(cls, folder: Path) -> Source:
        """Read `folder`; the revision is the start of the SHA-256 of its weights."""
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        weights = folder / "model.safetensors"
        return cls(
            folder=folder,
            weights={name: tensor.astype(np.float32) for name, tensor in load_file(weights).items()},
            config=config,
            tokenizer=plain_tokenizer((folder / TOKENIZER).read_bytes()),
            revision=hashlib.sha256(weights.read_bytes()).hexdigest()[:12],
        )

    def bert(self, texts: Texts) -> Bert:
        """The model with the moments of its layers' inputs over `texts`."""
        return Bert.of(self.config, self.weights, input_moments(self.folder, texts))


def plain_tokenizer(content: bytes) -> bytes:
    """The same tokenizer without the truncation and padding that training left in it."""
    settings = json.loads(content)
    settings.update(truncation=None, padding=None)
    return json.dumps(settings, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def write_model(path: Path, model: onnx.ModelProto) -> None:
    """Check a model and write it, the same bytes for the same weights."""
    onnx.shape_inference.infer_shapes(model)
    path.write_bytes(model.SerializeToString(deterministic=True))


def export(encoder: Source, nli: Source, out: Path, arguments: argparse.Namespace) -> Manifest:
    """Write every file of the profile below `out` and return the manifest that lists them."""
    if json.loads(encoder.tokenizer)["model"] != json.loads(nli.tokenizer)["model"]:
        raise SystemExit("the two models do not share one vocabulary")
    labels = labels_of_config(nli.config.get("id2label"), model=arguments.name)  # type: ignore[arg-type]
    pairs = calibration_pairs(arguments.calibration, arguments.calibration_rows)
    out.mkdir(parents=True, exist_ok=True)
    (out / TOKENIZER).write_bytes(encoder.tokenizer)
    write_model(out / ENCODER, encoder_model(encoder.bert([(text,) for pair in pairs for text in pair])))
    write_model(out / NLI, classifier_model(nli.bert(pairs)))
    manifest = Manifest(
        profile="embedded",
        languages=frozenset({"en"}),
        encoder=ModelEntry(
            name="all-MiniLM-L6-v2", revision=encoder.revision, graph=ENCODER, tokenizer=TOKENIZER,
            max_length=arguments.encoder_tokens, width=int(str(encoder.config["hidden_size"])),
        ),
        nli=ModelEntry(
            name=arguments.name, revision=nli.revision, graph=NLI, tokenizer=TOKENIZER,
            max_length=arguments.nli_tokens, width=len(labels), labels=labels,
        ),
        rule=chosen_rule(out, arguments.rule),
        files={name: file_entry(out / name) for name in (ENCODER, NLI, TOKENIZER)},
    )  # fmt: skip
    (out / MANIFEST).write_text(manifest.model_dump_json(indent=2) + "\n", encoding="utf-8")
    return manifest


def file_entry(path: Path) -> FileEntry:
    """Size and hash of a file."""
    content = path.read_bytes()
    return FileEntry(bytes=len(content), sha256=hashlib.sha256(content).hexdigest())


def chosen_rule(out: Path, given: Path | None) -> DecisionRule:
    """The rule of the command line, else the one of the files being replaced, else the defaults."""
    if given is not None:
        return rule_with(DecisionRule(name="embedded"), json.loads(given.read_bytes()))
    existing = out / MANIFEST
    if existing.exists():
        return Manifest.model_validate_json(existing.read_bytes()).rule
    return DecisionRule(name="embedded")


def parse_arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkpoint", type=Path, required=True, help="folder of the NLI classifier")
    parser.add_argument("--encoder", type=Path, required=True, help="folder of all-MiniLM-L6-v2")
    parser.add_argument("--calibration", type=Path, required=True, help="premises and hypotheses, .jsonl.gz")
    parser.add_argument("--calibration-rows", type=int, default=256, help="pairs of it to use")
    parser.add_argument("--out", type=Path, required=True, help="folder to write to")
    parser.add_argument("--name", default="longtracer-nli-minilm-l6", help="name of the classifier in results")
    parser.add_argument("--rule", type=Path, help="JSON file with the rule's numbers")
    parser.add_argument("--encoder-tokens", type=int, default=256, help="window of the encoder")
    parser.add_argument("--nli-tokens", type=int, default=128, help="window of the classifier")
    parser.add_argument("--dev", type=Path, nargs="*", default=[], help="JSON-lines NLI sets to measure on")
    parser.add_argument("--rows", type=int, default=500, help="rows of each set to measure on")
    return parser.parse_args()


def main() -> None:
    """Export, list the files, compare."""
    arguments = parse_arguments()
    encoder, nli = Source.read(arguments.encoder), Source.read(arguments.checkpoint)
    manifest = export(encoder, nli, arguments.out, arguments)
    for name, entry in manifest.files.items():
        print(f"{name:22} {entry.bytes:>11,} bytes  {entry.sha256}")
    print(f"together               {sum(entry.bytes for entry in manifest.files.values()):>11,} bytes")
    report_differences(arguments.out, arguments.checkpoint, arguments.encoder, arguments.dev, arguments.rows)


if __name__ == "__main__":
    main()

"""The files shipped with the embedded profile, with their hashes, and the numbers calibrated for them."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from longtracer.contracts.errors import ModelUnavailableError
from longtracer.engine.rule import DecisionRule

from .rule_numbers import rule_with

__all__ = ["MANIFEST", "Manifest", "ModelEntry", "read_manifest", "verified"]

MANIFEST = "manifest.json"
_EMBEDDED_RULE = DecisionRule(name="embedded")


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class FileEntry(_Entry):
    """Size in bytes and SHA-256 of one shipped file."""

    bytes: int
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class ModelEntry(_Entry):
    """One model: its files, the tokens (special ones included) of one window, the columns of its output."""

    name: str
    revision: str
    graph: str
    tokenizer: str
    max_length: Annotated[int, Field(ge=32)]
    width: Annotated[int, Field(ge=1)]
    labels: tuple[str, ...] = ()

    @property
    def full_name(self) -> str:
        """Name and revision, as reported in `case.metadata["models"]`."""
        return f"{self.name}@{self.revision}"


def _rule(numbers: Any) -> DecisionRule:
    return numbers if isinstance(numbers, DecisionRule) else rule_with(_EMBEDDED_RULE, numbers)


class Manifest(_Entry):
    """Everything `manifest.json` says."""

    profile: str
    languages: frozenset[str]
    encoder: ModelEntry
    nli: ModelEntry
    rule: Annotated[DecisionRule, BeforeValidator(_rule)]
    files: dict[str, FileEntry]


def read_manifest(folder: Path) -> Manifest:
    """Read `manifest.json` of `folder`; ModelUnavailableError when it is missing or malformed."""
    path = folder / MANIFEST
    try:
        return Manifest.model_validate_json(path.read_bytes())
    except OSError as exc:
        raise ModelUnavailableError(f"the list of the embedded models is missing: {path.name}") from exc
    except ValidationError as exc:
        raise ModelUnavailableError(f"the list of the embedded models is malformed: {path.name}: {exc}") from exc


def verified(folder: Path, name: str, manifest: Manifest) -> Path:
    """The path of a shipped file whose content is what the manifest says.

    Raises ModelUnavailableError when the file is missing, unlisted or altered.
    """
    entry = manifest.files.get(name)
    if entry is None:
        raise ModelUnavailableError(f"embedded model file {name} is not listed in {MANIFEST}")
    try:
        with (folder / name).open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as exc:
        raise ModelUnavailableError(f"embedded model file {name} is missing; reinstall the package") from exc
    if found != entry.sha256:
        raise ModelUnavailableError(
            f"embedded model file {name} was altered (its sha256 is {found}, not {entry.sha256}); reinstall the package"
        )
    return folder / name

"""The model profiles by name: which there are, which can be used here, how to load and prepare them."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from longtracer.contracts.errors import InvalidInputError
from longtracer.engine.protocols import ModelPair
from longtracer.engine.rule import SPEC_RULE, DecisionRule

from .embedded import embedded_rule, embedded_status, load_embedded
from .rule_numbers import rule_with
from .standard import load_standard, prepare_standard, standard_status
from .status import ProfileStatus

__all__ = [
    "ENVIRONMENT_VARIABLE",
    "PROFILES",
    "SavedProfile",
    "available_profiles",
    "load_models",
    "prepare",
    "read_rule",
]

ENVIRONMENT_VARIABLE = "LONGTRACER_MODELS"
PROFILES = ("embedded", "standard")


class SavedProfile(BaseModel):
    """A profile file: the models of a profile, with numbers of one's own in place of its rule's.

    {"models": "embedded", "rule": {"name": "strict", "entailment": 0.8}}
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    models: Literal["embedded", "standard"] = "embedded"
    device: str | None = None
    rule: dict[str, Any] = Field(default_factory=dict)

    def rule_named(self, name: str) -> DecisionRule:
        """The rule alone, without loading the models it is for."""
        base = SPEC_RULE if self.models == "standard" else embedded_rule()
        return rule_with(base, {"name": name} | self.rule)

    def load(self, name: str, *, device: str | None, allow_download: bool) -> ModelPair:
        """The models with their new rule; `name` is the pair's, and the rule's unless the rule has one."""
        models = _load_named(self.models, device or self.device, allow_download)
        return replace(models, name=name, rule=rule_with(models.rule, {"name": name} | self.rule))


def load_models(
    spec: str | ModelPair | None = None, *, device: str | None = None, allow_download: bool = False
) -> ModelPair:
    """The models a verifier runs on.

    `spec` is a pair (returned as it is), a profile's name, the path of a profile file ending in .json, or None for
    the environment variable LONGTRACER_MODELS, else "embedded". `device` and `allow_download` are for "standard".
    Raises InvalidInputError for an unknown profile or an unusable file, ModelUnavailableError when the models
    cannot be loaded.
    """
    if isinstance(spec, ModelPair):
        return spec
    name = spec if spec is not None else os.environ.get(ENVIRONMENT_VARIABLE) or PROFILES[0]
    if name in PROFILES:
        return _load_named(name, device, allow_download)
    path = Path(name)
    if path.suffix == ".json" and path.is_file():
        return _load_saved(path, device, allow_download)
    raise InvalidInputError(
        f"models={name!r} is no profile: use {' or '.join(map(repr, PROFILES))}, or the path of a profile file (.json)"
    )


def available_profiles() -> tuple[ProfileStatus, ...]:
    """Every profile and whether it can be used here; cheap, imports no model runtime."""
    return embedded_status(), standard_status()


def prepare(profile: str = "standard") -> ProfileStatus:
    """Make a profile usable offline from now on, fetching its weights if they are missing, and tell its status.

    Raises InvalidInputError for an unknown profile, ModelUnavailableError when the weights cannot be fetched.
    """
    if profile not in PROFILES:
        raise InvalidInputError(f"{profile!r} is no profile: use {' or '.join(map(repr, PROFILES))}")
    if profile == "standard":
        prepare_standard()
        return standard_status()
    return embedded_status()


def read_rule(file: str | Path) -> DecisionRule:
    """The rule of a profile file, without loading the models it is for.

    Raises InvalidInputError for an unusable file.
    """
    path = Path(file)
    saved = _read_saved(path)
    try:
        return saved.rule_named(path.stem)
    except ValueError as exc:
        raise InvalidInputError(f"{path.name} is no profile file: {exc}") from exc


def _load_saved(path: Path, device: str | None, allow_download: bool) -> ModelPair:
    try:
        return _read_saved(path).load(path.stem, device=device, allow_download=allow_download)
    except ValueError as exc:
        raise InvalidInputError(f"{path.name} is no profile file: {exc}") from exc


def _read_saved(path: Path) -> SavedProfile:
    try:
        return SavedProfile.model_validate_json(path.read_bytes())
    except (OSError, ValueError) as exc:
        raise InvalidInputError(f"{path.name} is no profile file: {exc}") from exc


def _load_named(name: str, device: str | None, allow_download: bool) -> ModelPair:
    if name == "standard":
        return load_standard(device, allow_download=allow_download)
    return load_embedded()

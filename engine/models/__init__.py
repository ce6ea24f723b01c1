"""The models a verifier can run on, by profile. Importing this package imports no model runtime."""

from __future__ import annotations

from .base import ReportsEncoderWindows, ReportsNliWindows, Windowed
from .embedded import load_embedded
from .profiles import available_profiles, load_models, prepare, read_rule
from .standard import load_standard
from .status import ProfileStatus

__all__ = [
    "ProfileStatus",
    "ReportsEncoderWindows",
    "ReportsNliWindows",
    "Windowed",
    "available_profiles",
    "load_embedded",
    "load_models",
    "load_standard",
    "prepare",
    "read_rule",
]

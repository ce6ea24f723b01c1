"""Models that are loaded once, by the first evaluation that needs them."""

from __future__ import annotations

import os
import threading

from longtracer.contracts import InvalidInputError

from .protocols import ModelPair

__all__ = ["DeferredModels"]


class DeferredModels:
    """Stands for a profile until something has to be scored.

    Given to a verifier as `models=`, a missing model is an outcome of `verify_case` and not an error of the
    constructor, and the time to load counts against the first call's timeout. A failure is not remembered, so
    that a repaired set-up works without a restart.

    Raises:
        InvalidInputError: for models of another type.
    """

    def __init__(self, models: str | ModelPair | None = None) -> None:
        if models is not None and not isinstance(models, str | os.PathLike | ModelPair):
            raise InvalidInputError(f"models must be a profile, a ModelPair or None, not {type(models).__name__}")
        self._models = models
        self._pair = models if isinstance(models, ModelPair) else None
        self._lock = threading.Lock()

    def get(self) -> ModelPair:
        """The pair, loaded if it was not yet.

        Raises:
            ModelUnavailableError: when it cannot be loaded.
            InvalidInputError: when the profile is unknown.
        """
        if self._pair is None:
            with self._lock:
                if self._pair is None:
                    from .models import load_models  # a model's runtime is imported when the model is loaded

                    self._pair = load_models(self._models)
        return self._pair

    @property
    def loaded(self) -> ModelPair | None:
        """The pair, if it has been loaded."""
        return self._pair

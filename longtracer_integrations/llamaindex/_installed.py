"""Fails with the name of the extra when LlamaIndex is not installed."""

from __future__ import annotations

try:
    import llama_index.core  # noqa: F401
except ImportError as error:
    raise ImportError(
        'longtracer_integrations.llamaindex needs llama-index-core: pip install "longtracer-integrations[llamaindex]"'
    ) from error

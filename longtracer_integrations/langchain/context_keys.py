"""Keys under which the chains of LangChain and its tutorials put their documents."""

from __future__ import annotations

__all__ = ["CONTEXT_KEYS"]

CONTEXT_KEYS = ("context", "source_documents", "documents", "docs", "retrieved_docs", "sources")
"""In the order they are tried."""

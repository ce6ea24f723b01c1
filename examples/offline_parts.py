"""Parts the LangChain examples share, so that they run without a network or a key."""

from __future__ import annotations

from langchain_core.embeddings import Embeddings

from longtracer.engine.models import load_embedded

__all__ = ["LocalEmbeddings"]


class LocalEmbeddings(Embeddings):
    """LangChain embeddings from the sentence encoder that ships with this package (384 dimensions)."""

    def __init__(self) -> None:
        self._encoder = load_embedded().encoder

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        vectors: list[list[float]] = self._encoder.encode(texts).tolist()
        return vectors

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]

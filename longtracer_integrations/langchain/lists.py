"""Recognises lists of documents among the values that pass through a pipeline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeGuard

from langchain_core.documents import Document

from longtracer_integrations.documents import read_documents
from longtracer_integrations.records import RetrievedDocument

from .keys import CONTEXT_KEYS

__all__ = ["context_of", "documents_in", "is_document_list"]


def is_document_list(value: object) -> TypeGuard[Sequence[object]]:
    """Whether `value` is a list of documents and not empty; a checkpoint turns documents into mappings."""
    return (
        isinstance(value, Sequence) and not isinstance(value, str | bytes) and bool(value) and all(map(_is_one, value))
    )


def documents_in(value: object, *, id_key: str | None = None) -> tuple[RetrievedDocument, ...] | None:
    """The documents of a run's output: a list of them, or the lists among the values of a mapping; else None."""
    if is_document_list(value):
        return read_documents(value, id_key=id_key)
    if isinstance(value, Mapping):
        found = [entry for entry in value.values() if is_document_list(entry)]
        if found:
            return read_documents([document for entry in found for document in entry], id_key=id_key)
    return None


def context_of(
    output: object, *, context_key: str | None = None, id_key: str | None = None
) -> tuple[RetrievedDocument, ...] | None:
    """The documents that the output of a pipeline says its answer is based on; None when it does not say.

    Under `context_key` anything that can be read as documents counts, text included; under the usual keys, and under
    the only key that holds a list of documents, a list of them.

    Raises:
        TypeError: when the value under `context_key` cannot be read as documents.
    """
    if not isinstance(output, Mapping):
        return None
    if context_key is not None:
        value = output.get(context_key)
        return None if value is None else read_documents(value, id_key=id_key)
    for key in CONTEXT_KEYS:
        value = output.get(key)
        if is_document_list(value) or (isinstance(value, list | tuple) and not value):
            return read_documents(value, id_key=id_key)
    lists = [value for value in output.values() if is_document_list(value)]
    return read_documents(lists[0], id_key=id_key) if len(lists) == 1 else None


def _is_one(value: object) -> bool:
    if isinstance(value, Document):
        return True
    return isinstance(value, Mapping) and isinstance(value.get("page_content"), str)

"""Recognises lists of documents among the values that pass through a pipeline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeGuard

from langchain_core.documents import Document

from longtracer_integrations.documents import read_documents, unique_documents
from longtracer_integrations.records import RetrievedDocument

from .keys import CONTEXT_KEYS

__all__ = ["context_of", "documents_in", "is_document_list"]

Documents = tuple[RetrievedDocument, ...]


def is_document_list(value: object, *, mappings: bool = False) -> TypeGuard[Sequence[object]]:
    """Whether `value` is a list of documents and not empty.

    mappings: count mappings with a `page_content` as documents, which checkpoints make of them. Only for what no model
        can have written: the parser of a model's JSON returns such lists as well.
    """
    if not isinstance(value, Sequence) or isinstance(value, str | bytes) or not value:
        return False
    return all(isinstance(entry, Document) or (mappings and _is_mapping_with_text(entry)) for entry in value)


def documents_in(value: object, *, id_key: str | None = None, mappings: bool = False) -> Documents | None:
    """The documents of a run's output: a list of them, or the lists among the values of a mapping; else None.

    mappings: as for `is_document_list`.
    """
    if is_document_list(value, mappings=mappings):
        return read_documents(value, id_key=id_key)
    if isinstance(value, Mapping):
        found = [entry for entry in value.values() if is_document_list(entry, mappings=mappings)]
        if found:
            return read_documents([document for entry in found for document in entry], id_key=id_key)
    return None


def context_of(
    output: object,
    *,
    context_key: str | None = None,
    id_key: str | None = None,
    retrieved: Iterable[RetrievedDocument] = (),
) -> Documents | None:
    """The documents that the output of a pipeline says its answer is based on; None when it does not say.

    Under `context_key` anything that can be read as documents counts, text included. Under the usual keys, and under
    the only key that holds a list of documents, `Document` objects count. Mappings there may have been written by
    the model, as part of its JSON: they name those of the documents `retrieved` that hold their text, and when one
    of them is in none, they say nothing. Where nothing is known to have been retrieved, they are all there is.

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
        if isinstance(value, list | tuple) and not value:
            return ()
        if (found := _trusted(value, id_key, retrieved)) is not None:
            return found
    lists = [value for value in output.values() if is_document_list(value, mappings=True)]
    return _trusted(lists[0], id_key, retrieved) if len(lists) == 1 else None


def _trusted(value: object, id_key: str | None, retrieved: Iterable[RetrievedDocument]) -> Documents | None:
    if is_document_list(value):
        return read_documents(value, id_key=id_key)
    if not is_document_list(value, mappings=True):
        return None
    known = tuple(retrieved)
    if not known:
        return read_documents(value, id_key=id_key)
    # The whole document and not the part that is named: a part may leave out the "not" in front of it.
    origins = [_holding(named.text, known) for named in read_documents(value, id_key=id_key)]
    whole = [origin for origin in origins if origin is not None]
    return unique_documents(whole) if whole and len(whole) == len(origins) else None


def _holding(text: str, known: Sequence[RetrievedDocument]) -> RetrievedDocument | None:
    same = next((document for document in known if document.text == text), None)
    return same or next((document for document in known if text in document.text), None)


def _is_mapping_with_text(value: object) -> bool:
    return isinstance(value, Mapping) and isinstance(value.get("page_content"), str)

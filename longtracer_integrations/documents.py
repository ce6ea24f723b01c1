"""Reads documents of any framework's shape, and gives each an id that names one text only."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from .records import RetrievedDocument

__all__ = ["read_document", "read_documents", "to_sources", "unique_documents"]

_TEXT_KEYS = ("page_content", "text", "content", "page", "chunk")
_ID_KEYS = ("doc_id", "id", "chunk_id")


def read_documents(value: object, *, id_key: str | None = None) -> tuple[RetrievedDocument, ...]:
    """Read `value` as documents: a Document, a node, a mapping with text, a str, or an iterable of these.

    A lone string is one document. Entries without text are left out. Duplicates are kept once and ids are made
    unique, see `unique_documents`.

    Raises:
        TypeError: for a value, or an entry, that is no document.
    """
    if value is None:
        return ()
    entries = [value] if _is_one(value) else value
    if not isinstance(entries, Iterable):
        raise TypeError(f"{type(value).__name__} is no document and no list of documents")
    read = (read_document(entry, id_key=id_key) for entry in entries)
    return unique_documents(document for document in read if document is not None)


def read_document(entry: object, *, id_key: str | None = None) -> RetrievedDocument | None:
    """Read one document; None when it holds no text.

    The id is, in this order: the document's own, `metadata[id_key]`, metadata `doc_id`, `id` or `chunk_id`,
    metadata `source` (with `page`), else a hash of the text.

    Raises:
        TypeError: when `entry` is no document.
    """
    if isinstance(entry, RetrievedDocument):
        return entry
    node = getattr(entry, "node", None)
    if node is not None and hasattr(entry, "score"):
        return read_document(node, id_key=id_key)
    text, own_id, metadata = _parts(entry)
    if text is None or not text.strip():
        return None
    identity, origin = _identity(own_id, metadata, text, id_key)
    return RetrievedDocument(id=identity, text=text, metadata=dict(metadata), id_from=origin)


def unique_documents(documents: Iterable[RetrievedDocument]) -> tuple[RetrievedDocument, ...]:
    """Keep equal documents once; when two texts share an id, the second becomes `id#2`, the third `id#3`.

    Equal are documents with the same id and the same text, wherever they were found.
    """
    texts_of: dict[str, list[str]] = {}
    taken: set[str] = set()
    kept: list[RetrievedDocument] = []
    for document in documents:
        texts = texts_of.setdefault(document.id, [])
        if document.text in texts:
            continue
        texts.append(document.text)
        identity = _free(document.id, len(texts), taken)
        taken.add(identity)
        kept.append(document if identity == document.id else replace(document, id=identity))
    return tuple(kept)


def to_sources(documents: Iterable[RetrievedDocument]) -> tuple[list[str], list[dict[str, Any]]]:
    """The `sources` and `source_metadata` of a check; metadata never overwrites the id."""
    texts: list[str] = []
    metadata: list[dict[str, Any]] = []
    for document in documents:
        texts.append(document.text)
        metadata.append({**document.metadata, "source_id": document.id, "id_from": document.id_from})
    return texts, metadata


def _is_one(value: object) -> bool:
    return isinstance(value, str | Mapping | RetrievedDocument) or any(
        hasattr(value, name) for name in ("page_content", "get_content", "node")
    )


def _parts(entry: object) -> tuple[str | None, object, Mapping[str, Any]]:
    if isinstance(entry, str):
        return entry, None, {}
    if isinstance(entry, Mapping):
        return _mapping_parts(entry)
    metadata = getattr(entry, "metadata", None)
    known = metadata if isinstance(metadata, Mapping) else {}
    if isinstance(content := getattr(entry, "page_content", None), str):
        return content, getattr(entry, "id", None), known
    if callable(get_content := getattr(entry, "get_content", None)):
        ref = getattr(entry, "ref_doc_id", None)
        extra = {"ref_doc_id": ref} if isinstance(ref, str) else {}
        return str(get_content()), getattr(entry, "node_id", None), {**known, **extra}
    if isinstance(content := getattr(entry, "text", None), str):
        return content, getattr(entry, "id", None), known
    raise TypeError(f"{type(entry).__name__} is no document")


def _mapping_parts(entry: Mapping[str, Any]) -> tuple[str | None, object, Mapping[str, Any]]:
    metadata = entry.get("metadata")
    for key in _TEXT_KEYS:
        if isinstance(text := entry.get(key), str):
            return text, entry.get("id"), metadata if isinstance(metadata, Mapping) else {}
    raise TypeError(f"a document as a mapping needs one of {', '.join(_TEXT_KEYS)}")


def _identity(own_id: object, metadata: Mapping[str, Any], text: str, id_key: str | None) -> tuple[str, str]:
    if _usable(own_id):
        return str(own_id), "document.id"
    for key in (id_key, *_ID_KEYS):
        if key is not None and _usable(value := metadata.get(key)):
            return str(value), f"metadata.{key}"
    if _usable(source := metadata.get("source")):
        page = metadata.get("page")
        return (f"{source}#page={page}" if _usable(page) else str(source)), "metadata.source"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16], "content-hash"


def _usable(value: object) -> bool:
    return (isinstance(value, str | int) and not isinstance(value, bool) and str(value) != "") or _is_uuid(value)


def _is_uuid(value: object) -> bool:
    return type(value).__name__ == "UUID"


def _free(identity: str, count: int, taken: set[str]) -> str:
    candidate = identity if count == 1 else f"{identity}#{count}"
    while candidate in taken:
        count += 1
        candidate = f"{identity}#{count}"
    return candidate

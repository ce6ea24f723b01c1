"""Gives documents that lost their id on the way (compressors drop it) the id they had when they were retrieved."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from longtracer_integrations.records import RetrievedDocument

__all__ = ["with_recovered_ids"]


def with_recovered_ids(
    documents: Iterable[RetrievedDocument], retrieved: Iterable[RetrievedDocument]
) -> list[RetrievedDocument]:
    """`documents`, those without an id of their own named as the one among `retrieved` they were made from.

    That is the only one with the same metadata; of several, or when the metadata changed, the one with the same
    text, or whose text holds theirs.
    """
    named = [document for document in retrieved if document.id_from == "document.id"]
    return [_recovered(document, named) for document in documents]


def _recovered(document: RetrievedDocument, named: Sequence[RetrievedDocument]) -> RetrievedDocument:
    if document.id_from == "document.id":
        return document
    origin = _origin(document, named)
    return document if origin is None else replace(document, id=origin.id, id_from=origin.id_from)


def _origin(document: RetrievedDocument, named: Sequence[RetrievedDocument]) -> RetrievedDocument | None:
    alike = [other for other in named if other.metadata == document.metadata]
    ids = {other.id for other in alike}
    if document.metadata and len(ids) == 1:
        return alike[0]
    for others in (alike, named):
        for other in others:
            if other.text == document.text:
                return other
        for other in others:
            if document.text in other.text:
                return other
    return None

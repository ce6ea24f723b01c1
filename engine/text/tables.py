"""A table row as one statement that carries its header: `Plan: Pro; Price: $25`."""

from __future__ import annotations

from itertools import zip_longest

from .prose import plain_text

__all__ = ["row_text"]


def row_text(header: tuple[str, ...], cells: tuple[str, ...]) -> str:
    """The cells of a row, each behind the name of its column; empty cells are left out."""
    named = zip_longest(header[: len(cells)], cells, fillvalue="")
    return "; ".join(_named(plain_text(name), plain_text(cell)) for name, cell in named if cell.strip())


def _named(name: str, cell: str) -> str:
    return f"{name.rstrip(':')}: {cell}" if name else cell

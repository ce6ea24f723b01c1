"""A table row as one statement that carries its header: `Plan: Pro; Price: $25`."""

from __future__ import annotations

import re
from itertools import zip_longest

from .prose import plain_text

__all__ = ["pipe_cells", "row_text"]

_PIPE = re.compile(r"(?<!\\)\|")


def row_text(header: tuple[str, ...], cells: tuple[str, ...]) -> str:
    """The cells of a row, each behind the name of its column; empty cells are left out."""
    named = zip_longest(header[: len(cells)], cells, fillvalue="")
    return "; ".join(_named(plain_text(name), plain_text(cell)) for name, cell in named if cell.strip())


def pipe_cells(line: str) -> tuple[str, ...]:
    """The cells of a line between pipes in a table without a header rule; none when it is no such line."""
    if not (line.startswith("|") and line.endswith("|") and len(line) > 1):
        return ()
    cells = tuple(cell.strip() for cell in _PIPE.split(line[1:-1]))
    return cells if len(cells) > 1 else ()


def _named(name: str, cell: str) -> str:
    return f"{name.rstrip(':')}: {cell}" if name else cell

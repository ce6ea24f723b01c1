"""How a command that cannot run ends: one line on standard error, exit code 2."""

from __future__ import annotations

import typer
from rich.console import Console

__all__ = ["cannot_run"]


def cannot_run(error: Exception) -> typer.Exit:
    """Tell the reason, and return what a command raises to exit."""
    from .report import visible

    Console(stderr=True).print(f"longtracer: {visible(str(error))}", markup=False, style="red")
    return typer.Exit(2)

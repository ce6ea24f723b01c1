"""`longtracer`: the entry point, which tells what to install when the `cli` extra is missing."""

from __future__ import annotations

import io
import sys

__all__ = ["main"]


def main() -> None:
    """Run the command line; exit code 2 when it cannot run."""
    try:
        from .commands import app
    except ModuleNotFoundError as error:
        if error.name not in ("typer", "rich"):
            raise
        sys.stderr.write(f"{error.name} is not installed: pip install 'longtracer-integrations[cli]'\n")
        raise SystemExit(2) from error
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # an answer may hold what the terminal cannot show
    try:
        app()
    except Exception:  # noqa: BLE001 - whatever it was: Python's own exit code, 1, would say FAIL
        sys.excepthook(*sys.exc_info())
        raise SystemExit(2) from None


if __name__ == "__main__":
    main()

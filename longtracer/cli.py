"""`longtracer`: the entry point, which tells what to install when the `cli` extra is missing."""

from __future__ import annotations

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
    app()


if __name__ == "__main__":
    main()

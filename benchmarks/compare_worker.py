"""Times one implementation in a process of its own and prints the result as one line of JSON.

Run by `compare.py`, with the interpreter of the environment that holds the implementation.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from workload import RESPONSE, SOURCES


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("implementation", choices=["ours", "ancestor"])
    parser.add_argument("--runs", type=int, required=True)
    parser.add_argument("--models", type=Path, help="folder with `encoder` and `nli`, for the ancestor")
    arguments = parser.parse_args()
    began = time.perf_counter()
    verifier = _ours() if arguments.implementation == "ours" else _ancestor(arguments.models)
    loaded = time.perf_counter() - began
    calls: dict[str, Callable[[], Any]] = {
        "verify_parallel": lambda: verifier.verify_parallel(RESPONSE, SOURCES),
        "verify_case": lambda: verifier.verify_case(RESPONSE, SOURCES),
        "verify_case(detect_conflicts=True)": lambda: verifier.verify_case(RESPONSE, SOURCES, detect_conflicts=True),
    }
    report = {
        "load_s": loaded,
        "claims": len(verifier.verify_parallel(RESPONSE, SOURCES).claims),
        "latency_ms": {name: _timed(call, arguments.runs) for name, call in calls.items()},
        "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    sys.stdout.write(json.dumps(report) + "\n")


def _ours() -> Any:
    from longtracer import CitationVerifier

    return CitationVerifier(models="embedded")


def _ancestor(models: Path) -> Any:
    from longtracer.guard.nli_model import get_shared_model
    from longtracer.guard.verifier import CitationVerifier

    get_shared_model(
        sts_model_name=str(models / "encoder"), nli_model_name=str(models / "nli"), verbose=False, use_slm=False
    )
    return CitationVerifier()


def _timed(call: Callable[[], Any], runs: int) -> list[float]:
    for _ in range(3):
        call()
    times = []
    for _ in range(runs):
        began = time.perf_counter()
        call()
        times.append((time.perf_counter() - began) * 1000)
    return times


if __name__ == "__main__":
    main()

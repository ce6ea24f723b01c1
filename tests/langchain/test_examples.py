"""The LangChain examples run without a network, and the code of the documentation page does what it says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
PAGE = ROOT / "docs" / "langchain.md"

# A connection attempt fails; sockets themselves are left alone, since an event loop needs a pair of them.
OFFLINE = """
import runpy, socket, sys
def refuse(*_, **__):
    raise OSError("no network in this test")
socket.socket.connect = refuse
sys.path.insert(0, sys.argv[1])
runpy.run_path(sys.argv[2], run_name="__main__")
"""

EXPECTED = {
    "langchain_attach.py": ["PASS: 1 claim", "FAIL: 1 claim", "2 records, 0 requests still open"],
    "langchain_guard_lcel.py": ["bad:  Please ask at the counter.  [FAIL]", "['answer', 'longtracer']"],
    "langchain_agent_middleware.py": ["user:  You have 28 days", "stream: I could not confirm that"],
    "langchain_langgraph_retry.py": ["[PASS, retries: 1]", "answer: I cannot confirm that.  [FAIL, retries: 2]"],
    "langchain_stream_sentences.py": ["'It is 34.5 metres tall.\\n\\n'", "[The rest of this answer", "unchanged: True"],
}


def test_every_example_is_tested() -> None:
    assert sorted(EXPECTED) == sorted(path.name for path in EXAMPLES.glob("langchain_*.py"))


@pytest.mark.parametrize("name", EXPECTED)
def test_an_example_runs_offline_and_prints_what_it_shows(name: str) -> None:
    command = [sys.executable, "-W", "error", "-c", OFFLINE, str(EXAMPLES), str(EXAMPLES / name)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert [line for line in EXPECTED[name] if line not in done.stdout] == []


def test_the_code_of_the_page_runs_from_top_to_bottom() -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert len(blocks) > 5
    code = "\n".join(blocks)
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, cwd=EXAMPLES)
    assert done.returncode == 0, done.stderr

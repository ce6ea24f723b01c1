"""The examples and the code of the documentation page run as they are."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest
from llama_index.core import Settings

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("llamaindex_*.py"))
PAGE = ROOT / "docs" / "llamaindex.md"
SAYS = {
    "llamaindex_agent_workflow": "I could not confirm that; please ask the office.",
    "llamaindex_attach": "not supported: You have 38 days of leave a year.",
    "llamaindex_chat": "assistant: I could not confirm that.",
    "llamaindex_citations": "[2] does not say so, but source 1 does",
    "llamaindex_guard_query": "streamed: You have 28 days of leave a year. I could not confirm that",
    "llamaindex_parts": "",
}


@pytest.fixture(autouse=True)
def _examples_on_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    monkeypatch.setattr(Settings, "_callback_manager", None)


def test_every_example_is_expected() -> None:
    assert [example.stem for example in EXAMPLES] == sorted(SAYS)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs_and_says_what_it_should(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(example), run_name="__main__")
    assert SAYS[example.stem] in capsys.readouterr().out


def test_the_code_of_the_page_runs() -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    assert len(blocks) > 10
    exec(compile("\n".join(blocks), PAGE.name, "exec"), {"__name__": "page"})

"""The README's first example runs as it stands and prints what it says."""

from __future__ import annotations

import re
from pathlib import Path

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


def test_the_first_example_prints_what_its_comments_say(capsys):
    block = re.search(r"```python\n(.*?)```", README, re.DOTALL).group(1)
    exec(compile(block, "README.md", "exec"), {})
    printed = capsys.readouterr().out.splitlines()
    assert printed == ["FAIL", *re.findall(r"^# (SUPPORTED.*|CONTRADICTED.*)$", block, re.MULTILINE)]


def test_both_commands_are_named():
    assert "make demo" in README
    assert "make test" in README


def test_every_page_it_links_to_is_there():
    for target in re.findall(r"\]\((?!http)([^)#]+)\)", README):
        assert (Path(__file__).parent.parent / target).exists(), target

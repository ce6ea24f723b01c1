"""What the package offers, and what it says when LlamaIndex is missing."""

from __future__ import annotations

import subprocess
import sys

import longtracer_integrations.llamaindex as package

WITHOUT_LLAMA_INDEX = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0].startswith("llama_index") or name.split(".")[0] == "workflows":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Missing())
import longtracer_integrations
try:
    import longtracer_integrations.llamaindex
except ImportError as error:
    print(error)
"""


def test_every_name_exists() -> None:
    assert all(getattr(package, name) is not None for name in package.__all__)


def test_the_names_are_sorted() -> None:
    assert list(package.__all__) == sorted(package.__all__)


def test_the_missing_extra_is_named() -> None:
    ran = subprocess.run([sys.executable, "-c", WITHOUT_LLAMA_INDEX], capture_output=True, text=True, check=True)
    assert "longtracer-integrations[llamaindex]" in ran.stdout


def test_the_core_of_the_integrations_needs_no_framework() -> None:
    code = "import sys, longtracer_integrations; print([m for m in sys.modules if m.startswith('llama_index')])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_it_does_not_load_langchain() -> None:
    code = (
        "import sys, longtracer_integrations.llamaindex; "
        "print([m for m in sys.modules if m.split('.')[0] in ('langchain', 'langchain_core', 'langgraph', 'torch')])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"

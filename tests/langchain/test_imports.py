"""What the LangChain integration needs to be installed, and what it says when it is not."""

from __future__ import annotations

import subprocess
import sys

import pytest

import longtracer_integrations.langchain as package

WITHOUT = """
import importlib.abc, sys

class Absent(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {absent!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
        return None

sys.meta_path.insert(0, Absent())
{code}
"""


def run_without(absent: list[str], code: str) -> subprocess.CompletedProcess[str]:
    program = WITHOUT.format(absent=absent, code=code)
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)


HINT = "longtracer-integrations[langchain]"
AGENT_PACKAGES = ["langchain", "langgraph", "langchain_classic"]


def test_without_langchain_core_the_import_names_the_extra() -> None:
    done = run_without(["langchain_core"], "import longtracer_integrations.langchain")
    assert "ImportError" in done.stderr
    assert HINT in done.stderr


def test_without_langchain_core_the_shared_package_works() -> None:
    done = run_without(["langchain_core"], "import longtracer_integrations; longtracer_integrations.GuardrailPolicy()")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "code",
    [
        "from longtracer_integrations.langchain import LongTracerCallbackHandler as H; H()",
        "from longtracer_integrations.langchain import AsyncLongTracerCallbackHandler as H; H()",
        "from longtracer_integrations.langchain import GroundingGuardrail as G; G()",
        "from longtracer_integrations.langchain import grounding_node; grounding_node()",
    ],
)
def test_handlers_and_guards_need_langchain_core_alone(code: str) -> None:
    done = run_without(AGENT_PACKAGES, code)
    assert done.returncode == 0, done.stderr


def test_without_langchain_the_middleware_names_the_extra() -> None:
    done = run_without(AGENT_PACKAGES, "from longtracer_integrations.langchain import GroundingMiddleware")
    assert "ImportError" in done.stderr
    assert HINT in done.stderr


def test_importing_the_package_imports_no_model_runtime() -> None:
    code = (
        "from longtracer_integrations.langchain import LongTracerCallbackHandler; LongTracerCallbackHandler();"
        "import sys; print({'torch', 'onnxruntime', 'langgraph', 'llama_index'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.strip() == "set()"


def test_every_exported_name_can_be_imported() -> None:
    assert sorted(package.__all__) == package.__all__ == dir(package)
    assert [name for name in package.__all__ if not hasattr(package, name)] == []


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="Nope"):
        _ = package.Nope

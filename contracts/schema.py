"""The JSON Schema of a case: `python -m longtracer.contracts.schema` prints it."""

from __future__ import annotations

import json
import sys
from importlib import resources
from typing import Any

from .case_result import SCHEMA_VERSION, CaseResult

__all__ = ["case_result_schema", "main", "packaged_schema", "schema_text"]

SCHEMA_FILE = f"case_result.v{SCHEMA_VERSION}.json"


def case_result_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of `CaseResult`, as its models define it."""
    schema = CaseResult.model_json_schema(mode="validation")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def schema_text() -> str:
    """The schema as the committed file holds it: sorted keys, two spaces, a final line break."""
    return json.dumps(case_result_schema(), indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def packaged_schema() -> dict[str, Any]:
    """The committed schema, read from the installed package."""
    text = resources.files("longtracer.schema").joinpath(SCHEMA_FILE).read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


def main() -> None:
    """Print the schema."""
    sys.stdout.write(schema_text())


if __name__ == "__main__":
    main()

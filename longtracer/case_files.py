"""Labelled answers from a JSON-lines file, for `longtracer calibrate` and `longtracer evaluate`.

One JSON object a line; blank lines are ignored:

    {"response": "...", "sources": ["..."], "label": "grounded" | "hallucinated", "question": "...", "case_id": "..."}

`"hallucinated": true | false` may stand in place of the label. `question`, `source_metadata` and `case_id` are
optional; further keys (`claims`, `spans`) are kept for other tools and ignored here.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from .contracts import InvalidInputError

__all__ = ["LabelledCase", "read_cases"]


class LabelledCase(BaseModel):
    """One answer, the documents it was written from, and whether it says what they do not."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)

    response: str
    sources: tuple[str | None, ...] = Field(strict=False)
    hallucinated: bool
    question: str | None = None
    source_metadata: tuple[dict[str, Any] | None, ...] | None = Field(default=None, strict=False)
    case_id: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _from_label(cls, data: Any) -> Any:
        """Read `label` as `hallucinated`; both may stand there if they agree."""
        if not isinstance(data, dict) or "label" not in data:
            return data
        labels: dict[Any, bool] = {"grounded": False, "hallucinated": True}
        label = data["label"]
        if not isinstance(label, str) or label not in labels:
            raise ValueError(f'label must be "grounded" or "hallucinated", not {label!r}')
        if data.get("hallucinated", labels[label]) is not labels[label]:
            raise ValueError("label and hallucinated disagree")
        return {**data, "hallucinated": labels[label]}


def read_cases(path: str | Path) -> tuple[LabelledCase, ...]:
    """The cases of a file, in order.

    Raises:
        InvalidInputError: when the file cannot be read or holds no case, or for a bad line, naming it.
    """
    file = Path(path)
    try:
        lines = file.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as exc:
        raise InvalidInputError(f"{file.name} cannot be read: {exc}") from exc
    cases = tuple(_cases(file.name, lines))
    if not cases:
        raise InvalidInputError(f"{file.name} holds no case")
    return cases


def _cases(name: str, lines: list[str]) -> Iterator[LabelledCase]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            case = LabelledCase.model_validate_json(line)
        except ValidationError as exc:
            raise InvalidInputError(f"{name} line {number}: {_first_problem(exc)}") from exc
        if len(case.source_metadata or ()) > len(case.sources):
            raise InvalidInputError(f"{name} line {number}: more source_metadata than sources")
        yield case


def _first_problem(error: ValidationError) -> str:
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{place}: {first['msg']}" if place else first["msg"]

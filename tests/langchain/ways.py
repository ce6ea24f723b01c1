"""The six ways to call a runnable, and what left it."""

from __future__ import annotations

from typing import Any

from langchain_core.messages import BaseMessage
from langchain_core.outputs import LLMResult
from lc_fakes import alist

ALL_WAYS = ["invoke", "ainvoke", "stream", "astream", "batch", "abatch"]


async def ways(guarded: Any, given: Any, how: str) -> Any:
    """What leaves `guarded`, called in one of the six ways."""
    if how == "invoke":
        return guarded.invoke(given)
    if how == "ainvoke":
        return await guarded.ainvoke(given)
    if how == "stream":
        return list(guarded.stream(given))
    if how == "astream":
        return await alist(guarded.astream(given))
    return guarded.batch([given]) if how == "batch" else await guarded.abatch([given])


def without_case(value: Any) -> str:
    """`value` as text, without the results in it: they name the claims they are about."""
    if isinstance(value, dict):
        return str([without_case(entry) for key, entry in value.items() if key != "longtracer"])
    if isinstance(value, list | tuple):
        return str([without_case(entry) for entry in value])
    if isinstance(value, BaseMessage):
        metadata = {key: entry for key, entry in value.response_metadata.items() if key != "longtracer"}
        return repr(value.model_copy(update={"response_metadata": metadata}))
    if isinstance(value, LLMResult):
        return without_case([getattr(one, "message", one) for each in value.generations for one in each])
    return repr(value)

"""Tells whether a graph can take an answer back that stands in its list of messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableConfig

__all__ = ["only_appends"]


def only_appends(config: RunnableConfig, key: str) -> bool:
    """Whether the state's `key` has a reducer that puts a message behind the one with its id (`operator.add`).

    LangGraph tells a node nothing of its state's reducers. Its tasks carry a function to read the state by, which holds
    them; where that looks different in another version, the answer is False.
    """
    read = (config.get("configurable") or {}).get("__pregel_read")
    channels = next((each for each in getattr(read, "args", ()) if isinstance(each, Mapping) and key in each), {})
    reducer = getattr(channels.get(key), "operator", None)
    if not callable(reducer):
        return False
    try:
        return len(_reduced(reducer)) > 1
    except Exception:  # noqa: BLE001 - a reducer of the app's own that takes no messages says nothing
        return False


def _reduced(reducer: Any) -> Any:
    return reducer([AIMessage("", id="a")], [AIMessage("", id="a")])

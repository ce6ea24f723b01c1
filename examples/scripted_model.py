"""A chat model that says what a script tells it to, tool calls included, so that the agent examples need no key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from pydantic import PrivateAttr

__all__ = ["ScriptedChatModel", "calls"]


class ScriptedChatModel(BaseChatModel):
    """Gives the next message of `script` with every call."""

    script: list[AIMessage]
    _turn: int = PrivateAttr(default=0)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Sequence[Any], **_: Any) -> Runnable[Any, Any]:
        """The script knows its tools already."""
        return self

    def _generate(self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **_: Any) -> ChatResult:
        message = self.script[min(self._turn, len(self.script) - 1)]
        self._turn += 1
        return ChatResult(generations=[ChatGeneration(message=message.model_copy())])


def calls(tool: str, **arguments: Any) -> AIMessage:
    """A message that calls one tool."""
    return AIMessage("Let me look that up.", tool_calls=[{"name": tool, "args": arguments, "id": f"call-{tool}"}])

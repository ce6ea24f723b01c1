"""Keeps the memory of a chat engine in step with what the user was shown."""

from __future__ import annotations

from collections.abc import Sequence

from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.memory import BaseMemory, Memory
from llama_index.core.storage.chat_store.base_db import MessageStatus

__all__ = ["ShownHistory", "earlier_turns", "evidence_turns"]


class ShownHistory:
    """Rewrites the last turn of `memory`, which the engine has written with the answer as the model gave it."""

    def __init__(self, memory: BaseMemory) -> None:
        self._memory = memory

    def messages(self) -> list[ChatMessage]:
        """All messages that the engine may still show to its model."""
        if isinstance(self._memory, Memory):
            return self._memory.get_all(status=MessageStatus.ACTIVE)
        return self._memory.get_all()

    async def amessages(self) -> list[ChatMessage]:
        """As `messages`."""
        if isinstance(self._memory, Memory):
            return await self._memory.aget_all(status=MessageStatus.ACTIVE)
        return await self._memory.aget_all()

    def show(self, message: str, text: str) -> None:
        """Let the last turn be `message` and `text`."""
        self._memory.set(_shown(self.messages(), message, text))

    async def ashow(self, message: str, text: str) -> None:
        """As `show`."""
        await self._memory.aset(_shown(await self.amessages(), message, text))

    def withdraw(self, message: str) -> None:
        """Forget the turn that began with `message`."""
        self._memory.set(_before(self.messages(), message))

    async def awithdraw(self, message: str) -> None:
        """As `withdraw`."""
        await self._memory.aset(_before(await self.amessages(), message))


def evidence_turns(messages: Sequence[ChatMessage]) -> list[tuple[str, str]]:
    """Earlier messages as (role, content): what the user said is evidence, what the model said is not."""
    return [(message.role.value, message.content) for message in messages if message.content]


def earlier_turns(messages: Sequence[ChatMessage], message: str | None) -> list[tuple[str, str]]:
    """The turns before the one that began with `message`, as `evidence_turns` has them."""
    return evidence_turns(messages if message is None else _before(messages, message))


def _before(messages: Sequence[ChatMessage], message: str) -> list[ChatMessage]:
    """The messages before the last turn, if that began with `message` (a retry has feedback behind it)."""
    for index in range(len(messages) - 1, -1, -1):
        if messages[index].role is MessageRole.USER:
            began_so = (messages[index].content or "").startswith(message)
            return list(messages[:index] if began_so else messages)
    return list(messages)


def _shown(messages: Sequence[ChatMessage], message: str, text: str) -> list[ChatMessage]:
    return [
        *_before(messages, message),
        ChatMessage(role=MessageRole.USER, content=message),
        ChatMessage(role=MessageRole.ASSISTANT, content=text),
    ]

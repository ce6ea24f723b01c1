"""GuardedChatEngine: what the user sees is checked, and the history holds what the user saw."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.chat_engine.types import AgentChatResponse, BaseChatEngine, StreamingAgentChatResponse
from llama_index.core.memory import ChatMemoryBuffer, Memory

from longtracer import CitationVerifier, QualityGate
from longtracer_integrations import GroundingBlocked, GuardrailPolicy
from longtracer_integrations.llamaindex import GuardedChatEngine, GuardedStreamingChatResponse, InstrumentHandle

from .fakes import BAD, FACTS, GOOD, QUESTION, ScriptedLLM, chat_engine, retrieved_ids
from .faults import FAULTS

BLOCKED = "Sorry, that is not in the documents."
CHATS = ["context", "condense_question", "condense_plus_context"]
Ask = Callable[[BaseChatEngine, str], Awaitable[str]]


async def by_chat(engine: BaseChatEngine, message: str) -> str:
    return str(await asyncio.to_thread(engine.chat, message))


async def by_achat(engine: BaseChatEngine, message: str) -> str:
    return str(await engine.achat(message))


async def by_stream_chat(engine: BaseChatEngine, message: str) -> str:
    response = await asyncio.to_thread(engine.stream_chat, message)
    return await asyncio.to_thread(lambda: "".join(response.response_gen))


async def by_astream_chat(engine: BaseChatEngine, message: str) -> str:
    response = await engine.astream_chat(message)
    return "".join([piece async for piece in response.async_response_gen()])


async def by_unread_stream_chat(engine: BaseChatEngine, message: str) -> str:
    response = await asyncio.to_thread(engine.stream_chat, message)
    thread = response.write_response_to_history_thread
    assert isinstance(thread, threading.Thread)
    await asyncio.to_thread(thread.join)
    return engine.chat_history[-1].content or ""


async def by_unread_astream_chat(engine: BaseChatEngine, message: str) -> str:
    response = await engine.astream_chat(message)
    assert response.awrite_response_to_history_task is not None
    await response.awrite_response_to_history_task
    return engine.chat_history[-1].content or ""


WAYS: list[Ask] = [
    by_chat,
    by_achat,
    by_stream_chat,
    by_astream_chat,
    by_unread_stream_chat,
    by_unread_astream_chat,
]
every_way = pytest.mark.parametrize("ask", WAYS)
every_chat = pytest.mark.parametrize("chat", CHATS)
every_mode = pytest.mark.parametrize("stream_mode", ["buffer", "sentence"])


def _guarded(
    chat: str, answer: Any, verifier: Any, policy: GuardrailPolicy | None = None, **options: Any
) -> GuardedChatEngine:
    policy = policy or GuardrailPolicy(block_message=BLOCKED)
    return GuardedChatEngine(chat_engine(chat, answer), policy, verifier=verifier, **options)


def _history(engine: BaseChatEngine) -> list[tuple[str, str | None]]:
    return [(message.role.value, message.content) for message in engine.chat_history]


@every_mode
@every_chat
@every_way
async def test_a_bad_answer_never_gets_out(verifier: CitationVerifier, ask: Ask, chat: str, stream_mode: Any) -> None:
    guarded = _guarded(chat, BAD, verifier, stream_mode=stream_mode)
    assert await ask(guarded, QUESTION) == BLOCKED
    assert _history(guarded) == [("user", QUESTION), ("assistant", BLOCKED)]


@every_mode
@every_chat
@every_way
async def test_a_good_answer_gets_out_unchanged(
    verifier: CitationVerifier, ask: Ask, chat: str, stream_mode: Any
) -> None:
    guarded = _guarded(chat, GOOD, verifier, stream_mode=stream_mode)
    assert await ask(guarded, QUESTION) == GOOD
    assert _history(guarded) == [("user", QUESTION), ("assistant", GOOD)]


@every_way
async def test_the_turns_before_stay(verifier: CitationVerifier, ask: Ask) -> None:
    answers = iter([GOOD, BAD, GOOD])
    guarded = _guarded("context", lambda prompt: next(answers), verifier)
    for _ in range(3):
        await ask(guarded, QUESTION)
    assert [content for _, content in _history(guarded)] == [QUESTION, GOOD, QUESTION, BLOCKED, QUESTION, GOOD]


async def test_a_raise_leaves_nothing_of_the_turn(verifier: CitationVerifier) -> None:
    answers = iter([GOOD, BAD, BAD])
    guarded = _guarded("context", lambda prompt: next(answers), verifier, GuardrailPolicy(on_fail="raise"))
    guarded.chat(QUESTION)
    with pytest.raises(GroundingBlocked):
        guarded.chat("And now?")
    with pytest.raises(GroundingBlocked):
        await guarded.achat("And now?")
    assert _history(guarded) == [("user", QUESTION), ("assistant", GOOD)]


@every_mode
def test_a_raise_comes_out_of_the_stream(verifier: CitationVerifier, stream_mode: Any) -> None:
    guarded = _guarded("context", BAD, verifier, GuardrailPolicy(on_fail="raise"), stream_mode=stream_mode)
    with pytest.raises(GroundingBlocked):
        list(guarded.stream_chat(QUESTION).response_gen)
    assert _history(guarded) == []


@every_mode
async def test_a_raise_comes_out_of_the_asynchronous_stream(verifier: CitationVerifier, stream_mode: Any) -> None:
    guarded = _guarded("context", BAD, verifier, GuardrailPolicy(on_fail="raise"), stream_mode=stream_mode)
    response = await guarded.astream_chat(QUESTION)
    with pytest.raises(GroundingBlocked):
        async for _ in response.async_response_gen():
            pass
    assert _history(guarded) == []


def test_sentences_that_were_seen_before_a_raise_are_in_the_history(verifier: CitationVerifier) -> None:
    policy = GuardrailPolicy(on_fail="raise")
    guarded = _guarded("context", f"{GOOD} {BAD} {GOOD}", verifier, policy, stream_mode="sentence")
    shown: list[str] = []
    with pytest.raises(GroundingBlocked):
        shown.extend(guarded.stream_chat(QUESTION).response_gen)
    assert "".join(shown).strip() == GOOD
    assert [content.strip() for _, content in _history(guarded) if content] == [QUESTION, GOOD]


def test_sentences_before_a_block_are_in_the_history(verifier: CitationVerifier) -> None:
    guarded = _guarded("context", f"{GOOD} {BAD} {GOOD}", verifier, stream_mode="sentence")
    assert "".join(guarded.stream_chat(QUESTION).response_gen) == f"{GOOD} {BLOCKED}"
    assert _history(guarded) == [("user", QUESTION), ("assistant", f"{GOOD} {BLOCKED}")]


def test_a_redacted_answer_is_in_the_history(verifier: CitationVerifier) -> None:
    guarded = _guarded("context", f"{GOOD} {BAD}", verifier, GuardrailPolicy(on_fail="redact"))
    assert str(guarded.chat(QUESTION)).strip() == GOOD
    assert (_history(guarded)[-1][1] or "").strip() == GOOD


@every_way
async def test_retry_leaves_the_question_as_it_was_asked(verifier: CitationVerifier, ask: Ask) -> None:
    answers = iter([BAD, GOOD])
    guarded = _guarded("context", lambda prompt: next(answers), verifier, GuardrailPolicy(on_fail="retry"))
    assert await ask(guarded, QUESTION) == GOOD
    assert _history(guarded) == [("user", QUESTION), ("assistant", GOOD)]


def test_the_result_is_in_the_metadata(verifier: CitationVerifier) -> None:
    response = _guarded("context", GOOD, verifier).chat(QUESTION)
    assert isinstance(response, AgentChatResponse)
    assert response.metadata is not None
    assert response.metadata["longtracer"]["quality_gate"] == "PASS"
    assert [node.node_id for node in response.source_nodes] == retrieved_ids(QUESTION)


def test_the_result_of_a_stream_is_in_its_metadata_after_the_end(verifier: CitationVerifier) -> None:
    response = _guarded("context", BAD, verifier).stream_chat(QUESTION)
    assert isinstance(response, GuardedStreamingChatResponse)
    list(response.response_gen)
    assert response.metadata["longtracer"]["quality_gate"] == "FAIL"
    assert [node.node_id for node in response.source_nodes] == retrieved_ids(QUESTION)


def test_the_sources_do_not_give_away_what_was_blocked(verifier: CitationVerifier) -> None:
    response = _guarded("condense_question", BAD, verifier).chat(QUESTION)
    assert BAD not in str([(source.content, str(source.raw_output)) for source in response.sources])


def test_what_the_user_said_before_is_evidence(verifier: CitationVerifier) -> None:
    told = "My boat is called Marigold."
    history = [ChatMessage(role="user", content=told), ChatMessage(role="assistant", content="Noted.")]
    guarded = _guarded("context", "Your boat is called Marigold.", verifier)
    assert str(guarded.chat("What is my boat called?", chat_history=history)) == "Your boat is called Marigold."


def test_what_the_model_said_before_is_no_evidence(verifier: CitationVerifier) -> None:
    history = [
        ChatMessage(role="user", content="Hello."),
        ChatMessage(role="assistant", content="Your boat is called Marigold."),
    ]
    guarded = _guarded("context", "Your boat is called Marigold.", verifier)
    assert str(guarded.chat("What is my boat called?", chat_history=history)) == BLOCKED


def test_a_simple_chat_has_nothing_to_be_checked_by(verifier: CitationVerifier) -> None:
    response = _guarded("simple", GOOD, verifier).chat(QUESTION)
    assert str(response) == BLOCKED
    assert response.metadata["longtracer"]["quality_gate"] == "INDETERMINATE"


@pytest.mark.parametrize("fault", FAULTS)
@every_way
async def test_u84_whatever_cannot_be_checked_is_blocked(fault: str, ask: Ask) -> None:
    guarded = _guarded("context", GOOD, FAULTS[fault])
    assert await ask(guarded, QUESTION) == BLOCKED
    assert _history(guarded)[-1] == ("assistant", BLOCKED)


@pytest.mark.parametrize("fault", FAULTS)
@every_way
async def test_u84_fail_open_lets_it_out(fault: str, ask: Ask) -> None:
    guarded = _guarded("context", BAD, FAULTS[fault], GuardrailPolicy(on_indeterminate="pass"))
    assert await ask(guarded, QUESTION) == BAD


async def test_a_cancelled_check_leaves_nothing_of_the_turn(verifier: CitationVerifier) -> None:
    class Hanging:
        async def verify_case_async(self, *_: Any, **__: Any) -> Any:
            await asyncio.sleep(30)

        verify_case = verify_case_async

    guarded = _guarded("context", BAD, Hanging())
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(guarded.achat(QUESTION), 0.3)
    assert _history(guarded) == []


def _broken_policy(*_: Any) -> str:
    raise ValueError("a bug of the app")


@pytest.mark.parametrize("stream_mode", ["buffer", "sentence"])
@pytest.mark.parametrize("ask", [by_chat, by_achat, by_stream_chat, by_astream_chat])
async def test_a_policy_that_raises_leaves_nothing_of_the_turn(
    verifier: CitationVerifier, ask: Ask, stream_mode: Any
) -> None:
    guarded = GuardedChatEngine(
        chat_engine("context", BAD),
        GuardrailPolicy(on_fail=_broken_policy),
        verifier=verifier,
        stream_mode=stream_mode,
    )
    with pytest.raises(ValueError, match="a bug of the app"):
        await ask(guarded, QUESTION)
    await asyncio.sleep(0.1)
    assert _history(guarded) == []


class _Waits:
    """A verifier whose check never ends."""

    def __init__(self) -> None:
        self.begun = asyncio.Event()

    def verify_case(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError

    async def verify_case_async(self, *_: Any, **__: Any) -> Any:
        self.begun.set()
        await asyncio.Event().wait()


@pytest.mark.parametrize(("answer", "stream_mode"), [(BAD, "buffer"), (f"{BAD} {GOOD} {GOOD}", "sentence")])
async def test_a_stream_that_is_cancelled_during_its_check_leaves_nothing_of_the_turn(
    answer: str, stream_mode: Any
) -> None:
    waits = _Waits()
    guarded = GuardedChatEngine(chat_engine("context", answer), verifier=waits, stream_mode=stream_mode)
    response = await guarded.astream_chat(QUESTION)
    await asyncio.wait_for(waits.begun.wait(), 5)
    task = response.awrite_response_to_history_task
    assert task is not None
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.sleep(0.2)
    assert _history(guarded) == []


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_model_that_fails_in_mid_stream_raises_through_the_guard(verifier: CitationVerifier) -> None:
    # LlamaIndex's own writer thread dies of the error as well, hence the filter.
    broken = chat_engine("context", llm=ScriptedLLM(GOOD, fail_after=3))
    with pytest.raises(RuntimeError, match="the model is down"):
        list(GuardedChatEngine(broken, verifier=verifier).stream_chat(QUESTION).response_gen)


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
@every_way
async def test_the_default_memory_of_llama_index(verifier: CitationVerifier, ask: Ask) -> None:
    # It keeps a database connection per engine, which it does not close, hence the filters; and the collection,
    # so that no other test pays for it.
    assert await _remembered(verifier, ask) == [(MessageRole.USER, QUESTION), (MessageRole.ASSISTANT, BLOCKED)]
    gc.collect()


async def _remembered(verifier: CitationVerifier, ask: Ask) -> list[tuple[MessageRole, str | None]]:
    memory = Memory.from_defaults()
    inner = chat_engine("context", BAD, memory=memory)
    await ask(GuardedChatEngine(inner, GuardrailPolicy(block_message=BLOCKED), verifier=verifier), QUESTION)
    messages = [(message.role, message.content) for message in await memory.aget_all()]
    # LlamaIndex leaves the connection open; its thread would outlive the loop of this test.
    if memory.sql_store._async_engine is not None:
        await memory.sql_store._async_engine.dispose()
    return messages


@every_way
async def test_a_handle_records_what_the_guard_decided(
    handle: InstrumentHandle, verifier: CitationVerifier, ask: Ask
) -> None:
    await ask(_guarded("context", BAD, verifier), QUESTION)
    await handle.wait_async()
    (record,) = handle.records
    assert record.answer == BLOCKED
    assert record.case is not None
    assert (record.case.quality_gate, record.case.claims[0].claim_text) == (QualityGate.FAIL, BAD)


def test_reset_reaches_the_engine(verifier: CitationVerifier) -> None:
    guarded = _guarded("context", GOOD, verifier)
    guarded.chat(QUESTION)
    guarded.reset()
    assert _history(guarded) == []


class Bare(BaseChatEngine):
    """An engine that keeps its history in its own way."""

    def __init__(self, memory: ChatMemoryBuffer) -> None:
        self.kept = memory

    def chat(self, message: str, chat_history: Any = None) -> AgentChatResponse:
        self.kept.put(ChatMessage(role="user", content=message))
        self.kept.put(ChatMessage(role="assistant", content=BAD))
        return AgentChatResponse(response=BAD)

    async def achat(self, message: str, chat_history: Any = None) -> AgentChatResponse:
        return self.chat(message)

    def stream_chat(self, message: str, chat_history: Any = None) -> StreamingAgentChatResponse:
        raise NotImplementedError

    async def astream_chat(self, message: str, chat_history: Any = None) -> StreamingAgentChatResponse:
        raise NotImplementedError

    def reset(self) -> None:
        self.kept.reset()

    @property
    def chat_history(self) -> list[ChatMessage]:
        return self.kept.get_all()


def test_an_engine_without_a_known_memory_is_refused() -> None:
    with pytest.raises(TypeError, match="memory="):
        GuardedChatEngine(Bare(ChatMemoryBuffer.from_defaults(token_limit=3000)))


def test_a_memory_that_is_passed_is_kept_right(verifier: CitationVerifier) -> None:
    memory = ChatMemoryBuffer.from_defaults(token_limit=3000)
    policy = GuardrailPolicy(block_message=BLOCKED)
    GuardedChatEngine(Bare(memory), policy, verifier=verifier, memory=memory).chat(QUESTION)
    assert [message.content for message in memory.get_all()] == [QUESTION, BLOCKED]


def test_the_facts_are_what_the_tests_think() -> None:
    assert FACTS["n1"][1] == GOOD

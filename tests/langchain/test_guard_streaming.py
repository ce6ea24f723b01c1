"""When guards let what out in a stream."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypedDict

import pytest
from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableGenerator, RunnableLambda
from langchain_core.runnables.utils import AddableDict
from langgraph.graph import END, START, StateGraph
from lc_fakes import BAD, GOOD, FakeVerifier, ScriptedModel, alist, facts, lcel, lcel_dict, longest_stall, retriever

from longtracer import CaseResult
from longtracer_integrations import GroundingBlocked, GuardrailPolicy
from longtracer_integrations.langchain import GroundingGuardrail, LongTracerCallbackHandler


class Facts(TypedDict, total=False):
    question: str
    context: list[Any]
    answer: str


QUESTION = "Pro plan, dogs"
BLOCKED = "No."
POLICY = GuardrailPolicy(block_message=BLOCKED)
DOGS = "Dogs are allowed in the garden."


class Watched(FakeVerifier):
    """Notes how many chunks had left before each check."""

    def __init__(self, chunks: list[Any]) -> None:
        super().__init__()
        self.chunks = chunks
        self.left_before: list[list[Any]] = []

    def _judge(self, *args: Any) -> CaseResult:
        self.left_before.append(list(self.chunks))
        return super()._judge(*args)


def keys(chunks: list[Any]) -> list[str]:
    return [key for chunk in chunks for key in chunk]


@pytest.mark.parametrize("guard", ["piped", "around"])
def test_t34_documents_leave_at_once_and_no_answer_text_before_the_verdict(guard: str) -> None:
    chunks: list[Any] = []
    verifier = Watched(chunks)
    chain = lcel_dict(ScriptedModel(script=[GOOD]))
    guarded: Any = (
        chain | GroundingGuardrail(POLICY, verifier=verifier)
        if guard == "piped"
        else GroundingGuardrail.around(chain, POLICY, verifier=verifier)
    )
    for chunk in guarded.stream({"question": QUESTION}):
        chunks.append(chunk)
    assert [sorted(set(keys(left))) for left in verifier.left_before] == [["context", "question"]]
    assert "".join(chunk.get("answer", "") for chunk in chunks) == GOOD


def test_t34_a_bad_answer_leaves_as_the_refusal_alone() -> None:
    chain = lcel_dict(ScriptedModel(script=[BAD])) | GroundingGuardrail(POLICY, verifier=FakeVerifier())
    chunks = list(chain.stream({"question": QUESTION}))
    assert [chunk["answer"] for chunk in chunks if "answer" in chunk] == [BLOCKED]
    assert chunks[-1]["longtracer"].quality_gate.value == "FAIL"


def sentence_guard(script: Any, policy: GuardrailPolicy = POLICY, verifier: Any = None) -> Any:
    chain = lcel(ScriptedModel(script=[script]), retriever(*facts("d1", "d3")))
    return GroundingGuardrail.around(chain, policy, verifier=verifier or FakeVerifier(), stream_mode="sentence")


def test_sentences_leave_one_by_one_unchanged_to_the_character(verifier: Any) -> None:
    text = f"{GOOD}  {DOGS}\n\nThe Pro plan costs 20 dollars."
    pieces = list(sentence_guard(text, verifier=verifier).stream(QUESTION))
    assert pieces == [f"{GOOD}  ", f"{DOGS}\n\n", GOOD]


def test_the_first_sentence_that_fails_gives_way_to_the_message_and_ends_the_stream(verifier: Any) -> None:
    text = f"{DOGS} {BAD} {GOOD}"
    assert list(sentence_guard(text, verifier=verifier).stream(QUESTION)) == [f"{DOGS} ", BLOCKED]


async def test_u68_async_sentences_are_those_of_the_sync_stream(verifier: Any) -> None:
    text = f"{DOGS} {BAD} {GOOD}"
    guarded = sentence_guard(text, verifier=verifier)
    assert await alist(guarded.astream(QUESTION)) == list(guarded.stream(QUESTION))


def test_a_sentence_is_checked_before_it_leaves_and_after_the_one_before_it_left() -> None:
    left: list[Any] = []
    verifier = Watched(left)
    for piece in sentence_guard(f"{GOOD} {DOGS} {GOOD}", verifier=verifier).stream(QUESTION):
        left.append(piece)
    assert verifier.left_before == [[], [f"{GOOD} "], [f"{GOOD} ", f"{DOGS} "]]


def test_a_chain_that_stops_being_wanted_is_closed() -> None:
    closed: list[bool] = []

    def talk(_: Iterator[Any]) -> Iterator[str]:
        try:
            for word in f"{BAD} and so on. And on. And on.".split(" "):
                yield word + " "
        finally:
            closed.append(True)

    chain = RunnableLambda(lambda question: retriever().invoke(question)) | RunnableGenerator(talk)
    guarded = GroundingGuardrail.around(chain, POLICY, verifier=FakeVerifier(), stream_mode="sentence")
    assert list(guarded.stream(QUESTION)) == [BLOCKED]
    assert closed == [True]


@pytest.mark.parametrize("taken", [1, 2])
def test_a_consumer_that_leaves_early_leaves_no_state(taken: int) -> None:
    handler = LongTracerCallbackHandler(FakeVerifier())
    stream = sentence_guard(f"{GOOD} {DOGS} {GOOD}").stream(QUESTION, {"callbacks": [handler]})
    for _ in range(taken):
        next(stream)
    stream.close()
    assert handler.open_requests == 0
    assert [record.status.value for record in handler.records] == ["closed_early"]


def test_raise_lets_the_good_sentences_out_first() -> None:
    stream = sentence_guard(f"{DOGS} {BAD}", GuardrailPolicy(on_fail="raise")).stream(QUESTION)
    assert next(stream) == f"{DOGS} "
    with pytest.raises(GroundingBlocked):
        next(stream)


def test_annotate_puts_its_note_behind_the_last_sentence() -> None:
    policy = GuardrailPolicy(on_fail="annotate", annotation=" [doubtful]")
    assert "".join(sentence_guard(f"{BAD} {DOGS}", policy).stream(QUESTION)) == f"{BAD} {DOGS} [doubtful]"


def test_redact_leaves_the_bad_sentence_out(verifier: Any) -> None:
    policy = GuardrailPolicy(on_fail="redact")
    out = "".join(sentence_guard(f"{GOOD} {BAD} {DOGS}", policy, verifier).stream(QUESTION))
    assert out == f"{GOOD}  {DOGS}"


def test_a_callable_replaces_the_first_sentence_that_fails_and_is_called_once() -> None:
    calls: list[str] = []
    policy = GuardrailPolicy(on_fail=lambda case, answer, documents: calls.append(answer) or "See the list.")  # type: ignore[func-returns-value]
    assert list(sentence_guard(f"{DOGS} {BAD} {BAD}", policy).stream(QUESTION)) == [f"{DOGS} ", "See the list."]
    assert calls == [f"{BAD} "]


def test_retry_holds_the_whole_answer_in_sentence_mode() -> None:
    model = ScriptedModel(script=[f"{DOGS} {BAD}", f"{DOGS} {GOOD}"])
    guarded = GroundingGuardrail.around(
        lcel(model), GuardrailPolicy(on_fail="retry"), verifier=FakeVerifier(), stream_mode="sentence"
    )
    assert "".join(guarded.stream(QUESTION)) == f"{DOGS} {GOOD}"


def test_the_last_chunk_of_a_message_stream_carries_the_case() -> None:
    model = ScriptedModel(script=[AIMessage(f"{GOOD} {DOGS}", id="m1")])
    chain = retriever() | (lambda documents: str(documents)) | model
    for mode in ("buffer", "sentence"):
        guarded = GroundingGuardrail.around(chain, POLICY, verifier=FakeVerifier(), stream_mode=mode)
        chunks = list(guarded.stream(QUESTION))
        total = chunks[0]
        for chunk in chunks[1:]:
            total += chunk
        assert (total.text, total.id) == (f"{GOOD} {DOGS}", "m1")
        assert total.response_metadata["longtracer"]["quality_gate"] == "PASS"


def test_sentences_wait_for_documents_that_come_late() -> None:
    verifier = FakeVerifier()

    def answer_first(_: Iterator[Any]) -> Iterator[dict[str, Any]]:
        yield AddableDict({"answer": f"{GOOD} "})
        yield AddableDict({"answer": DOGS})
        yield AddableDict({"context": facts("d1", "d3")})

    guarded = RunnableGenerator(answer_first) | GroundingGuardrail(POLICY, verifier=verifier, stream_mode="sentence")
    chunks = list(guarded.stream({}))
    assert "".join(chunk.get("answer", "") for chunk in chunks) == f"{GOOD} {DOGS}"
    assert [len(call["sources"]) for call in verifier.calls] == [2]


def test_unknown_entries_of_a_stream_wait_for_the_verdict() -> None:
    def talk(_: Iterator[Any]) -> Iterator[dict[str, Any]]:
        yield {"context": facts("d1")}
        yield {"thoughts": BAD}
        yield {"answer": BAD}

    guarded = RunnableGenerator(talk) | GroundingGuardrail(POLICY, verifier=FakeVerifier(), stream_mode="sentence")
    chunks = list(guarded.stream({}))
    assert "90" not in str([{k: v for k, v in chunk.items() if k != "longtracer"} for chunk in chunks])


def test_a_graph_s_node_with_the_name_of_a_question_is_no_question() -> None:
    graph = StateGraph(Facts)
    graph.add_node("retrieve", lambda state: {"context": retriever().invoke(state["question"])})
    graph.add_node("query", lambda state: {"answer": BAD})
    graph.add_edge(START, "retrieve")
    graph.add_edge("retrieve", "query")
    graph.add_edge("query", END)
    guarded = GroundingGuardrail.around(graph.compile(), POLICY, verifier=FakeVerifier())
    chunks = list(guarded.stream({"question": QUESTION}))
    assert [chunk["answer"] for chunk in chunks] == [BLOCKED]


async def test_t37_u85_a_slow_check_does_not_stall_the_event_loop() -> None:
    verifier = FakeVerifier(delay=0.5)
    guarded = GroundingGuardrail.around(lcel(ScriptedModel(script=[GOOD])), POLICY, verifier=verifier)
    await GroundingGuardrail.around(lcel(ScriptedModel(script=[GOOD])), POLICY, verifier=FakeVerifier()).ainvoke("Pro")
    assert await longest_stall(guarded.ainvoke(QUESTION)) < 0.05

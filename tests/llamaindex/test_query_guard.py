"""GuardedQueryEngine: a planted bad answer is stopped on every way out, and a good one passes unchanged."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Awaitable, Callable
from contextlib import redirect_stdout
from typing import Any

import pytest
from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.response.schema import AsyncStreamingResponse, PydanticResponse, Response, StreamingResponse
from llama_index.core.query_engine import CustomQueryEngine, RetrieverQueryEngine
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
from llama_index.core.tools import QueryEngineTool
from pydantic import BaseModel

from longtracer import CaseResult, CitationVerifier, InvalidInputError, QualityGate, ReasonCode
from longtracer_integrations import GroundingBlocked, GuardrailPolicy, RetrievedDocument
from longtracer_integrations.llamaindex import GuardedQueryEngine, InstrumentHandle

from .fakes import BAD, FACTS, GOOD, QUESTION, ScriptedLLM, engine, fact_index, ids, retrieved_ids
from .faults import FAULTS

BLOCKED = "Sorry, that is not in the documents."
MIXED = f"{GOOD} {BAD.replace('lighthouse', 'old lighthouse')}"
Ask = Callable[[GuardedQueryEngine], Awaitable[str]]


async def by_query(guarded: GuardedQueryEngine) -> str:
    return str(await asyncio.to_thread(guarded.query, QUESTION))


async def by_aquery(guarded: GuardedQueryEngine) -> str:
    return str(await guarded.aquery(QUESTION))


async def by_tool(guarded: GuardedQueryEngine) -> str:
    tool = QueryEngineTool.from_defaults(guarded, name="facts", description="facts")
    return str(await asyncio.to_thread(tool.call, QUESTION))


async def by_atool(guarded: GuardedQueryEngine) -> str:
    return str(await QueryEngineTool.from_defaults(guarded, name="facts", description="facts").acall(QUESTION))


async def by_condense_chat(guarded: GuardedQueryEngine) -> str:
    return str(await asyncio.to_thread(_condense(guarded).chat, QUESTION))


async def by_condense_achat(guarded: GuardedQueryEngine) -> str:
    return str(await _condense(guarded).achat(QUESTION))


def _condense(guarded: GuardedQueryEngine) -> Any:
    from llama_index.core.chat_engine import CondenseQuestionChatEngine
    from llama_index.core.memory import ChatMemoryBuffer

    memory = ChatMemoryBuffer.from_defaults(token_limit=3000)
    return CondenseQuestionChatEngine.from_defaults(guarded, memory=memory, llm=ScriptedLLM("unused"))


async def by_stream(guarded: GuardedQueryEngine) -> str:
    response = await asyncio.to_thread(guarded.query, QUESTION)
    assert isinstance(response, StreamingResponse)
    return await asyncio.to_thread(lambda: "".join(response.response_gen))


async def by_str_of_stream(guarded: GuardedQueryEngine) -> str:
    return await asyncio.to_thread(lambda: str(guarded.query(QUESTION)))


async def by_printed_stream(guarded: GuardedQueryEngine) -> str:
    response = await asyncio.to_thread(guarded.query, QUESTION)
    assert isinstance(response, StreamingResponse)
    with redirect_stdout(io.StringIO()) as out:
        await asyncio.to_thread(response.print_response_stream)
    return out.getvalue()


async def by_astream(guarded: GuardedQueryEngine) -> str:
    response = await guarded.aquery(QUESTION)
    assert isinstance(response, AsyncStreamingResponse)
    return "".join([piece async for piece in response.async_response_gen()])


async def by_whole_astream(guarded: GuardedQueryEngine) -> str:
    response = await guarded.aquery(QUESTION)
    assert isinstance(response, AsyncStreamingResponse)
    return (await response.get_response()).response or ""


async def by_condense_stream_chat(guarded: GuardedQueryEngine) -> str:
    response = await asyncio.to_thread(_condense(guarded).stream_chat, QUESTION)
    return await asyncio.to_thread(lambda: "".join(response.response_gen))


WHOLE: list[Ask] = [by_query, by_aquery, by_tool, by_atool, by_condense_chat, by_condense_achat]
STREAMED: list[Ask] = [
    by_stream,
    by_str_of_stream,
    by_printed_stream,
    by_astream,
    by_whole_astream,
    by_condense_stream_chat,
]
WAYS = [pytest.param(ask, False, id=ask.__name__) for ask in WHOLE] + [
    pytest.param(ask, True, id=ask.__name__) for ask in STREAMED
]
MODES = pytest.mark.parametrize("stream_mode", ["buffer", "sentence"])


def _guarded(
    answer: Any, verifier: Any, policy: GuardrailPolicy | None = None, *, streaming: bool = False, **options: Any
) -> GuardedQueryEngine:
    policy = policy or GuardrailPolicy(block_message=BLOCKED)
    return GuardedQueryEngine(engine(answer, streaming=streaming), policy, verifier=verifier, **options)


# The positive control -------------------------------------------------------------------------------------------


@MODES
@pytest.mark.parametrize(("ask", "streaming"), WAYS)
async def test_t57_a_bad_answer_never_gets_out(
    verifier: CitationVerifier, ask: Ask, streaming: bool, stream_mode: Any
) -> None:
    assert await ask(_guarded(BAD, verifier, streaming=streaming, stream_mode=stream_mode)) == BLOCKED


@MODES
@pytest.mark.parametrize(("ask", "streaming"), WAYS)
async def test_t57_a_good_answer_gets_out_unchanged(
    verifier: CitationVerifier, ask: Ask, streaming: bool, stream_mode: Any
) -> None:
    assert await ask(_guarded(GOOD, verifier, streaming=streaming, stream_mode=stream_mode)) == GOOD


# Responses ------------------------------------------------------------------------------------------------------


def test_t57_the_metadata_keeps_the_nodes_and_gains_the_result(verifier: CitationVerifier) -> None:
    response = _guarded(GOOD, verifier).query(QUESTION)
    assert response.metadata is not None
    assert list(response.metadata) == [*retrieved_ids(QUESTION), "longtracer"]
    assert CaseResult.model_validate(response.metadata["longtracer"]).quality_gate is QualityGate.PASS


def test_the_source_nodes_stay(verifier: CitationVerifier) -> None:
    response = _guarded(BAD, verifier).query(QUESTION)
    assert [node.node_id for node in response.source_nodes] == retrieved_ids(QUESTION)


def test_a_tool_keeps_the_result(verifier: CitationVerifier) -> None:
    tool = QueryEngineTool.from_defaults(_guarded(BAD, verifier), name="facts", description="facts")
    output = tool.call(QUESTION)
    assert output.raw_output.metadata["longtracer"]["quality_gate"] == "FAIL"
    assert BAD not in output.content


def test_the_engine_inside_is_not_changed(verifier: CitationVerifier) -> None:
    given = Response(BAD, [NodeWithScore(node=node) for node in fact_index().docstore.docs.values()])

    class Canned(CustomQueryEngine):
        def custom_query(self, query_str: str) -> Response:
            return given

    GuardedQueryEngine(Canned(), verifier=verifier).query(QUESTION)
    assert (given.response, given.metadata) == (BAD, None)


@MODES
def test_the_result_of_a_stream_is_there_after_its_end(verifier: CitationVerifier, stream_mode: Any) -> None:
    response = _guarded(BAD, verifier, streaming=True, stream_mode=stream_mode).query(QUESTION)
    assert response.metadata is not None
    assert "longtracer" not in response.metadata
    assert str(response) == BLOCKED
    assert response.metadata["longtracer"]["quality_gate"] == "FAIL"


def test_a_buffered_stream_shows_nothing_before_the_verdict(verifier: CitationVerifier) -> None:
    response = _guarded(GOOD, verifier, streaming=True).query(QUESTION)
    assert isinstance(response, StreamingResponse)
    assert list(response.response_gen) == [GOOD]


def test_a_sentence_gets_out_before_the_next_is_written(verifier: CitationVerifier) -> None:
    response = _guarded(f"{GOOD} {FACTS['n2'][1]}", verifier, streaming=True, stream_mode="sentence").query(QUESTION)
    assert isinstance(response, StreamingResponse)
    assert "".join(response.response_gen) == f"{GOOD} {FACTS['n2'][1]}"


def test_a_stream_in_sentences_stops_at_the_first_bad_one(verifier: CitationVerifier) -> None:
    response = _guarded(f"{GOOD} {BAD} {FACTS['n2'][1]}", verifier, streaming=True, stream_mode="sentence")
    assert str(response.query(QUESTION)) == f"{GOOD} {BLOCKED}"


@pytest.mark.parametrize("answer", [GOOD, f"  {GOOD}\n\n{FACTS['n2'][1]}  "])
@MODES
def test_a_good_stream_is_equal_to_the_character(verifier: CitationVerifier, answer: str, stream_mode: Any) -> None:
    plain = "".join(engine(answer, streaming=True).query(QUESTION).response_gen)  # type: ignore[union-attr, arg-type]
    guarded = _guarded(answer, verifier, streaming=True, stream_mode=stream_mode).query(QUESTION)
    assert "".join(guarded.response_gen) == plain  # type: ignore[union-attr, arg-type]
    assert plain.strip() == answer.strip()


def test_a_model_that_fails_in_mid_stream_raises_through_the_guard(verifier: CitationVerifier) -> None:
    broken = engine(llm=ScriptedLLM(GOOD, fail_after=3), streaming=True)
    with pytest.raises(RuntimeError, match="the model is down"):
        str(GuardedQueryEngine(broken, verifier=verifier).query(QUESTION))


class Painted(BaseModel):
    """A structured answer."""

    answer: str


def test_a_good_structured_answer_stays_structured(verifier: CitationVerifier) -> None:
    inner = engine(llm=ScriptedLLM(f'{{"answer": "{GOOD}"}}'), output_cls=Painted)
    response = GuardedQueryEngine(inner, verifier=verifier).query(QUESTION)
    assert isinstance(response, PydanticResponse)
    assert response.response == Painted(answer=GOOD)


def test_a_bad_structured_answer_becomes_the_message(verifier: CitationVerifier) -> None:
    inner = engine(llm=ScriptedLLM(f'{{"answer": "{BAD}"}}'), output_cls=Painted)
    response = GuardedQueryEngine(inner, GuardrailPolicy(block_message=BLOCKED), verifier=verifier).query(QUESTION)
    assert str(response) == BLOCKED


# Documents ------------------------------------------------------------------------------------------------------


class TextEngine(CustomQueryEngine):
    """Retrieves by itself and returns a text without nodes."""

    retriever: BaseRetriever
    answer: str

    def custom_query(self, query_str: str) -> str:
        self.retriever.retrieve(query_str)
        return self.answer


@pytest.mark.parametrize(("answer", "shown"), [(GOOD, GOOD), (BAD, BLOCKED)])
def test_an_engine_that_returns_no_nodes_is_checked_by_what_it_retrieved(
    verifier: CitationVerifier, answer: str, shown: str
) -> None:
    inner = TextEngine(retriever=fact_index().as_retriever(similarity_top_k=2), answer=answer)
    guarded = GuardedQueryEngine(inner, GuardrailPolicy(block_message=BLOCKED), verifier=verifier)
    assert str(guarded.query(QUESTION)) == shown


def test_what_an_earlier_query_retrieved_is_no_evidence(verifier: CitationVerifier) -> None:
    class Answering(CustomQueryEngine):
        def custom_query(self, query_str: str) -> str:
            return GOOD

    class Outer(CustomQueryEngine):
        guarded: Any

        def custom_query(self, query_str: str) -> Any:
            fact_index().as_retriever().retrieve(query_str)
            return self.guarded.query(query_str)

    guarded = GuardedQueryEngine(Answering(), GuardrailPolicy(block_message=BLOCKED), verifier=verifier)
    assert str(Outer(guarded=guarded).query(QUESTION)) == BLOCKED


class NothingRetriever(BaseRetriever):
    """Finds nothing."""

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return []


def test_nothing_retrieved_is_a_fail_and_no_retrieval_is_indeterminate(verifier: CitationVerifier) -> None:
    class NoRetrieval(CustomQueryEngine):
        def custom_query(self, query_str: str) -> str:
            return GOOD

    nothing = RetrieverQueryEngine.from_args(NothingRetriever(), llm=ScriptedLLM(GOOD))
    gates = [
        GuardedQueryEngine(inner, verifier=verifier).query(QUESTION).metadata["longtracer"]["quality_gate"]  # type: ignore[index]
        for inner in (nothing, NoRetrieval())
    ]
    assert gates == ["FAIL", "INDETERMINATE"]


# Policies -------------------------------------------------------------------------------------------------------


def test_the_default_policy_blocks(verifier: CitationVerifier) -> None:
    shown = str(GuardedQueryEngine(engine(BAD), verifier=verifier).query(QUESTION))
    assert shown == GuardrailPolicy().block_message


def test_annotate_keeps_the_answer_and_names_the_claim(verifier: CitationVerifier) -> None:
    policy = GuardrailPolicy(on_fail="annotate", annotation=" [unconfirmed: {claims}]")
    assert str(_guarded(BAD, verifier, policy).query(QUESTION)) == f'{BAD} [unconfirmed: "{BAD}"]'


def test_redact_removes_the_claim_and_nothing_else(verifier: CitationVerifier) -> None:
    shown = str(_guarded(f"{GOOD} {BAD}", verifier, GuardrailPolicy(on_fail="redact")).query(QUESTION))
    assert shown == f"{GOOD} "


def test_raise_holds_the_case(verifier: CitationVerifier) -> None:
    with pytest.raises(GroundingBlocked) as raised:
        _guarded(BAD, verifier, GuardrailPolicy(on_fail="raise")).query(QUESTION)
    assert raised.value.case.quality_gate is QualityGate.FAIL


@MODES
async def test_raise_comes_out_of_a_stream(verifier: CitationVerifier, stream_mode: Any) -> None:
    policy = GuardrailPolicy(on_fail="raise")
    response = await _guarded(BAD, verifier, policy, streaming=True, stream_mode=stream_mode).aquery(QUESTION)
    with pytest.raises(GroundingBlocked):
        await anext(aiter(response.response_gen))  # type: ignore[union-attr, arg-type]
    assert response.metadata["longtracer"]["quality_gate"] == "FAIL"  # type: ignore[index]


def test_a_replacement_is_made_of_case_answer_and_documents(verifier: CitationVerifier) -> None:
    def replace(case: CaseResult, answer: str, documents: Any) -> str:
        assert all(isinstance(document, RetrievedDocument) for document in documents)
        return f"{case.quality_gate.value}: {len(documents)} documents do not say {answer!r}"

    shown = str(_guarded(BAD, verifier, GuardrailPolicy(on_fail=replace)).query(QUESTION))
    assert shown == f"FAIL: 2 documents do not say {BAD!r}"


@pytest.mark.parametrize("streaming", [False, True])
async def test_retry_asks_again_with_the_claims_named(verifier: CitationVerifier, streaming: bool) -> None:
    llm = ScriptedLLM([BAD, GOOD])
    guarded = GuardedQueryEngine(
        engine(llm=llm, streaming=streaming), GuardrailPolicy(on_fail="retry"), verifier=verifier
    )
    response = await guarded.aquery(QUESTION)
    shown = await response._async_str() if isinstance(response, AsyncStreamingResponse) else str(response)
    assert shown == GOOD
    assert BAD in llm.prompts[-1]
    assert response.metadata["longtracer"]["metadata"]["guard"] == {"action": "pass", "retries": 1}


def test_retry_retrieves_by_the_question_alone(verifier: CitationVerifier) -> None:
    guarded = _guarded([BAD, GOOD], verifier, GuardrailPolicy(on_fail="retry"))
    assert [node.node_id for node in guarded.query(QUESTION).source_nodes] == retrieved_ids(QUESTION)


def test_retry_falls_back_when_it_is_used_up(verifier: CitationVerifier) -> None:
    llm = ScriptedLLM(BAD)
    policy = GuardrailPolicy(on_fail="retry", max_retries=2, block_message=BLOCKED)
    assert str(GuardedQueryEngine(engine(llm=llm), policy, verifier=verifier).query(QUESTION)) == BLOCKED
    assert len(llm.prompts) == 3


# Indeterminate --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize(("ask", "streaming"), WAYS)
async def test_u84_whatever_cannot_be_checked_is_blocked(fault: str, ask: Ask, streaming: bool) -> None:
    assert await ask(_guarded(GOOD, FAULTS[fault], streaming=streaming)) == BLOCKED


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize(("ask", "streaming"), WAYS)
async def test_u84_fail_open_lets_it_out(fault: str, ask: Ask, streaming: bool) -> None:
    policy = GuardrailPolicy(block_message=BLOCKED, on_indeterminate="pass")
    assert await ask(_guarded(BAD, FAULTS[fault], policy, streaming=streaming)) == BAD


@pytest.mark.parametrize("fault", FAULTS)
def test_u84_fail_open_is_visible(fault: str) -> None:
    response = _guarded(BAD, FAULTS[fault], GuardrailPolicy(on_indeterminate="pass")).query(QUESTION)
    assert response.metadata is not None
    case = CaseResult.model_validate(response.metadata["longtracer"])
    assert case.quality_gate is QualityGate.INDETERMINATE
    assert case.error_message


@pytest.mark.parametrize("stream_mode", ["buffer", "sentence"])
def test_indeterminate_annotated(stream_mode: Any) -> None:
    policy = GuardrailPolicy(on_indeterminate="annotate", annotation=" [not checked]")
    guarded = _guarded(GOOD, FAULTS["raises"], policy, streaming=True, stream_mode=stream_mode)
    assert str(guarded.query(QUESTION)).startswith(GOOD)
    assert str(guarded.query(QUESTION)).endswith("[not checked]")


def test_indeterminate_raised() -> None:
    with pytest.raises(GroundingBlocked):
        _guarded(GOOD, FAULTS["raises"], GuardrailPolicy(on_indeterminate="raise")).query(QUESTION)


def test_a_real_timeout_is_indeterminate(verifier: CitationVerifier) -> None:
    response = _guarded(GOOD, verifier, timeout=1e-6).query(QUESTION)
    assert response.metadata is not None
    assert response.metadata["longtracer"]["reason"] == ReasonCode.EVALUATION_TIMEOUT
    assert str(response) == BLOCKED


# With a handle --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("ask", "streaming"), WAYS)
async def test_a_handle_records_what_the_guard_decided(
    handle: InstrumentHandle, verifier: CitationVerifier, ask: Ask, streaming: bool
) -> None:
    await ask(_guarded(BAD, verifier, streaming=streaming))
    await handle.wait_async()
    (record,) = handle.records
    assert record.answer == BLOCKED
    assert record.case is not None
    assert record.case.claims[0].claim_text == BAD


def test_a_handle_records_an_answer_that_was_refused(handle: InstrumentHandle, verifier: CitationVerifier) -> None:
    with pytest.raises(GroundingBlocked):
        _guarded(BAD, verifier, GuardrailPolicy(on_fail="raise")).query(QUESTION)
    (record,) = handle.records
    assert (record.answer, ids(record)) == (None, retrieved_ids(QUESTION))
    assert record.case is not None
    assert record.case.quality_gate is QualityGate.FAIL


@pytest.mark.parametrize("options", [{"stream_mode": "words"}, {"timeout": -1}])
def test_unusable_options_are_refused(options: Any) -> None:
    with pytest.raises(InvalidInputError):
        GuardedQueryEngine(engine(), **options)


def test_it_is_a_query_engine_with_the_prompts_of_the_one_inside(verifier: CitationVerifier) -> None:
    guarded = _guarded(GOOD, verifier)
    assert isinstance(guarded, BaseQueryEngine)
    assert any(name.startswith("query_engine:") for name in guarded.get_prompts())


class _WithSubAnswers(CustomQueryEngine):
    """Returns its answer with the sub-answers of its model beside it, as `MultiStepQueryEngine` does."""

    answer: str
    streams: bool = False

    def custom_query(self, query_str: str) -> Any:
        nodes = fact_index().as_retriever(similarity_top_k=2).retrieve(query_str)
        written = NodeWithScore(node=TextNode(text=f"\nQuestion: {query_str}\nAnswer: {self.answer}"))
        metadata = {
            "sub_qa": [(query_str, Response(self.answer, [written], {"raw": [f"So: {self.answer}"]}))],
            nodes[0].node_id: nodes[0].metadata,
        }
        if self.streams:
            return StreamingResponse(iter([self.answer]), [*nodes, written], metadata)
        return Response(self.answer, [*nodes, written], metadata)


def _beside(response: Any) -> str:
    metadata = {key: value for key, value in response.metadata.items() if key != "longtracer"}
    return f"{metadata} {[node.get_content() for node in response.source_nodes]}"


@pytest.mark.parametrize("how", ["query", "aquery"])
@pytest.mark.parametrize(("answer", "stays"), [(GOOD, True), (BAD, False)])
async def test_sub_answers_leave_with_an_answer_that_passes_only(
    verifier: CitationVerifier, answer: str, stays: bool, how: str
) -> None:
    guarded = GuardedQueryEngine(_WithSubAnswers(answer=answer), verifier=verifier)
    response: Any = guarded.query(QUESTION) if how == "query" else await guarded.aquery(QUESTION)
    # A document says the good answer, so that it is beside the answer in any case.
    assert (f"So: {answer}" in _beside(response), "green" in _beside(response)) == (stays, False)
    assert [node.node_id for node in response.source_nodes][:2] == retrieved_ids(QUESTION)
    assert response.metadata[response.source_nodes[0].node_id] == {"file": "f1.txt"}


@pytest.mark.parametrize(("answer", "stays"), [(GOOD, True), (BAD, False)])
def test_a_stream_shows_sub_answers_after_its_verdict(verifier: CitationVerifier, answer: str, stays: bool) -> None:
    guarded = GuardedQueryEngine(_WithSubAnswers(answer=answer, streams=True), verifier=verifier)
    response: Any = guarded.query(QUESTION)
    assert "So: " not in _beside(response)
    "".join(response.response_gen)
    assert (f"So: {answer}" in _beside(response), "green" in _beside(response)) == (stays, False)


class _Reply(BaseModel):
    """A structured answer with more texts."""

    answer: str
    detail: str = ""
    points: list[str] = []
    confidence: str = "high"


class _Structured(CustomQueryEngine):
    """Returns a structured answer."""

    reply: Any

    def custom_query(self, query_str: str) -> Any:
        nodes = fact_index().as_retriever(similarity_top_k=2).retrieve(query_str)
        return PydanticResponse(self.reply, nodes, {})


@pytest.mark.parametrize("how", ["query", "aquery"])
@pytest.mark.parametrize(
    ("reply", "passes"),
    [
        (_Reply(answer=GOOD, detail=GOOD, points=[GOOD]), True),
        (_Reply(answer=GOOD, detail=BAD), False),
        (_Reply(answer=GOOD, points=[GOOD, BAD]), False),
    ],
)
async def test_every_text_of_a_structured_answer_is_checked(
    verifier: CitationVerifier, reply: _Reply, passes: bool, how: str
) -> None:
    guarded = GuardedQueryEngine(_Structured(reply=reply), GuardrailPolicy(block_message=BLOCKED), verifier=verifier)
    response: Any = guarded.query(QUESTION) if how == "query" else await guarded.aquery(QUESTION)
    assert response.response == (reply if passes else BLOCKED)

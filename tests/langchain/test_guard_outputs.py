"""What guards return: types, metadata, documents they accept, events."""

from __future__ import annotations

import json
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.output_parsers import JsonOutputParser, PydanticOutputParser
from langchain_core.runnables import RunnableLambda, RunnableParallel, RunnablePassthrough
from lc_fakes import (
    BAD,
    GOOD,
    PROMPT,
    FakeVerifier,
    ScriptedModel,
    alist,
    facts,
    joined,
    lcel,
    lcel_dict,
    retriever,
    tool_call,
)
from pydantic import BaseModel
from ways import ALL_WAYS, ways, without_case

from longtracer import CaseResult, InvalidInputError
from longtracer_integrations import GuardrailPolicy
from longtracer_integrations.langchain import GroundingGuardrail, GuardedChain, LongTracerCallbackHandler

QUESTION = "What does the Pro plan cost?"
BLOCKED = "No."
POLICY = GuardrailPolicy(block_message=BLOCKED)


def piped(output: dict[str, Any], **options: Any) -> Any:
    """A guard over a fixed output."""
    options.setdefault("verifier", FakeVerifier())
    return (RunnableLambda(lambda _: output) | GroundingGuardrail(POLICY, **options)).invoke(QUESTION)


def test_a_dict_keeps_its_entries_and_gains_the_case() -> None:
    out = piped({"question": QUESTION, "context": facts("d1"), "answer": GOOD, "extra": 7})
    assert {key: out[key] for key in out if key != "longtracer"} == {
        "question": QUESTION,
        "context": facts("d1"),
        "answer": GOOD,
        "extra": 7,
    }
    assert isinstance(out["longtracer"], CaseResult)
    assert out["longtracer"].metadata["guard"] == {"action": "pass", "retries": 0}


@pytest.mark.parametrize(
    ("context", "sources"),
    [
        (facts("d1"), ["The Pro plan costs 20 dollars."]),
        ([{"page_content": "A fact.", "metadata": {}}], ["A fact."]),
        ([{"text": "A fact."}], ["A fact."]),
        (["A fact.", "Another."], ["A fact.", "Another."]),
        ("A fact.", ["A fact."]),
        ([], []),
    ],
)
def test_documents_that_a_guard_accepts(context: Any, sources: list[str]) -> None:
    verifier = FakeVerifier()
    piped({"context": context, "answer": GOOD}, verifier=verifier)
    assert verifier.calls[0]["sources"] == sources


def test_document_objects_need_no_key() -> None:
    verifier = FakeVerifier()
    piped({"context": facts("d1"), "answer": GOOD}, verifier=verifier)
    assert verifier.calls[0]["sources"] == [GOOD]


def quoting(key: str, quote: Any) -> Any:
    """A chain whose model writes the documents it claims to have read into its JSON."""
    said = json.dumps({"answer": BAD, key: quote})
    return message_chain(AIMessage(said)) | JsonOutputParser()


MODEL_QUOTES = [
    ("documents", [{"page_content": BAD}]),
    ("context", [{"page_content": BAD, "metadata": {"source": "d1.txt"}}]),
    ("evidence", [{"page_content": BAD}]),
    ("context", [BAD]),
    ("context", BAD),
    ("sources", [{"page_content": "The Pro"}, {"page_content": BAD}]),
]


@pytest.mark.parametrize("how", ALL_WAYS)
@pytest.mark.parametrize(("key", "quote"), MODEL_QUOTES)
async def test_what_the_model_quotes_is_no_evidence(key: str, quote: Any, how: str, verifier: Any) -> None:
    guarded = around(quoting(key, quote), verifier=verifier)
    out = await ways(guarded, "Pro plan", how)
    assert (BLOCKED in str(out), "90 dollars" in without_case(out)) == (True, False)


@pytest.mark.parametrize(("key", "quote"), MODEL_QUOTES)
def test_what_the_model_quotes_is_no_evidence_for_a_handler(key: str, quote: Any, verifier: Any) -> None:
    handler = LongTracerCallbackHandler(verifier=verifier)
    quoting(key, quote).invoke("Pro plan", {"callbacks": [handler]})
    assert handler.last is not None
    assert handler.last.case is not None
    assert [document.id for document in handler.last.documents] == ["d1"]
    assert handler.last.case.quality_gate.value == "FAIL"


def test_a_quote_of_a_retrieved_document_counts_as_the_whole_document() -> None:
    whole = Document(page_content="It is not true that the Pro plan costs 90 dollars.", id="d9")
    chain = {"context": retriever(whole) | joined, "question": RunnablePassthrough()} | PROMPT
    said = json.dumps({"answer": GOOD, "documents": [{"page_content": "the Pro plan costs 90 dollars."}]})
    verifier = FakeVerifier()
    around(chain | ScriptedModel(script=[said]) | JsonOutputParser(), verifier=verifier).invoke("Pro plan")
    assert verifier.calls[0]["sources"] == [whole.page_content]


def test_documents_under_a_key_of_their_own() -> None:
    verifier = FakeVerifier()
    piped({"found": "A fact.", "reply": GOOD}, verifier=verifier, context_key="found", answer_key="reply")
    assert verifier.calls[0]["sources"] == ["A fact."]


def test_the_question_reaches_the_verifier() -> None:
    verifier = FakeVerifier()
    piped({"question": QUESTION, "context": facts("d1"), "answer": GOOD}, verifier=verifier)
    assert verifier.calls[0]["question"] == QUESTION


def test_without_documents_nothing_is_checked_and_the_answer_is_blocked() -> None:
    verifier = FakeVerifier()
    out = piped({"answer": GOOD}, verifier=verifier)
    assert (out["answer"], verifier.calls) == (BLOCKED, [])
    assert (out["longtracer"].execution.value, out["longtracer"].reason.value) == ("SKIPPED", "EXECUTION_SKIPPED")


def test_nothing_retrieved_is_assessed_and_fails(verifier: Any) -> None:
    out = piped({"context": [], "answer": GOOD}, verifier=verifier)
    assert (out["answer"], out["longtracer"].reason.value) == (BLOCKED, "NO_SOURCES_SUPPLIED")


def test_an_output_without_the_named_answer_is_an_error_and_no_leak() -> None:
    with pytest.raises(InvalidInputError, match="no 'reply'"):
        piped({"context": facts("d1"), "answer": BAD}, answer_key="reply")


def test_an_output_with_several_texts_is_an_error_and_no_leak() -> None:
    chain = RunnableParallel(a=lcel(ScriptedModel(script=[BAD])), b=lcel(ScriptedModel(script=[GOOD])))
    with pytest.raises(InvalidInputError, match="several texts"):
        GroundingGuardrail.around(chain, verifier=FakeVerifier()).invoke(QUESTION)


def test_a_context_that_is_no_documents_is_an_error_and_no_leak() -> None:
    with pytest.raises(TypeError, match="no document"):
        piped({"found": 7, "answer": BAD}, context_key="found")


def test_a_withheld_answer_is_withheld_wherever_the_output_repeats_it() -> None:
    out = piped(
        {"context": facts("d1"), "answer": BAD, "messages": [HumanMessage(QUESTION), AIMessage(BAD)], "log": BAD}
    )
    texts = [out["answer"], out["log"], *(message.content for message in out["messages"])]
    assert texts == [BLOCKED, BLOCKED, QUESTION, BLOCKED]


def around(chain: Any, **options: Any) -> GuardedChain:
    options.setdefault("verifier", FakeVerifier())
    return GroundingGuardrail.around(chain, POLICY, **options)


def message_chain(answer: Any) -> Any:
    return (
        {"context": retriever() | joined, "question": RunnablePassthrough()} | PROMPT | ScriptedModel(script=[answer])
    )


@pytest.mark.parametrize(("answer", "shown", "gate"), [(GOOD, GOOD, "PASS"), (BAD, BLOCKED, "FAIL")])
def test_around_a_chain_that_returns_messages(answer: str, shown: str, gate: str) -> None:
    out = around(message_chain(AIMessage(answer, id="m1"))).invoke(QUESTION)
    assert isinstance(out, AIMessage)
    assert (out.text, out.id) == (shown, "m1")
    assert CaseResult.model_validate(out.response_metadata["longtracer"]).quality_gate.value == gate


def test_a_withheld_message_keeps_nothing_that_spells_it_out() -> None:
    said = AIMessage(
        [{"type": "thinking", "thinking": BAD}, {"type": "text", "text": BAD}],
        additional_kwargs={"reasoning_content": BAD},
        response_metadata={"logprobs": [BAD], "model_name": "scripted"},
    )
    out = around(message_chain(said)).invoke(QUESTION)
    case = out.response_metadata.pop("longtracer")
    assert case["quality_gate"] == "FAIL"
    assert "90 dollars" not in repr(out)
    assert out.response_metadata == {"model_name": "scripted"}


def test_a_tool_call_is_no_answer_and_passes() -> None:
    verifier = FakeVerifier()
    out = around(message_chain(tool_call("search", "Let me look.", query="x")), verifier=verifier).invoke(QUESTION)
    assert (out.text, verifier.calls) == ("Let me look.", [])


class Reply(BaseModel):
    """A structured answer with a second text."""

    answer: str
    reasoning: str = ""
    stars: int = 5


def structured(answer: str) -> Any:
    reply = Reply(answer=answer, reasoning=answer).model_dump_json()
    return message_chain(reply) | PydanticOutputParser(pydantic_object=Reply)


def test_around_a_structured_chain_keeps_the_type() -> None:
    assert around(structured(GOOD)).invoke(QUESTION) == Reply(answer=GOOD, reasoning=GOOD)
    assert around(structured(BAD)).invoke(QUESTION) == Reply(answer=BLOCKED, reasoning="")


def test_include_raw_does_not_leak_by_its_raw_message() -> None:
    both = RunnableLambda(lambda m: {"raw": m, "parsed": Reply.model_validate_json(m.text), "parsing_error": None})
    chain = message_chain(Reply(answer=BAD).model_dump_json()) | both
    out = around(chain).invoke(QUESTION)
    out["raw"].response_metadata.pop("longtracer")
    out.pop("longtracer")
    assert (out["parsed"].answer, "90 dollars" in repr(out)) == (BLOCKED, False)


def test_the_documents_of_the_attempt_that_worked_are_the_ones_checked() -> None:
    verifier = FakeVerifier()
    broken = lcel(ScriptedModel(script=[RuntimeError("down")]), retriever(*facts("d2", "d1")))
    around(broken.with_fallbacks([lcel(ScriptedModel(script=[GOOD]))]), verifier=verifier).invoke(QUESTION)
    assert [entry["source_id"] for entry in verifier.calls[0]["metadata"]] == ["d1"]


def test_documents_of_runs_without_a_common_root_are_captured() -> None:
    def by_hand(question: str, config: Any) -> str:
        documents = retriever().invoke(question, {"callbacks": config["callbacks"]})
        return str(ScriptedModel(script=[GOOD]).invoke(joined(documents)).text)

    verifier = FakeVerifier()
    assert around(RunnableLambda(by_hand), verifier=verifier).invoke(QUESTION) == GOOD
    assert verifier.calls[0]["sources"] == ["The Pro plan costs 20 dollars."]


def test_around_a_chain_without_retrieval_blocks_and_can_be_told_to_pass() -> None:
    chain = RunnableLambda(lambda _: GOOD)
    assert around(chain).invoke(QUESTION) == BLOCKED
    lenient = GroundingGuardrail.around(chain, GuardrailPolicy(on_indeterminate="pass"), verifier=FakeVerifier())
    assert lenient.invoke(QUESTION) == GOOD


async def test_the_guard_s_run_tells_its_case_in_an_event() -> None:
    chain = lcel_dict(ScriptedModel(script=[BAD])) | GroundingGuardrail(POLICY, verifier=FakeVerifier())
    events = await alist(chain.astream_events({"question": QUESTION}, version="v2"))
    (event,) = [event for event in events if event["event"] == "on_custom_event"]
    assert event["name"] == "longtracer.case_result"
    assert CaseResult.model_validate(event["data"]).quality_gate.value == "FAIL"


@pytest.mark.parametrize("streams", [False, True])
def test_a_guard_has_run_events_of_its_own_and_a_handler_sees_what_it_let_out(streams: bool) -> None:
    handler = LongTracerCallbackHandler(FakeVerifier())
    chain = lcel_dict(ScriptedModel(script=[BAD])) | GroundingGuardrail(POLICY, verifier=FakeVerifier())
    config: Any = {"callbacks": [handler]}
    if streams:
        list(chain.stream({"question": QUESTION}, config))
    else:
        chain.invoke({"question": QUESTION}, config)
    assert handler.last is not None
    assert handler.last.answer == BLOCKED


async def test_a_batch_of_guarded_chains_judges_each_item_by_its_own_documents(verifier: Any) -> None:
    said = {"Pro plan": GOOD, "Oslo office": "The office in Oslo opens at nine.", "dogs": GOOD}
    chain = lcel(ScriptedModel(script=lambda m: said[str(m[-1].text).rsplit("Question: ", 1)[1]]))
    guarded = GroundingGuardrail.around(chain, POLICY, verifier=verifier)
    expected = [GOOD, said["Oslo office"], BLOCKED]
    assert guarded.batch(list(said)) == expected
    assert await guarded.abatch(list(said)) == expected


def test_a_guard_is_a_runnable_that_can_be_configured() -> None:
    guard = around(lcel(ScriptedModel(script=[GOOD]))).with_config(run_name="guarded")
    assert guard.invoke(QUESTION) == GOOD
    assert (guard | str.upper).invoke(QUESTION) == GOOD.upper()


@pytest.mark.parametrize("options", [{"timeout": -1}, {"stream_mode": "word"}])
def test_unusable_options_are_refused_at_once(options: Any) -> None:
    with pytest.raises(InvalidInputError):
        GroundingGuardrail(**options)


def test_the_documents_of_the_chain_are_not_changed() -> None:
    documents = facts("d1")
    piped({"context": documents, "answer": BAD})
    assert documents == facts("d1")
    assert isinstance(documents[0], Document)
    assert not isinstance(documents[0], BaseMessage)

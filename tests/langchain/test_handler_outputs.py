"""Where the handler finds the answer and the question, by the type of what goes in and out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.output_parsers import JsonOutputParser, PydanticOutputParser
from langchain_core.prompt_values import ChatPromptValue
from langchain_core.runnables import Runnable, RunnableLambda, RunnablePassthrough
from lc_fakes import GOOD, PROMPT, FakeVerifier, ScriptedModel, ids, joined, retriever
from pydantic import BaseModel

from longtracer_integrations import AnswerStatus
from longtracer_integrations.langchain import LongTracerCallbackHandler
from longtracer_integrations.langchain.answer import find_answer
from longtracer_integrations.langchain.question import read_question

QUESTION = "What does the Pro plan cost?"


class Reply(BaseModel):
    """A structured answer."""

    answer: str
    confidence: float = 1.0


class Note(BaseModel):
    """A structured answer under a name of its own."""

    note: str
    pages: list[int] = []


class Report(BaseModel):
    """Two texts, neither of which is known to be the answer."""

    title: str
    body: str


@dataclass
class PlainReply:
    answer: str
    tone: str = "friendly"


TOOL_CALL = AIMessage("let me look", tool_calls=[{"name": "search", "args": {}, "id": "1"}])


@pytest.mark.parametrize(
    ("output", "text"),
    [
        (GOOD, GOOD),
        (AIMessage(GOOD), GOOD),
        (AIMessage([{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": GOOD}]), GOOD),
        ({"answer": GOOD, "context": []}, GOOD),
        ({"result": GOOD, "source_documents": []}, GOOD),
        ({"output": GOOD, "intermediate_steps": []}, GOOD),
        ({"question": QUESTION, "docs": [], "reply": GOOD}, GOOD),
        ({"answer": AIMessage(GOOD)}, GOOD),
        ({"answer": Reply(answer=GOOD)}, GOOD),
        ({"messages": [HumanMessage(QUESTION), AIMessage(GOOD)]}, GOOD),
        ([HumanMessage(QUESTION), AIMessage(GOOD)], GOOD),
        ({"messages": [HumanMessage(QUESTION), AIMessage("{}")], "structured_response": Reply(answer=GOOD)}, GOOD),
        (Reply(answer=GOOD), GOOD),
        (Note(note=GOOD), GOOD),
        (PlainReply(GOOD), GOOD),
        ({"raw": AIMessage('{"answer": "x"}'), "parsed": Reply(answer=GOOD), "parsing_error": None}, GOOD),
        ({"raw": AIMessage(GOOD), "parsed": None, "parsing_error": ValueError()}, GOOD),
        ({"messages": [HumanMessage(QUESTION), TOOL_CALL]}, None),
        ({"a": "one", "b": "two"}, None),
        (Report(title="one", body="two"), None),
        (None, None),
        (7, None),
    ],
)
def test_the_answer_of_an_output(output: Any, text: str | None) -> None:
    assert find_answer(output, inputs={"question": QUESTION}).text == text


def test_an_answer_key_chooses_between_several_texts() -> None:
    assert find_answer({"a": "one", "b": "two"}, answer_key="b").text == "two"
    assert find_answer(Report(title="one", body="two"), answer_key="body").text == "two"


def test_texts_that_were_only_passed_through_are_no_answers() -> None:
    assert find_answer({"topic": "plans", "reply": GOOD}, inputs={"topic": "plans"}).text == GOOD


def test_an_interrupted_graph_has_no_answer() -> None:
    found = find_answer({"answer": "of the last turn", "__interrupt__": ["a question for a human"]})
    assert (found.text, found.unfinished) == (None, True)


@pytest.mark.parametrize(
    ("inputs", "question"),
    [
        (QUESTION, QUESTION),
        ({"question": QUESTION, "chat_history": []}, QUESTION),
        ({"input": QUESTION}, QUESTION),
        ({"query": QUESTION}, QUESTION),
        ({"topic": QUESTION}, QUESTION),
        ({"messages": [SystemMessage("Be kind."), HumanMessage(QUESTION)]}, QUESTION),
        ({"messages": [("user", QUESTION)]}, QUESTION),
        ({"messages": [{"role": "user", "content": QUESTION}]}, QUESTION),
        ([HumanMessage("Which plan?"), AIMessage("Pro?"), HumanMessage(QUESTION)], QUESTION),
        (ChatPromptValue(messages=[HumanMessage(QUESTION)]), QUESTION),
        ({"a": "one", "b": "two"}, None),
        ({"input": ""}, None),
        (None, None),
    ],
)
def test_the_question_of_an_input(inputs: Any, question: str | None) -> None:
    assert read_question(inputs) == question


def chain(model: ScriptedModel, *parsers: Any) -> Runnable[Any, Any]:
    made: Runnable[Any, Any] = {"context": retriever() | joined, "question": RunnablePassthrough()} | PROMPT | model
    for parser in parsers:
        made = made | parser
    return made


def watched(made: Runnable[Any, Any], *, streams: bool = False, **options: Any) -> Any:
    handler = LongTracerCallbackHandler(FakeVerifier(), **options)
    if streams:
        list(made.stream(QUESTION, {"callbacks": [handler]}))
    else:
        made.invoke(QUESTION, {"callbacks": [handler]})
    (record,) = handler.records
    return record


@pytest.mark.parametrize("streams", [False, True])
def test_t23_a_pydantic_parser_s_answer_is_the_field_and_not_the_json(streams: bool) -> None:
    model = ScriptedModel(script=['{"answer": "' + GOOD + '"}'])
    record = watched(chain(model, PydanticOutputParser(pydantic_object=Reply)), streams=streams)
    assert (record.answer, ids(record), record.status) == (GOOD, ["d1"], AnswerStatus.OK)


@pytest.mark.parametrize("streams", [False, True])
def test_t23_a_json_parser_s_answer_is_the_entry(streams: bool) -> None:
    record = watched(chain(ScriptedModel(script=['{"answer": "' + GOOD + '"}']), JsonOutputParser()), streams=streams)
    assert (record.answer, record.status) == (GOOD, AnswerStatus.OK)


def test_t23_include_raw_gives_the_parsed_answer() -> None:
    raw = AIMessage("", tool_calls=[{"name": "Reply", "args": {"answer": GOOD}, "id": "1"}])
    both = RunnableLambda(lambda message: {"raw": message, "parsed": Reply(answer=GOOD), "parsing_error": None})
    assert watched(chain(ScriptedModel(script=[raw]), both)).answer == GOOD


def test_several_texts_of_a_structured_output_ask_for_an_answer_key() -> None:
    made = chain(ScriptedModel(script=["x"]), RunnableLambda(lambda _: Report(title="Prices", body=GOOD)))
    assert watched(made).status is AnswerStatus.AMBIGUOUS
    assert watched(made, answer_key="body").answer == GOOD


@pytest.mark.parametrize("streams", [False, True])
def test_t24_u62_reasoning_is_no_part_of_the_answer(streams: bool) -> None:
    blocks = [{"type": "thinking", "thinking": "Let me see."}, {"type": "text", "text": GOOD}]
    assert watched(chain(ScriptedModel(script=[blocks])), streams=streams).answer == GOOD


def test_t24_of_several_generations_the_first_is_the_answer() -> None:
    assert watched(chain(ScriptedModel(script=[[AIMessage(GOOD), AIMessage("Another one.")]]))).answer == GOOD


def test_a_step_of_a_hand_made_tool_loop_gives_no_record() -> None:
    handler = LongTracerCallbackHandler(FakeVerifier())
    chain(ScriptedModel(script=[TOOL_CALL])).invoke(QUESTION, {"callbacks": [handler]})
    assert (handler.records, handler.open_requests) == ((), 0)


def test_l7_a_plain_text_root_raises_nothing() -> None:
    handler = LongTracerCallbackHandler(FakeVerifier(), raise_error=True)
    RunnableLambda(lambda _: GOOD).invoke(QUESTION, {"callbacks": [handler]})
    assert handler.last is not None
    assert handler.last.answer == GOOD


def test_ids_come_from_the_first_place_that_has_one() -> None:
    from langchain_core.documents import Document

    handler = LongTracerCallbackHandler(FakeVerifier(), id_key="ref")
    documents = [
        Document(page_content="plan one", id="own", metadata={"ref": "r0"}),
        Document(page_content="plan two", metadata={"ref": "r1", "doc_id": "d"}),
        Document(page_content="plan three", metadata={"doc_id": "d", "source": "s"}),
        Document(page_content="plan four", metadata={"source": "s", "page": 2}),
        Document(page_content="plan five", metadata={"source": "s", "page": 2}),
        Document(page_content="plan six"),
    ]
    made = {"context": retriever(*documents) | joined, "question": RunnablePassthrough()} | PROMPT
    (made | ScriptedModel(script=[GOOD])).invoke(QUESTION, {"callbacks": [handler]})
    assert handler.last is not None
    found = [(document.id, document.id_from) for document in handler.last.documents]
    assert found[:5] == [
        ("own", "document.id"),
        ("r1", "metadata.ref"),
        ("d", "metadata.doc_id"),
        ("s#page=2", "metadata.source"),
        ("s#page=2#2", "metadata.source"),
    ]
    assert found[5][1] == "content-hash"


def test_tool_messages_carry_no_question() -> None:
    assert read_question({"messages": [HumanMessage(QUESTION), ToolMessage("x", tool_call_id="1")]}) == QUESTION

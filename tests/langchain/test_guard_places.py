"""Where an output holds what the model said: every place is read before it leaves, and none keeps what was blocked."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, Generation, LLMResult
from langchain_core.runnables import RunnableLambda
from lc_fakes import BAD, GOOD, FakeVerifier, facts, retriever, tool_call
from pydantic import BaseModel
from ways import ALL_WAYS, ways, without_case

from longtracer import InvalidInputError
from longtracer_integrations import GuardrailPolicy
from longtracer_integrations.langchain import GroundingGuardrail, LongTracerCallbackHandler
from longtracer_integrations.langchain.answer import FoundAnswer
from longtracer_integrations.langchain.guarded_outputs import guarded_output, guarded_value

BLOCKED = "No."
BECAUSE = f"Because **{BAD}**"
ASKED = HumanMessage("Pro plan?")


def chain(output: Any) -> RunnableLambda[Any, Any]:
    """Retrieves, and returns `output`."""

    def run(_: Any) -> Any:
        retriever().invoke("Pro plan")
        return output

    return RunnableLambda(run)


def around(output: Any, on_fail: Any = "block", **options: Any) -> Any:
    options.setdefault("verifier", FakeVerifier())
    policy = GuardrailPolicy(on_fail=on_fail, block_message=BLOCKED)
    return GroundingGuardrail.around(chain(output), policy, **options)


class Answer(BaseModel):
    """A structured answer with texts everywhere."""

    answer: str
    points: list[str] = []
    more: dict[str, Any] = {}
    aside: str | None = None
    inner: Answer | None = None
    stars: int = 5


@dataclasses.dataclass(frozen=True)
class Frozen:
    """A structured answer that cannot be changed in place."""

    answer: str
    points: tuple[str, ...] = ()


class Pair(NamedTuple):
    """Messages in a tuple with names."""

    asked: HumanMessage
    said: AIMessage


def generations(*texts: str) -> LLMResult:
    return LLMResult(generations=[[Generation(text=text, generation_info={"logprobs": [text]}) for text in texts]])


STRUCTURED = ToolMessage(f"Returning structured response: answer='{BAD}'", tool_call_id="1")

WITH_A_BAD_ANSWER: dict[str, Callable[[], Any]] = {
    "text": lambda: BAD,
    "message": lambda: AIMessage(BAD),
    "generations": lambda: generations(BAD),
    "second generation": lambda: generations(GOOD, BAD),
    "chat generations": lambda: LLMResult(generations=[[ChatGeneration(message=AIMessage(BAD))]]),
    "one generation": lambda: Generation(text=BAD),
    "tuple of messages": lambda: (ASKED, AIMessage(BAD)),
    "named tuple of messages": lambda: Pair(ASKED, AIMessage(BAD)),
    "tuple in a mapping": lambda: {"messages": (ASKED, AIMessage(BAD))},
    "first of two messages": lambda: [ASKED, AIMessage(BAD), AIMessage(GOOD)],
    "first of two messages in a state": lambda: {"messages": [ASKED, AIMessage(BAD), AIMessage(GOOD)]},
    "model": lambda: Answer(answer=BAD, points=[BAD], more={"a": [BAD]}, aside=BAD, inner=Answer(answer=BAD)),
    "frozen dataclass": lambda: Frozen(BAD, (BAD,)),
    "beside the answer": lambda: {"answer": BAD, "explanation": BECAUSE, "points": [BECAUSE], BAD: 1},
    "model beside the answer": lambda: {"answer": BAD, "details": Answer(answer="See below.", points=[BECAUSE])},
    "mapping under the answer": lambda: {"answer": {"text": BAD, "points": [BECAUSE]}},
    "list under the answer": lambda: {"answer": [GOOD, BAD]},
    "documents that the model wrote": lambda: {"answer": BAD, "documents": [{"page_content": BAD}]},
    "history": lambda: {"answer": BAD, "chat_history": [ASKED, AIMessage(BAD)]},
    "state with a structured response": lambda: {
        "messages": [ASKED, tool_call("Answer", answer=BAD), STRUCTURED],
        "structured_response": Answer(answer=BAD, points=[BECAUSE]),
    },
}


@pytest.mark.parametrize("how", ALL_WAYS)
@pytest.mark.parametrize("shape", WITH_A_BAD_ANSWER)
async def test_a_blocked_answer_is_nowhere_in_the_output(shape: str, how: str) -> None:
    out = await ways(around(WITH_A_BAD_ANSWER[shape]()), "Pro plan", how)
    assert (BLOCKED in without_case(out), "90 dollars" in without_case(out)) == (True, False)


def same_but_the_case(out: Any, output: Any) -> bool:
    return without_case(out) == without_case(output)


@pytest.mark.parametrize(
    "output",
    [
        generations(GOOD, GOOD),
        (ASKED, AIMessage(GOOD)),
        Pair(ASKED, AIMessage(GOOD)),
        [ASKED, AIMessage(GOOD), AIMessage("It is nice.")],
        Answer(answer=GOOD, points=["It is nice."]),
        Frozen(GOOD, ("It is nice.",)),
        {"answer": {"text": GOOD}, "explanation": "It is nice."},
        {"answer": GOOD, "result": GOOD},
    ],
)
def test_an_answer_that_passes_leaves_the_output_as_it_is(output: Any) -> None:
    out = around(output).invoke("Pro plan")
    assert type(out) is type(output)
    assert same_but_the_case(out, output)


@pytest.mark.parametrize("on_fail", ["redact", "annotate"])
@pytest.mark.parametrize("shape", ["tuple of messages", "named tuple of messages", "tuple in a mapping", "generations"])
def test_other_policies_reach_these_places_as_well(shape: str, on_fail: Any) -> None:
    out = without_case(around(WITH_A_BAD_ANSWER[shape](), on_fail).invoke("Pro plan"))
    assert ("Not confirmed" in out) == (on_fail == "annotate")
    assert ("90 dollars" in out) == (on_fail == "annotate")


def test_texts_that_are_checked_together_are_redacted_and_annotated_each_in_its_place(verifier: Any) -> None:
    said = [ASKED, AIMessage(f"{GOOD} {BAD}"), AIMessage(GOOD)]
    redacted = around(said, "redact", verifier=verifier).invoke("Pro plan")
    assert [message.text for message in redacted] == ["Pro plan?", f"{GOOD} ", GOOD]
    annotated = around(said, "annotate", verifier=verifier).invoke("Pro plan")
    assert [message.text for message in annotated[:-1]] == ["Pro plan?", f"{GOOD} {BAD}"]
    assert annotated[-1].text.startswith(f"{GOOD}\n\n[Not confirmed")


@pytest.mark.parametrize(
    "output",
    [
        {"answer": GOOD, "response": BAD},
        {"answer": {"text": BAD}, "result": GOOD},
        {"answer": GOOD, "messages": [ASKED, AIMessage(BAD)]},
    ],
)
@pytest.mark.parametrize("how", ALL_WAYS)
async def test_two_answers_that_differ_are_an_error_and_no_leak(output: Any, how: str) -> None:
    with pytest.raises(InvalidInputError, match="several texts"):
        await ways(around(output), "Pro plan", how)


def test_a_handler_calls_two_answers_that_differ_ambiguous() -> None:
    handler = LongTracerCallbackHandler(FakeVerifier())
    chain({"answer": GOOD, "response": BAD}).invoke("Pro plan", {"callbacks": [handler]})
    assert handler.last is not None
    assert (handler.last.status.value, handler.last.answer) == ("ambiguous", None)


def test_what_was_passed_through_is_no_second_answer() -> None:
    given = {"question": "Pro plan", "text": "My own words about it."}
    assert around({**given, "answer": GOOD}).invoke(given)["answer"] == GOOD


def test_earlier_turns_the_question_and_documents_stay() -> None:
    before = [HumanMessage(BAD), AIMessage(BAD)]
    documents = facts("d1")
    output = {"messages": [*before, ASKED, AIMessage(BAD)], "context": documents, "question": f"Is it so? {GOOD}"}
    out = around(output).invoke("Pro plan")
    assert [message.text for message in out["messages"]] == [BAD, BAD, "Pro plan?", BLOCKED]
    assert (out["context"], out["question"]) == (documents, output["question"])


def test_a_document_that_says_what_was_blocked_stays_and_the_model_s_words_do_not() -> None:
    document = f"An old flyer: {BAD}"
    output = {"answer": BAD, "context": document, "explanation": BECAUSE}
    guard = GroundingGuardrail(GuardrailPolicy(block_message=BLOCKED), verifier=FakeVerifier(), context_key="context")
    out = (RunnableLambda(lambda _: output) | guard).invoke("")
    assert (out["context"], out["explanation"], out["answer"]) == (document, "", BLOCKED)


def outcome_of_a_block() -> Any:
    seen: list[Any] = []

    class Core(GroundingGuardrail):
        """Keeps the outcome."""

        def _draft(self, answer: str, output: Any) -> Any:
            draft = super()._draft(answer, output)
            seen.append(self._core.run(draft))
            return draft

    Core(verifier=FakeVerifier()).invoke({"answer": BAD, "context": facts("d1")})
    return seen[0]


@pytest.mark.parametrize("value", [7, object(), [1, 2], None])
def test_an_answer_without_a_place_is_an_error_and_never_left_as_it_was(value: Any) -> None:
    outcome = outcome_of_a_block()
    with pytest.raises(InvalidInputError, match="its place"):
        guarded_value(value, None, outcome)
    with pytest.raises(InvalidInputError, match="its place"):
        guarded_output({"a": BAD, "b": BAD}, FoundAnswer(BAD), outcome)

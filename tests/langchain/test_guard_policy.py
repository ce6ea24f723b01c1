"""The policies of the guards, on answers that fail and on checks that fail."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from langchain.agents import create_agent
from langchain_core.messages import HumanMessage
from langchain_core.tools import create_retriever_tool
from lc_fakes import BAD, GOOD, FakeVerifier, ScriptedModel, alist, facts, lcel, lcel_dict, retriever, tool_call

from longtracer import CitationVerifier, InvalidInputError
from longtracer.contracts import (
    EvaluationFailedError,
    EvaluationTimeoutError,
    ModelUnavailableError,
    QueueFullError,
)
from longtracer.engine import DeferredModels, ModelPair
from longtracer_integrations import GroundingBlocked, GuardrailPolicy
from longtracer_integrations.langchain import GroundingGuardrail, GroundingMiddleware

QUESTION = "What does the Pro plan cost?"
TWO = f"{GOOD} Dogs are allowed in the garden. The Pro plan costs 90 dollars."


def around(policy: GuardrailPolicy, script: Any, **options: Any) -> Any:
    options.setdefault("verifier", FakeVerifier())
    return GroundingGuardrail.around(lcel(ScriptedModel(script=script)), policy, **options)


def test_block_gives_the_message_of_the_policy() -> None:
    policy = GuardrailPolicy(block_message="Withheld: {summary}")
    assert around(policy, [BAD]).invoke(QUESTION) == "Withheld: 1 claim assessed: 1 without sufficient evidence."


def test_annotate_gives_the_answer_with_a_note_that_names_the_claims() -> None:
    policy = GuardrailPolicy(on_fail="annotate", annotation=" [unconfirmed: {claims}]")
    assert around(policy, [BAD]).invoke(QUESTION) == f'{BAD} [unconfirmed: "{BAD}"]'


def test_redact_removes_the_unsupported_claim_and_nothing_else(verifier: Any) -> None:
    guarded = GroundingGuardrail.around(
        lcel(ScriptedModel(script=[TWO]), retriever(*facts())), GuardrailPolicy(on_fail="redact"), verifier=verifier
    )
    assert guarded.invoke("Pro plan, dogs") == f"{GOOD} Dogs are allowed in the garden. "


def test_redact_with_nothing_to_go_by_blocks(verifier: Any) -> None:
    guarded = around(GuardrailPolicy(on_fail="redact", block_message="No."), ["Sure!"], verifier=verifier)
    assert guarded.invoke(QUESTION) == "No."


def test_raise_raises_the_case() -> None:
    with pytest.raises(GroundingBlocked) as raised:
        around(GuardrailPolicy(on_fail="raise"), [BAD]).invoke(QUESTION)
    assert raised.value.case.unsupported_claims[0].claim_text == BAD


def test_u63_the_caller_of_a_stream_sees_the_raise() -> None:
    stream = around(GuardrailPolicy(on_fail="raise"), [BAD]).stream(QUESTION)
    with pytest.raises(GroundingBlocked):
        list(stream)


def test_a_callable_makes_the_replacement_and_is_called_once() -> None:
    calls: list[tuple[Any, ...]] = []

    def replacement(case: Any, answer: str, documents: Any) -> str:
        calls.append((case.quality_gate.value, answer, [document.id for document in documents]))
        return "See the price list."

    assert around(GuardrailPolicy(on_fail=replacement), [BAD]).invoke(QUESTION) == "See the price list."
    assert calls == [("FAIL", BAD, ["d1"])]


def test_a_callable_that_returns_no_text_lets_nothing_out() -> None:
    with pytest.raises(TypeError, match="replacement text"):
        around(GuardrailPolicy(on_fail=lambda *_: None), [BAD]).invoke(QUESTION)  # type: ignore[arg-type,return-value]


@pytest.mark.parametrize("how", ["invoke", "ainvoke", "stream", "astream"])
async def test_retry_asks_again_with_feedback_and_takes_the_better_answer(how: str) -> None:
    model = ScriptedModel(script=[BAD, GOOD])
    guarded = GroundingGuardrail.around(lcel(model), GuardrailPolicy(on_fail="retry"), verifier=FakeVerifier())
    calls: dict[str, Callable[[], Any]] = {
        "invoke": lambda: asyncio.to_thread(guarded.invoke, QUESTION),
        "ainvoke": lambda: guarded.ainvoke(QUESTION),
        "stream": lambda: asyncio.to_thread(lambda: list(guarded.stream(QUESTION))),
        "astream": lambda: alist(guarded.astream(QUESTION)),
    }
    assert "".join(await calls[how]()) == GOOD
    assert f'"{BAD}"' in str(model.calls[1][-1].text)


def test_retry_ends_with_its_fallback() -> None:
    model = ScriptedModel(script=[BAD])
    policy = GuardrailPolicy(on_fail="retry", max_retries=2, retry_fallback="annotate", annotation=" [{claims}]")
    assert (
        GroundingGuardrail.around(lcel(model), policy, verifier=FakeVerifier()).invoke(QUESTION) == f'{BAD} ["{BAD}"]'
    )
    assert len(model.calls) == 3


def test_retry_tells_how_often_it_asked() -> None:
    chain = lcel_dict(ScriptedModel(script=[BAD, GOOD]))
    guarded = GroundingGuardrail.around(chain, GuardrailPolicy(on_fail="retry"), verifier=FakeVerifier())
    out = guarded.invoke({"question": QUESTION})
    assert (out["answer"], out["longtracer"].metadata["guard"]) == (GOOD, {"action": "pass", "retries": 1})


def test_retry_checks_against_the_documents_of_the_new_attempt() -> None:
    verifier = FakeVerifier()
    chain = lcel(ScriptedModel(script=[BAD, GOOD]), retriever(*facts("d1", "d2")))
    policy = GuardrailPolicy(on_fail="retry")
    guarded = GroundingGuardrail.around(chain, policy, verifier=verifier, feedback=lambda given, _: "Oslo office")
    guarded.invoke(QUESTION)
    assert [[entry["source_id"] for entry in call["metadata"]] for call in verifier.calls] == [["d1"], ["d2"]]


def test_retry_puts_the_feedback_under_a_key_of_the_input() -> None:
    seen: list[Any] = []
    chain = lcel_dict(ScriptedModel(script=[BAD, GOOD]))
    noted = (lambda given: seen.append(given) or given) | chain  # type: ignore[operator]
    policy = GuardrailPolicy(on_fail="retry")
    GroundingGuardrail.around(noted, policy, verifier=FakeVerifier(), feedback="hint").invoke({"question": QUESTION})
    assert [sorted(given) for given in seen] == [["question"], ["hint", "question"]]


def test_retry_at_the_end_of_a_chain_is_its_fallback() -> None:
    policy = GuardrailPolicy(on_fail="retry", block_message="No.")
    chain = lcel_dict(ScriptedModel(script=[BAD])) | GroundingGuardrail(policy, verifier=FakeVerifier())
    assert chain.invoke({"question": QUESTION})["answer"] == "No."


@pytest.mark.parametrize(
    "options",
    [{"on_fail": "shout"}, {"on_indeterminate": "redact"}, {"max_retries": 0}, {"retry_fallback": "retry"}],
)
def test_unusable_policies_are_refused(options: Any) -> None:
    with pytest.raises(InvalidInputError):
        GuardrailPolicy(**options)


# The matrix: every way a check can fail, open and closed, on every path ------------------------------------------


FAILURES: dict[str, Exception] = {
    "raises": RuntimeError("down"),
    "timeout": EvaluationTimeoutError("too slow"),
    "bad labels": ModelUnavailableError("labels LABEL_0, LABEL_1"),
    "out of memory": MemoryError(),
    "pool full": QueueFullError("too many"),
    "model broke": EvaluationFailedError("NaN"),
}

CLOSED = GuardrailPolicy(block_message="No.")
OPEN = GuardrailPolicy(on_indeterminate="pass", block_message="No.")


def piped(policy: GuardrailPolicy, verifier: Any, mode: Any) -> tuple[Any, Any]:
    chain = lcel_dict(ScriptedModel(script=[GOOD]))
    return chain | GroundingGuardrail(policy, verifier=verifier, stream_mode=mode), {"question": QUESTION}


def wrapped(policy: GuardrailPolicy, verifier: Any, mode: Any) -> tuple[Any, Any]:
    chain = lcel_dict(ScriptedModel(script=[GOOD]))
    guarded = GroundingGuardrail.around(chain, policy, verifier=verifier, stream_mode=mode)
    return guarded, {"question": QUESTION}


def in_agent(policy: GuardrailPolicy, verifier: Any, mode: Any) -> tuple[Any, Any]:
    tool = create_retriever_tool(retriever(), "search", "Finds facts.")
    model = ScriptedModel(script=[tool_call("search", query="Pro plan"), GOOD])
    guard = GroundingMiddleware(policy, verifier=verifier, stream_mode=mode)
    return create_agent(model, [tool], middleware=[guard]), {"messages": [HumanMessage(QUESTION)]}


async def result_of(made: Any, given: Any, how: str) -> tuple[str, Any]:
    """The answer and the case that one call gives."""
    if how in ("stream", "astream"):
        chunks = list(made.stream(given)) if how == "stream" else await alist(made.astream(given))
        return "".join(chunk.get("answer", "") for chunk in chunks), chunks[-1]["longtracer"]
    out = made.invoke(given) if how == "invoke" else await made.ainvoke(given)
    return (out["answer"] if "answer" in out else str(out["messages"][-1].text)), out["longtracer"]


PATHS = [(make, how, mode) for make in (piped, wrapped) for how in ("invoke", "ainvoke") for mode in ("buffer",)]
PATHS += [
    (make, how, mode) for make in (piped, wrapped) for how in ("stream", "astream") for mode in ("buffer", "sentence")
]
PATHS += [(in_agent, how, "buffer") for how in ("invoke", "ainvoke")]


@pytest.mark.parametrize("path", PATHS, ids=lambda path: f"{path[0].__name__}-{path[1]}-{path[2]}")
@pytest.mark.parametrize("failure", FAILURES)
async def test_u84_fail_closed_blocks_on_every_path(failure: str, path: Any) -> None:
    make, how, mode = path
    made, given = make(CLOSED, FakeVerifier(error=FAILURES[failure]), mode)
    text, case = await result_of(made, given, how)
    assert text == "No."
    assert (case if isinstance(case, dict) else case.model_dump(mode="json"))["quality_gate"] == "INDETERMINATE"


@pytest.mark.parametrize("path", PATHS, ids=lambda path: f"{path[0].__name__}-{path[1]}-{path[2]}")
@pytest.mark.parametrize("failure", FAILURES)
async def test_u84_fail_open_passes_visibly_on_every_path(failure: str, path: Any) -> None:
    make, how, mode = path
    made, given = make(OPEN, FakeVerifier(error=FAILURES[failure]), mode)
    text, case = await result_of(made, given, how)
    seen = case if isinstance(case, dict) else case.model_dump(mode="json")
    assert text == GOOD
    assert (seen["quality_gate"], seen["metadata"]["guard"]["action"]) == ("INDETERMINATE", "pass")
    assert seen["error_message"]


@pytest.mark.parametrize("gate_action", ["annotate", "raise"])
def test_other_policies_for_checks_that_fail(gate_action: Any) -> None:
    policy = GuardrailPolicy(on_indeterminate=gate_action)
    guarded = around(policy, [GOOD], verifier=FakeVerifier(error=RuntimeError("down")))
    if gate_action == "raise":
        with pytest.raises(GroundingBlocked, match="INDETERMINATE"):
            guarded.invoke(QUESTION)
    else:
        assert guarded.invoke(QUESTION).startswith(f"{GOOD}\n\n[This answer could not be checked")


class Blocked:
    """An encoder that answers when it is told to, or fails."""

    name = "blocked"

    def __init__(self, error: Exception | None = None) -> None:
        self.go_on = threading.Event()
        self.error = error

    def encode(self, sentences: Any) -> Any:
        if self.error is not None:
            raise self.error
        self.go_on.wait(10.0)
        return np.ones((len(sentences), 2), dtype=np.float32) / np.sqrt(2.0)


class NoNli:
    name = "none"

    def predict(self, pairs: Any) -> Any:
        return np.full((len(pairs), 3), 1 / 3, dtype=np.float32)


def reason_of(verifier: Any, **options: Any) -> tuple[str, str]:
    """What leaves a closed guard over a real verifier, and the reason in its case."""
    chain = lcel_dict(ScriptedModel(script=["The Pro plan is nice and costs 20 dollars."]))
    out = (chain | GroundingGuardrail(CLOSED, verifier=verifier, **options)).invoke({"question": QUESTION})
    return out["answer"], out["longtracer"].reason.value


def test_u84_a_real_timeout_blocks() -> None:
    encoder = Blocked()
    with CitationVerifier(models=ModelPair(encoder=encoder, nli=NoNli())) as verifier:
        assert reason_of(verifier, timeout=0.1) == ("No.", "EVALUATION_TIMEOUT")
        encoder.go_on.set()


def test_u84_a_really_full_queue_blocks() -> None:
    encoder = Blocked()
    pair = ModelPair(encoder=encoder, nli=NoNli())
    with CitationVerifier(models=pair, max_workers=1, max_queue=1) as verifier, ThreadPoolExecutor(2) as callers:
        waiting = []
        for _ in range(2):
            waiting.append(callers.submit(verifier.verify_case, "The Pro plan is nice.", ["It costs 20 dollars."]))
            time.sleep(0.2)
        try:
            assert reason_of(verifier) == ("No.", "EVALUATION_FAILED")
        finally:
            encoder.go_on.set()


def test_u84_a_model_out_of_memory_blocks() -> None:
    pair = ModelPair(encoder=Blocked(MemoryError()), nli=NoNli())
    with CitationVerifier(models=pair) as verifier:
        assert reason_of(verifier) == ("No.", "EVALUATION_FAILED")


def test_u84_missing_models_block(tmp_path: Path) -> None:
    with CitationVerifier(models=DeferredModels(str(tmp_path / "nothing.json"))) as verifier:
        assert reason_of(verifier)[0] == "No."


def test_u84_a_closed_verifier_blocks() -> None:
    real = CitationVerifier()
    real.close()
    assert around(CLOSED, [GOOD], verifier=real).invoke(QUESTION) == "No."


def test_a_verifier_that_returns_no_case_blocks() -> None:
    class Odd(FakeVerifier):
        def verify_case(self, *_: Any, **__: Any) -> Any:
            return True

    assert around(CLOSED, [GOOD], verifier=Odd()).invoke(QUESTION) == "No."

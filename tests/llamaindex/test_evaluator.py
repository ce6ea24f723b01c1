"""The evaluator, alone and in LlamaIndex's own evaluation runner and retry engine."""

from __future__ import annotations

from typing import Any

import pytest
from llama_index.core import Settings
from llama_index.core.base.response.schema import Response
from llama_index.core.evaluation import BatchEvalRunner, EvaluationResult
from llama_index.core.query_engine import RetryQueryEngine
from llama_index.core.schema import NodeWithScore, TextNode

from longtracer import CitationVerifier, InvalidInputError
from longtracer_integrations.llamaindex import GroundingEvaluationResult, GroundingEvaluator, InstrumentHandle

from .fakes import BAD, FACTS, GOOD, QUESTION, ScriptedLLM, WordEmbedding, engine
from .faults import FAULTS

CONTEXTS = [FACTS["n1"][1], FACTS["n2"][1]]
twins = pytest.mark.parametrize(("answer", "passing"), [(GOOD, True), (BAD, False)])


@pytest.fixture
def evaluator(verifier: CitationVerifier) -> GroundingEvaluator:
    return GroundingEvaluator(verifier)


@twins
def test_texts(evaluator: GroundingEvaluator, answer: str, passing: bool) -> None:
    result = evaluator.evaluate(query=QUESTION, response=answer, contexts=CONTEXTS)
    assert (result.passing, result.score, result.invalid_result) == (passing, float(passing), False)


@twins
async def test_texts_asynchronously(evaluator: GroundingEvaluator, answer: str, passing: bool) -> None:
    result = await evaluator.aevaluate(query=QUESTION, response=answer, contexts=CONTEXTS)
    assert (result.passing, result.score) == (passing, float(passing))


@twins
def test_a_response(evaluator: GroundingEvaluator, answer: str, passing: bool) -> None:
    assert evaluator.evaluate_response(QUESTION, engine(answer).query(QUESTION)).passing is passing


@twins
async def test_a_response_asynchronously(evaluator: GroundingEvaluator, answer: str, passing: bool) -> None:
    result = await evaluator.aevaluate_response(QUESTION, await engine(answer).aquery(QUESTION))
    assert result.passing is passing


async def test_the_synchronous_half_works_in_an_event_loop(evaluator: GroundingEvaluator) -> None:
    assert evaluator.evaluate(response=GOOD, contexts=CONTEXTS).passing is True


def test_the_score_is_the_share_of_supported_claims(evaluator: GroundingEvaluator) -> None:
    result = evaluator.evaluate(response=f"{GOOD} {BAD}", contexts=CONTEXTS)
    assert (result.passing, result.score) == (False, 0.5)


def test_the_feedback_names_the_claim(evaluator: GroundingEvaluator) -> None:
    result = evaluator.evaluate(response=f"{GOOD} {BAD}", contexts=CONTEXTS)
    assert BAD in (result.feedback or "")
    assert GOOD not in (result.feedback or "")


def test_the_case_is_there(evaluator: GroundingEvaluator) -> None:
    result = evaluator.evaluate(response=GOOD, contexts=CONTEXTS)
    assert isinstance(result, GroundingEvaluationResult)
    assert isinstance(result, EvaluationResult)
    assert result.case.passed


def test_without_contexts_the_result_is_invalid(evaluator: GroundingEvaluator) -> None:
    result = evaluator.evaluate(response=GOOD)
    assert (result.passing, result.invalid_result, result.score) == (False, True, None)


def test_empty_contexts_fail(evaluator: GroundingEvaluator) -> None:
    result = evaluator.evaluate(response=GOOD, contexts=[])
    assert (result.passing, result.invalid_result) == (False, False)


def test_no_response_is_invalid(evaluator: GroundingEvaluator) -> None:
    assert evaluator.evaluate_response(QUESTION, None).invalid_result is True


@pytest.mark.parametrize("fault", FAULTS)
def test_u84_what_cannot_be_checked_does_not_pass(fault: str) -> None:
    result = GroundingEvaluator(FAULTS[fault]).evaluate(response=GOOD, contexts=CONTEXTS)
    assert (result.passing, result.invalid_result) == (False, True)
    assert result.invalid_reason


def test_intermediate_answers_of_an_engine_are_no_contexts(evaluator: GroundingEvaluator) -> None:
    written = TextNode(text=f"Sub question: how is it painted?\nResponse: {BAD}")
    response = Response(BAD, [NodeWithScore(node=written), NodeWithScore(node=TextNode(text=GOOD))])
    result = evaluator.evaluate_response(QUESTION, response)
    assert (result.passing, result.contexts) == (False, [GOOD])


# The runner calls a function of its own package that warns.
runner_warns = pytest.mark.filterwarnings(r"ignore:asyncio_module\(\) is deprecated:DeprecationWarning")


@runner_warns
async def test_in_the_batch_runner(evaluator: GroundingEvaluator) -> None:
    runner = BatchEvalRunner({"grounding": evaluator}, workers=4)
    responses = [await engine(answer).aquery(QUESTION) for answer in (GOOD, BAD, GOOD)]
    results = await runner.aevaluate_responses([QUESTION] * 3, responses)
    assert [result.passing for result in results["grounding"]] == [True, False, True]


@runner_warns
async def test_in_the_batch_runner_with_texts(evaluator: GroundingEvaluator) -> None:
    runner = BatchEvalRunner({"grounding": evaluator}, workers=4)
    results = await runner.aevaluate_response_strs([QUESTION] * 2, [GOOD, BAD], [CONTEXTS] * 2)
    assert [result.passing for result in results["grounding"]] == [True, False]


@runner_warns
def test_in_the_batch_runner_from_sync_code(evaluator: GroundingEvaluator) -> None:
    runner = BatchEvalRunner({"grounding": evaluator})
    results = runner.evaluate_queries(engine(GOOD), [QUESTION])
    assert [result.passing for result in results["grounding"]] == [True]


@pytest.fixture
def _settings(monkeypatch: pytest.MonkeyPatch) -> None:
    # The retry engine makes its feedback transformation with the models of the settings, and does not call them.
    monkeypatch.setattr(Settings, "_llm", ScriptedLLM("unused"))
    monkeypatch.setattr(Settings, "_embed_model", WordEmbedding())


@pytest.mark.usefixtures("_settings")
def test_a_retry_engine_asks_again_until_it_is_grounded(evaluator: GroundingEvaluator) -> None:
    llm = ScriptedLLM([BAD, GOOD])
    response = RetryQueryEngine(engine(llm=llm), evaluator, max_retries=2).query(QUESTION)
    assert str(response) == GOOD
    assert BAD in llm.prompts[-1]


@pytest.mark.usefixtures("_settings")
def test_a_retry_engine_with_it_gives_one_record(evaluator: GroundingEvaluator, handle: InstrumentHandle) -> None:
    RetryQueryEngine(engine([BAD, GOOD]), evaluator, max_retries=2).query(QUESTION)
    assert [record.answer for record in handle.records] == [GOOD]


def test_it_has_no_prompts(evaluator: GroundingEvaluator) -> None:
    assert evaluator.get_prompts() == {}


@pytest.mark.parametrize("options", [{"timeout": 0}, {"timeout": float("inf")}])
def test_unusable_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidInputError):
        GroundingEvaluator(**options)

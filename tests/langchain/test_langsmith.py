"""What LangSmith is told, with a client that records instead of sending."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.tools import create_retriever_tool
from langchain_core.tracers.langchain import LangChainTracer
from langsmith import Client
from lc_fakes import BAD, GOOD, FakeVerifier, ScriptedModel, lcel, lcel_dict, retriever, tool_call

from longtracer_integrations.langchain import GroundingGuardrail, GroundingMiddleware, LongTracerCallbackHandler

# Of the tracer in langchain-core 1.0 with a newer langsmith.
pytestmark = pytest.mark.filterwarnings("ignore::pydantic.warnings.PydanticDeprecatedSince20")

QUESTION = "What does the Pro plan cost?"


class RecordingClient(Client):
    """A client that keeps runs and feedback."""

    def __init__(self) -> None:
        super().__init__(api_url="http://localhost:1", api_key="none", auto_batch_tracing=False)
        self.kept_runs: dict[str, dict[str, Any]] = {}
        self.kept_feedback: list[dict[str, Any]] = []

    def create_run(self, name: str, inputs: Any, run_type: Any, **fields: Any) -> None:
        self.kept_runs.setdefault(str(fields["id"]), {}).update(name=name, **fields)

    def update_run(self, run_id: Any, **fields: Any) -> None:
        self.kept_runs.setdefault(str(run_id), {}).update(fields)

    def create_feedback(self, run_id: Any = None, key: str = "", **fields: Any) -> Any:
        self.kept_feedback.append({"run_id": str(run_id), "key": key, **fields})


@pytest.fixture
def client() -> Iterator[RecordingClient]:
    made = RecordingClient()
    yield made
    made.close()


def traced(client: RecordingClient) -> dict[str, Any]:
    return {"callbacks": [LangChainTracer(client=client)]}


def metadata_of(client: RecordingClient, name: str) -> list[dict[str, Any]]:
    runs = [run for run in client.kept_runs.values() if run.get("name") == name]
    return [(run.get("extra") or {}).get("metadata", {}) for run in runs]


@pytest.mark.parametrize("how", ["invoke", "ainvoke", "stream"])
async def test_a_guard_s_run_carries_its_case_and_its_gate(client: RecordingClient, how: str) -> None:
    chain = lcel_dict(ScriptedModel(script=[BAD])) | GroundingGuardrail(verifier=FakeVerifier())
    given = {"question": QUESTION}
    if how == "ainvoke":
        await chain.ainvoke(given, traced(client))
    elif how == "invoke":
        chain.invoke(given, traced(client))
    else:
        list(chain.stream(given, traced(client)))
    (metadata,) = metadata_of(client, "GroundingGuardrail")
    assert metadata["longtracer"]["quality_gate"] == "FAIL"
    (feedback,) = client.kept_feedback
    assert (feedback["key"], feedback["score"], feedback["value"]) == ("longtracer", 0.0, "FAIL")
    assert client.kept_runs[feedback["run_id"]]["name"] == "GroundingGuardrail"


def test_a_guard_around_a_chain_does_the_same(client: RecordingClient) -> None:
    guarded = GroundingGuardrail.around(lcel(ScriptedModel(script=[GOOD])), verifier=FakeVerifier())
    guarded.invoke(QUESTION, traced(client))
    (metadata,) = metadata_of(client, "GuardedChain")
    assert metadata["longtracer"]["quality_gate"] == "PASS"
    assert [feedback["score"] for feedback in client.kept_feedback] == [1.0]


def test_a_guarded_agent_sends_feedback(client: RecordingClient) -> None:
    tool = create_retriever_tool(retriever(), "search", "Finds facts.")
    model = ScriptedModel(script=[tool_call("search", query="Pro plan"), BAD])
    agent = create_agent(model, [tool], middleware=[GroundingMiddleware(verifier=FakeVerifier())])
    agent.invoke({"messages": [("user", QUESTION)]}, traced(client))
    assert [feedback["value"] for feedback in client.kept_feedback] == ["FAIL"]


def test_a_handler_sends_feedback_on_the_root_run(client: RecordingClient) -> None:
    handler = LongTracerCallbackHandler(FakeVerifier(), langsmith_client=client)
    lcel(ScriptedModel(script=[GOOD])).invoke(QUESTION, {"callbacks": [handler]})
    assert handler.last is not None
    (feedback,) = client.kept_feedback
    assert (feedback["run_id"], feedback["score"]) == (handler.last.run_id, 1.0)


def test_what_could_not_be_checked_has_no_score(client: RecordingClient) -> None:
    handler = LongTracerCallbackHandler(FakeVerifier(error=RuntimeError("down")), langsmith_client=client)
    lcel(ScriptedModel(script=[GOOD])).invoke(QUESTION, {"callbacks": [handler]})
    assert [(feedback["score"], feedback["value"]) for feedback in client.kept_feedback] == [(None, "INDETERMINATE")]


def test_without_tracing_nothing_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    def never() -> None:
        raise AssertionError("LangSmith was asked for a client")

    monkeypatch.setattr("longtracer_integrations.langchain.langsmith.get_client", never)
    handler = LongTracerCallbackHandler(FakeVerifier())
    lcel(ScriptedModel(script=[GOOD])).invoke(QUESTION, {"callbacks": [handler]})
    assert handler.last is not None


def test_a_client_that_fails_is_logged_and_changes_nothing(
    client: RecordingClient, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise ConnectionError("no network")

    monkeypatch.setattr(client, "create_feedback", broken)
    guarded = GroundingGuardrail.around(lcel(ScriptedModel(script=[GOOD])), verifier=FakeVerifier())
    with caplog.at_level(logging.ERROR):
        assert guarded.invoke(QUESTION, traced(client)) == GOOD
    assert "LangSmith could not be told" in caplog.text

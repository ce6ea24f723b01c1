"""The `[n]` markers of an answer: supported, wrong source, out of range."""

from __future__ import annotations

import pytest
from llama_index.core.base.response.schema import Response
from llama_index.core.query_engine import CitationQueryEngine
from llama_index.core.schema import NodeWithScore, TextNode

from longtracer import CitationVerifier, InvalidInputError
from longtracer_integrations.llamaindex import CitationCheck, CitationReport

from .fakes import FACTS, QUESTION, ScriptedLLM, fact_index
from .faults import FAULTS

PAINT, RETIRED, FERRY, DOGS, BAKERY = (text for _, text in FACTS.values())
IDS = list(FACTS)


def _response(answer: str, sources: list[str] | None = None) -> Response:
    texts = list(FACTS) if sources is None else sources
    nodes = [NodeWithScore(node=TextNode(id_=n, text=FACTS[n][1])) for n in texts]
    return Response(answer, nodes)


@pytest.fixture
def checked(verifier: CitationVerifier) -> CitationCheck:
    return CitationCheck(verifier)


def _verdicts(report: CitationReport) -> list[tuple[str, str]]:
    return [(finding.marker, finding.verdict) for finding in report.findings]


def test_a_right_citation_supports(checked: CitationCheck) -> None:
    report = checked.check(_response(f"{PAINT[:-1]} [1]."))
    assert _verdicts(report) == [("[1]", "supports")]
    assert report.ok


def test_a_wrong_source_is_named(checked: CitationCheck) -> None:
    report = checked.check(_response(f"{PAINT[:-1]} [3]."))
    (finding,) = report.wrong_source
    assert (finding.marker, finding.numbers, finding.source_ids) == ("[3]", (3,), ("n3",))
    assert (finding.supported_by, finding.right_numbers) == (("n1",), (1,))
    assert not report.ok


def test_a_number_without_a_source_is_named(checked: CitationCheck) -> None:
    report = checked.check(_response(f"{PAINT[:-1]} [9]."))
    (finding,) = report.out_of_range
    assert (finding.marker, finding.numbers, finding.source_ids) == ("[9]", (9,), ())
    assert not report.ok


def test_the_last_source_is_in_range(checked: CitationCheck) -> None:
    assert _verdicts(checked.check(_response(f"{BAKERY[:-1]} [5]."))) == [("[5]", "supports")]


def test_the_number_behind_the_last_source_is_not(checked: CitationCheck) -> None:
    assert _verdicts(checked.check(_response(f"{BAKERY[:-1]} [6]."))) == [("[6]", "out_of_range")]


def test_each_claim_is_judged_by_its_own_source(checked: CitationCheck) -> None:
    answer = f"{PAINT[:-1]} [1]. {DOGS[:-1]} [1]."
    assert [verdict for _, verdict in _verdicts(checked.check(_response(answer)))] == ["supports", "does_not_support"]


def test_the_place_of_a_marker_is_right(checked: CitationCheck) -> None:
    answer = f"{PAINT[:-1]} [1]. {DOGS[:-1]} [4]."
    findings = checked.check(_response(answer)).findings
    assert [answer[finding.char_start : finding.char_end] for finding in findings] == ["[1]", "[4]"]


def test_claims_without_a_marker_are_listed(checked: CitationCheck) -> None:
    report = checked.check(_response(f"{PAINT} {DOGS[:-1]} [4]."))
    assert [claim.claim_text for claim in report.uncited] == [PAINT]


def test_a_claim_that_nothing_supports_fails_whatever_it_cites(checked: CitationCheck) -> None:
    report = checked.check(_response("The lighthouse at Brundy Head is painted green [1]."))
    assert not report.ok
    assert not report.case.passed
    assert [finding.supported_by for finding in report.wrong_source] == [()]


def test_chunks_of_one_node_keep_their_numbers(checked: CitationCheck) -> None:
    nodes = [TextNode(id_="same", text=PAINT), TextNode(id_="same", text=PAINT), TextNode(id_="same", text=DOGS)]
    response = Response(f"{DOGS[:-1]} [3].", [NodeWithScore(node=node) for node in nodes])
    report = checked.check(response)
    assert _verdicts(report) == [("[3]", "supports")]
    assert report.findings[0].source_ids == ("same#3",)


def _engine(answer: str, **options: object) -> CitationQueryEngine:
    return CitationQueryEngine.from_args(fact_index(), llm=ScriptedLLM(answer), similarity_top_k=2, **options)


def test_the_answer_of_a_citation_engine(checked: CitationCheck) -> None:
    response = _engine(f"{PAINT[:-1]} [1]. The keeper retired in 1984 [2].").query(QUESTION)
    assert checked.check(response).ok


def test_the_wrong_answer_of_a_citation_engine(checked: CitationCheck) -> None:
    response = _engine(f"{PAINT[:-1]} [2]. The keeper retired in 1984 [3].").query(QUESTION)
    report = checked.check(response)
    assert [verdict for _, verdict in _verdicts(report)] == ["does_not_support", "out_of_range"]


def test_a_stream_is_read_to_its_end(checked: CitationCheck) -> None:
    response = _engine(f"{PAINT[:-1]} [1].", streaming=True).query(QUESTION)
    assert checked.check(response).ok


async def test_asynchronously(checked: CitationCheck) -> None:
    report = await checked.acheck(await _engine(f"{PAINT[:-1]} [2].").aquery(QUESTION))
    assert [finding.verdict for finding in report.findings] == ["does_not_support"]


async def test_an_asynchronous_stream_is_read_to_its_end(checked: CitationCheck) -> None:
    report = await checked.acheck(await _engine(f"{PAINT[:-1]} [1].", streaming=True).aquery(QUESTION))
    assert report.ok


@pytest.mark.parametrize("fault", FAULTS)
def test_u84_what_cannot_be_checked_is_not_ok(fault: str) -> None:
    assert not CitationCheck(FAULTS[fault]).check(_response(f"{PAINT[:-1]} [1].")).ok


def test_something_that_is_no_response_is_refused(checked: CitationCheck) -> None:
    with pytest.raises(TypeError, match="no response"):
        checked.check(PAINT)


def test_an_unusable_timeout_is_refused() -> None:
    with pytest.raises(InvalidInputError):
        CitationCheck(timeout=0)

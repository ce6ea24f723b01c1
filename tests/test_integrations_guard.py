"""The guard core without any framework: whole answers and streams, with the real models where meaning matters."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from longtracer import (
    AssessmentAvailability,
    CaseResult,
    ClaimAssessment,
    ClaimResult,
    InvalidInputError,
    ReasonCode,
    check_case,
)
from longtracer.contracts import evaluated_case, skipped_case
from longtracer_integrations import GroundingBlocked, GuardrailPolicy
from longtracer_integrations.case_offsets import case_of_segment
from longtracer_integrations.check import GroundingCheck
from longtracer_integrations.documents import read_documents
from longtracer_integrations.draft import Draft
from longtracer_integrations.guard import GuardCore, StreamMode
from longtracer_integrations.redaction import redact

SOURCES = read_documents(["Basic costs $10. Pro costs $20.", "Dogs and cats are allowed in the garden."])
GOOD = "Basic costs $10. Pro costs $20. Dogs are allowed in the garden."
BAD = "Basic costs $10. Pro costs $25. Dogs are allowed in the garden."
LIST = "Prices:\n- Basic costs $10\n- Pro costs $25\n- Dogs are allowed in the garden\n"


def draft(answer: str) -> Draft:
    return Draft(answer=answer, documents=SOURCES)


def core(verifier: Any, mode: StreamMode = "sentence", **policy: Any) -> GuardCore:
    return GuardCore(GroundingCheck(verifier), GuardrailPolicy(block_message="No.", **policy), stream_mode=mode)


def pieces(text: str, size: int = 4) -> Iterator[str]:
    for start in range(0, len(text), size):
        yield text[start : start + size]


async def apieces(text: str) -> AsyncIterator[str]:
    for piece in pieces(text):
        await asyncio.sleep(0)
        yield piece


def streamed(guard: GuardCore, text: str) -> tuple[list[str], Any]:
    answer = guard.open_stream(draft)
    return list(guard.stream(answer, pieces(text))), answer.outcome


def test_a_good_answer_passes_with_its_case(verifier: Any) -> None:
    outcome = core(verifier).run(draft(GOOD))
    assert (outcome.text, outcome.action, outcome.case.quality_gate.value) == (GOOD, "pass", "PASS")
    assert not outcome.changed


async def test_sync_and_async_decide_alike(verifier: Any) -> None:
    guard = core(verifier)
    outcome, again = await guard.run_async(draft(BAD)), guard.run(draft(BAD))
    assert (outcome.text, outcome.action) == (again.text, again.action) == ("No.", "block")


def test_nothing_captured_is_skipped_and_nothing_found_is_assessed(verifier: Any) -> None:
    guard = core(verifier)
    nothing = guard.run(Draft(answer=GOOD, documents=None)).case
    empty = guard.run(Draft(answer=GOOD, documents=())).case
    assert (nothing.execution.value, nothing.reason.value) == ("SKIPPED", "EXECUTION_SKIPPED")
    assert (empty.execution.value, empty.reason.value, empty.quality_gate.value) == (
        "SUCCESS",
        "NO_SOURCES_SUPPLIED",
        "FAIL",
    )


@pytest.mark.parametrize(
    ("text", "out"),
    [
        (GOOD, ["Basic costs $10. ", "Pro costs $20. ", "Dogs are allowed in the garden."]),
        (BAD, ["Basic costs $10. ", "No."]),
        (LIST, ["Prices:\n- Basic costs $10\n", "No."]),
        ("Pro costs $20", ["Pro costs $20"]),
        ("Pro costs $25", ["No."]),
        ("", ["No."]),
        ("Sure!", ["No."]),
        ("The documents do not mention that.", ["The documents do not mention that."]),
        (f"## Prices\n\n{GOOD}", ["## Prices\n\nBasic costs $10. ", "Pro costs $20. ", GOOD[32:]]),
    ],
)
def test_sentence_mode_lets_out_what_passed_and_stops_at_the_first_that_fails(
    text: str, out: list[str], verifier: Any
) -> None:
    assert streamed(core(verifier), text)[0] == out


@pytest.mark.parametrize("text", [GOOD, BAD, LIST])
async def test_async_streams_give_the_same_pieces(text: str, verifier: Any) -> None:
    guard = core(verifier)
    answer = guard.open_stream(draft)
    assert [piece async for piece in guard.stream_async(answer, apieces(text))] == streamed(guard, text)[0]


@pytest.mark.parametrize("text", [GOOD, BAD, LIST, "Sure!"])
def test_u68_both_stream_modes_and_the_plain_call_reach_the_same_gate(text: str, verifier: Any) -> None:
    gates = {streamed(core(verifier, mode), text)[1].case.quality_gate for mode in ("buffer", "sentence")}  # type: ignore[arg-type]
    assert gates == {core(verifier).run(draft(text)).case.quality_gate}


@pytest.mark.parametrize("text", [BAD, LIST])
def test_the_case_of_a_stopped_stream_has_offsets_in_the_whole_answer(text: str, verifier: Any) -> None:
    _, outcome = streamed(core(verifier), text)
    (claim,) = outcome.case.unsupported_claims
    assert text[claim.char_start : claim.char_end] == claim.claim_text
    assert "25" in claim.claim_text


def test_a_list_item_is_read_with_the_line_that_leads_it_in(verifier: Any) -> None:
    documents = read_documents(["The Basic plan includes 5 users and 10 GB of storage."])
    guard = core(verifier)
    answer = guard.open_stream(lambda text: Draft(answer=text, documents=documents))
    text = "The Basic plan includes:\n- 5 users\n- 10 GB of storage\n"
    assert "".join(guard.stream(answer, pieces(text))) == text


def test_redact_in_a_stream_leaves_the_claim_out_and_every_other_character_in(verifier: Any) -> None:
    out, outcome = streamed(core(verifier, on_fail="redact"), BAD)
    assert "".join(out) == "Basic costs $10.  Dogs are allowed in the garden."
    assert outcome.action == "redact"


@pytest.mark.parametrize("text", [GOOD, BAD, LIST])
def test_redact_gives_the_same_text_in_both_modes(text: str, verifier: Any) -> None:
    whole = core(verifier, "buffer", on_fail="redact").run(draft(text)).text
    assert "".join(streamed(core(verifier, on_fail="redact"), text)[0]) == whole


def test_raise_stops_a_stream(verifier: Any) -> None:
    guard = core(verifier, on_fail="raise")
    out = guard.stream(guard.open_stream(draft), pieces(BAD))
    assert next(out) == "Basic costs $10. "
    with pytest.raises(GroundingBlocked):
        next(out)


class Measured:
    """A verifier that finds a claim where there is a price, and counts the characters it was given."""

    def __init__(self) -> None:
        self.read = 0

    def verify_case(self, response: str, *_: Any, **__: Any) -> CaseResult:
        self.read += len(response)
        if "$" not in response:
            nothing, reason = AssessmentAvailability.NO_ASSESSABLE_CLAIMS, ReasonCode.NO_EXTRACTABLE_CLAIMS
            return evaluated_case(availability=nothing, reason=reason, claims=[])
        right = "$25" not in response
        claim = ClaimResult(
            claim_id="claim_1",
            claim_text=response,
            assessment=ClaimAssessment.SUPPORTED if right else ClaimAssessment.INSUFFICIENT_EVIDENCE,
            reason=ReasonCode.SUPPORTED_BY_EVIDENCE if right else ReasonCode.NOT_ENTAILED,
            char_start=0,
            char_end=len(response),
        )
        return evaluated_case(availability=AssessmentAvailability.ASSESSED, reason=None, claims=[claim])

    verify_case_async = None


SAYS_NOTHING = ["- Yes\n", "## Part\n\n", "Shall I go on? ", "```\nx = 1\n```\n\n"]


@pytest.mark.parametrize("part", SAYS_NOTHING)
@pytest.mark.parametrize(("last", "out"), [("Pro costs $20.", None), ("Pro costs $25.", ["No."])])
def test_the_checks_of_what_says_nothing_grow_with_its_length(part: str, last: str, out: Any) -> None:
    for count in (100, 800):
        verifier, text = Measured(), f"{part * count}\n\n{last} And more."
        pieces_out, _ = streamed(core(verifier), text)
        assert verifier.read < 12 * len(text) + 20_000  # what is near is read again, up to a fixed length
        assert pieces_out == out if out else "".join(pieces_out) == text


@pytest.mark.parametrize("part", SAYS_NOTHING)
def test_what_follows_much_that_says_nothing_leaves_as_soon_as_it_is_checked(part: str) -> None:
    answer = core(Measured()).open_stream(draft)
    guard = core(Measured())
    text = f"{part * 200}\n\nPro costs $20. "
    left = list(guard.stream(answer, pieces(text + "Basic costs $10. More")))
    assert left[0] == text


class Broken:
    """A verifier that fails from its third call on."""

    def __init__(self, real: Any) -> None:
        self.real = real
        self.calls = 0

    def verify_case(self, *args: Any, **options: Any) -> CaseResult:
        self.calls += 1
        if self.calls > 2:
            raise RuntimeError("down")
        case: CaseResult = self.real.verify_case(*args, **options)
        return case

    verify_case_async = None


@pytest.mark.parametrize(("choice", "out"), [("block", "No."), ("pass", "Dogs are allowed in the garden.")])
def test_a_check_that_fails_in_the_middle_of_a_stream_follows_the_policy(choice: Any, out: str, verifier: Any) -> None:
    guard = core(Broken(verifier), on_indeterminate=choice)
    assert streamed(guard, GOOD)[0] == ["Basic costs $10. ", "Pro costs $20. ", out]


def test_an_outcome_before_the_end_is_an_error(verifier: Any) -> None:
    with pytest.raises(RuntimeError, match="before its end"):
        _ = core(verifier).open_stream(draft).outcome


def test_an_unknown_stream_mode_is_refused(verifier: Any) -> None:
    with pytest.raises(InvalidInputError):
        GuardCore(GroundingCheck(verifier), stream_mode="word")  # type: ignore[arg-type]


def test_a_sync_only_verifier_works_in_async_code(verifier: Any) -> None:
    class SyncOnly:
        verify_case = verifier.verify_case

    outcome = asyncio.run(GuardCore(GroundingCheck(SyncOnly())).run_async(draft(GOOD)))  # type: ignore[arg-type]
    assert outcome.action == "pass"


def test_a_verifier_gets_only_the_options_it_knows() -> None:
    class Plain:
        def verify_case(
            self, response: str, sources: Any, source_metadata: Any, *, timeout: Any, detect_conflicts: Any
        ) -> Any:
            return skipped_case("not run")

    case = GroundingCheck(Plain()).run(Draft(answer="x", documents=SOURCES, question="q"))  # type: ignore[arg-type]
    assert case.execution.value == "SKIPPED"


def test_an_option_that_was_asked_for_is_never_dropped() -> None:
    class Bare:
        def verify_case(self, response: str, sources: Any, source_metadata: Any) -> Any:
            return skipped_case("not run")

    bare: Any = Bare()
    plain = Draft(answer="x", documents=SOURCES)
    assert GroundingCheck(bare).run(plain).execution.value == "SKIPPED"
    assert "timeout" in (GroundingCheck(bare, timeout=1.0).run(plain).error_message or "")


def test_claims_of_a_segment_s_context_are_left_out_and_the_gate_follows() -> None:
    context, segment = "Pro costs $25.\n", "Basic costs $10."
    case = check_case(context + segment, [document.text for document in SOURCES])
    assert case.quality_gate.value == "FAIL"
    moved = case_of_segment(case, context_length=len(context), start=100)
    assert [(claim.claim_text, claim.char_start) for claim in moved.claims] == [("Basic costs $10.", 100)]
    assert moved.quality_gate.value == "PASS"


def test_redaction_without_a_claim_to_remove_has_nothing_to_go_by() -> None:
    assert redact("Sure!", check_case("Sure!", ["x"])) is None


def test_redaction_of_a_claim_of_unknown_place_has_nothing_to_go_by() -> None:
    case = check_case("Pro costs $25.", [document.text for document in SOURCES])
    lost = tuple(claim.model_copy(update={"char_start": None, "char_end": None}) for claim in case.claims)
    assert redact("Pro costs $25.", case.model_copy(update={"claims": lost})) is None

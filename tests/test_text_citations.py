"""Citation markers in all their forms, and what only looks like one."""

from __future__ import annotations

import pytest

from longtracer.engine.text.claims import SkipReason, split_claims

MARKERS = [
    ("[Source: plans.pdf]", ()),
    ("(Source: plans.pdf)", ()),
    ("(Source: Employee Handbook, section 3)", ()),
    ("[plans.pdf]", ()),
    ("[plans.pdf](https://a.b/c)", ()),
    ("(plans.pdf)", ()),
    ("(plans.pdf, p. 3)", ()),
    ("(see plans.pdf, pages 3-4)", ()),
    ("[source_0]", ()),
    ("[doc-3]", ()),
    ("(see Document 1)", (1,)),
    ("(Source 1, Source 2)", (1, 2)),
    ("(Sources: [1], [2])", (1, 2)),
    ("[Document 1, page 3]", (1,)),
    ("[Doc 1, p. 3; Doc 2]", (1, 2)),
    ("[1, p. 3]", (1,)),
    ("[1 and 2]", (1, 2)),
    ("[1†L3-L5]", (1,)),
    ("【4:2†plans.pdf】", (4,)),
    ("【plans.pdf】", ()),
    ("<sup>1</sup>", (1,)),
    ("<sup>1, 2</sup>", (1, 2)),
    ("{1}", (1,)),
]


@pytest.mark.parametrize(("marker", "numbers"), MARKERS)
@pytest.mark.parametrize("response", ["Pro costs $25 {}.", "Pro costs $25. {} It is new.", "- Pro costs $25. {}"])
def test_a_marker_is_left_out_for_the_models(response: str, marker: str, numbers: tuple[int, ...]) -> None:
    answer = response.replace("{}", marker)
    claim = split_claims(answer).claims[0]
    assert claim.model_text == "Pro costs $25."
    assert [(citation.text, citation.numbers) for citation in claim.citations] == [(marker, numbers)]
    assert answer[claim.start : claim.end] == claim.text
    assert marker in claim.text


@pytest.mark.parametrize(
    "sentence",
    [
        "Pro costs little (about $25).",
        "Pro is sold (source code included).",
        "Pro is sold (Source: it costs $25).",
        "Pro is sold (see below).",
        "Pro was sold (in 2019).",
        "The prices are in [plans.pdf].",
        "See [plans.pdf] for the price.",
        "It runs on Node.js (see app.js).",
        "It lies between [1 and 2].",
        "The set {1} is small.",
        "The set is {1, 2}.",
        "The value f{1} is small.",
        "\\frac{1}{2} is a half.",
        "The name [sic] is right.",
        "Okoro et al. [2019] measured it.",
    ],
)
def test_what_a_sentence_says_stays(sentence: str) -> None:
    (claim,) = split_claims(sentence).claims
    assert claim.citations == ()
    assert claim.model_text.removeprefix("\\") == sentence.removeprefix("\\")


@pytest.mark.parametrize(
    ("sentence", "read"),
    [("It covers 5 m<sup>2</sup>.", "It covers 5 m2."), ("It has 10<sup>3</sup> rows.", "It has 103 rows.")],
)
def test_an_exponent_is_no_marker(sentence: str, read: str) -> None:
    assert [(claim.model_text, claim.citations) for claim in split_claims(sentence).claims] == [(read, ())]


@pytest.mark.parametrize("line", ["Source: plans.pdf", "**Sources:** plans.pdf, page 3", "Source: how-it-works.pdf"])
def test_a_line_that_names_the_source_is_skipped(line: str) -> None:
    segmentation = split_claims(f"It is new.\n\n{line}")
    assert [claim.text for claim in segmentation.claims] == ["It is new."]
    assert segmentation.skipped[-1].reason is SkipReason.CITATION


@pytest.mark.parametrize("line", ["Source: Pro costs $25", "**Sources:** Pro costs $25", "Source: it works"])
def test_a_statement_behind_such_a_label_is_judged(line: str) -> None:
    assert len(split_claims(f"It is new.\n\n{line}").claims) == 2


@pytest.mark.parametrize(
    "frame",
    [
        "According to plans.pdf, ",
        "According to `plans.pdf`, ",
        "Per the docs, ",
        "Based on my analysis of the provided context, ",
        "Based on the information in plans.pdf, ",
        "**TL;DR:** ",
        "Summary: ",
    ],
)
def test_a_frame_is_left_out_for_the_models(frame: str) -> None:
    assert [claim.model_text for claim in split_claims(f"{frame}Pro costs $25.").claims] == ["Pro costs $25."]


@pytest.mark.parametrize(
    "sentence",
    [
        "According to Reuters, Pro costs $25.",
        "Per the law, Pro costs $25.",
        "Based on my analysis of the market, Pro costs $25.",
        "Based on the information in the press, Pro costs $25.",
    ],
)
def test_a_source_that_is_named_stays(sentence: str) -> None:
    assert [claim.model_text for claim in split_claims(sentence).claims] == [sentence]

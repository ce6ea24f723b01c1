"""Which sources a claim names, and the evidence beside it."""

from __future__ import annotations

import itertools

import pytest

from longtracer import CitationVerifier, ClaimAssessment
from longtracer.testing import scripted_models

LAKE = "The lake is 40 metres deep."
OTHER = "The town hall was built of sandstone."


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        (None, "source_1"),
        ([{}, {}], "source_1"),
        ([{}], "source_1"),
        ([None, None], "source_1"),
        ([{}, {"source_id": "s", "id": "i"}], "s"),
        ([{}, {"id": "i"}], "i"),
        ([{}, {"source_id": None, "id": "i"}], "i"),
        ([{}, {"id": 7}], "7"),
        ([{}, {"id": ""}], "source_1"),
    ],
)
def test_ids(verifier, metadata, expected):
    (claim,) = verifier.verify_case(LAKE, [OTHER, LAKE], metadata).claims
    assert claim.supporting_sources == (expected,)


def test_identical_documents_are_all_named_in_order(verifier):
    (claim,) = verifier.verify_case("The lake has a depth of 40 metres.", [LAKE, OTHER, LAKE]).claims
    assert claim.supporting_sources == ("source_0", "source_2")


def test_different_sentences_are_named_in_the_order_of_their_sources():
    sources = ["The lake is deep and big and blue.", OTHER, "The lake is deep and cold and big and blue."]
    with CitationVerifier(models=scripted_models(lambda premise, hypothesis: "entailment")) as fresh:
        (claim,) = fresh.verify_case("The lake is deep and cold and big.", sources).claims
    assert claim.evidence[0].source_id == "source_2"
    assert claim.supporting_sources == ("source_0", "source_2")


def test_evidence_holds_the_sentence_with_its_place(verifier):
    source = f"{OTHER} {LAKE} It is cold."
    (claim,) = verifier.verify_case("The lake has a depth of 40 metres.", [OTHER, source]).claims
    first = claim.evidence[0]
    assert first.source_id == "source_1"
    assert source[first.char_start : first.char_end] == first.text == LAKE
    assert first.entailment is not None
    assert first.entailment + first.contradiction + first.neutral == pytest.approx(1, abs=1e-4)


def test_the_sentence_that_decided_comes_first():
    sources = ["The lake is deep and big and blue.", "The lake is deep and was found to be cold."]

    def judge(premise: str, hypothesis: str) -> str:
        return "entailment" if premise == sources[1] else "neutral"

    with CitationVerifier(models=scripted_models(judge)) as fresh:
        (claim,) = fresh.verify_case("The lake is deep and cold and big.", sources).claims
    assert claim.supporting_sources == ("source_1",)
    assert claim.evidence[0].text == sources[1]
    assert claim.evidence[0].similarity < claim.evidence[1].similarity


def test_history_comes_behind_the_sources(verifier):
    (claim,) = verifier.verify_case(LAKE, [OTHER], history=[("assistant", LAKE), ("user", LAKE)]).claims
    assert claim.supporting_sources == ("history_1",)
    assert [evidence.source_index for evidence in claim.evidence] == [2]


@pytest.mark.parametrize(("length", "windowed"), [(400, True), (4, False)])
def test_a_sentence_too_long_for_the_model_is_read_in_windows_and_says_so(verifier, length, windowed):
    source = f"The lake is 40 metres deep, {'and the lake is a deep and very calm one, ' * length}and it is cold."
    (claim,) = verifier.verify_case("The lake is 40 metres deep.", [source]).claims
    assert claim.scores.windowed is windowed
    assert [evidence.windowed for evidence in claim.evidence] == [windowed] * len(claim.evidence) != []


def test_claims_carry_exact_offsets(verifier):
    response = f"Well:\n\n- {LAKE}\n- {OTHER}"
    for claim in verifier.verify_case(response, [LAKE]).claims:
        assert response[claim.char_start : claim.char_end] == claim.claim_text


def test_a_fact_spread_over_two_sentences_is_supported(verifier):
    source = "Marta Lindqvist joined the museum in 2011. She became its director in 2018."
    (good,) = verifier.verify_case("Marta Lindqvist became the museum's director in 2018.", [source]).claims
    (bad,) = verifier.verify_case("Marta Lindqvist became the museum's director in 2019.", [source]).claims
    assert good.assessment is ClaimAssessment.SUPPORTED
    assert bad.assessment is not ClaimAssessment.SUPPORTED


CLAIM = "The lake has a depth of 40 metres."
DISTRACTORS = [
    OTHER,
    "Tickets cost 12 euros on weekdays.",
    "The library closes at six.",
    "Salmon return in autumn.",
    "The bridge was painted green in 1987.",
    "A ferry crosses the river twice a day.",
]


@pytest.mark.parametrize("claim", [CLAIM, "The lake has a depth of 45 metres."])
def test_order_and_distractors_flip_no_verdict(verifier, claim):
    alone = verifier.verify_case(claim, [LAKE]).claims[0].assessment
    for order in itertools.islice(itertools.permutations([LAKE, *DISTRACTORS]), 0, 5040, 720):
        assert verifier.verify_case(claim, list(order)).claims[0].assessment is alone


def test_the_similarity_rule_is_the_one_of_the_spec(verifier):
    claim, source = "Dogs and birds are allowed.", "Dogs are allowed."
    with CitationVerifier(rule="similarity") as similarity:
        assert similarity.verify_case(claim, [source]).claims[0].assessment is ClaimAssessment.SUPPORTED
    assert verifier.verify_case(claim, [source]).claims[0].assessment is ClaimAssessment.INSUFFICIENT_EVIDENCE


def test_a_pronoun_is_read_with_the_sentence_before_it_in_every_source(verifier):
    anna = "Anna Berg was a painter. She was born in Oslo in 1950."
    clara = "Clara Holm was a poet. She was born in Oslo in 1950."
    (claim,) = verifier.verify_case("Clara Holm was born in Oslo in 1950.", [anna, clara]).claims
    assert claim.supporting_sources == ("source_1",)
    (claim,) = verifier.verify_case("Clara Holm was born in Oslo in 1950.", [anna]).claims
    assert claim.assessment is not ClaimAssessment.SUPPORTED


def test_a_question_says_nothing(verifier):
    (claim,) = verifier.verify_case("Dogs are allowed in the park.", ["Dogs are allowed in the park? No."]).claims
    assert claim.scores.verbatim is False
    (claim,) = verifier.verify_case("Dogs are allowed in the park.", ["Dogs are allowed in the park! Yes."]).claims
    assert claim.assessment is ClaimAssessment.SUPPORTED


def test_a_claim_refused_for_a_name_that_no_document_has_shows_it(verifier):
    source = "Anna Berg was a painter. She was born in Oslo in 1950."
    (claim,) = verifier.verify_case("Clara Holm was born in Oslo in 1950.", [source]).claims
    assert claim.assessment is not ClaimAssessment.SUPPORTED
    assert claim.scores.support < claim.scores.entailment / 2
    (claim,) = verifier.verify_case("Anna Berg was born in Oslo in 1950.", [source]).claims
    assert claim.assessment is ClaimAssessment.SUPPORTED
    assert claim.scores.support == pytest.approx(claim.scores.entailment, abs=0.05)

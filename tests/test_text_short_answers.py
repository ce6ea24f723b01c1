"""A short answer becomes a statement when the question is given."""

from __future__ import annotations

import pytest

from longtracer.engine.text.claims import ClaimKind, split_claims

FORMED = [
    ("What is the capital of Germany?", "Berlin.", "The capital of Germany is Berlin."),
    ("What's the fee?", "$5", "The fee is $5."),
    ("Could you tell me what the fee is?", "$5", "The fee is $5."),
    ("Who wrote Hamlet?", "Shakespeare", "Shakespeare wrote Hamlet."),
    ("Who is the CEO of Acme?", "Anna Berg", "The CEO of Acme is Anna Berg."),
    ("Who was born in Oslo?", "Anna", "Anna was born in Oslo."),
    ("Who did she marry?", "Bob", "She married Bob."),
    ("When was the tower finished?", "1889", "The tower was finished in 1889."),
    ("When did the store open?", "15 Jan 1967.", "The store opened on 15 Jan 1967."),
    ("When does the shop close?", "9 p.m.", "The shop closes at 9 p.m."),
    ("Where is Berlin?", "Germany", "Berlin is in Germany."),
    ("Where was Marie Curie born?", "In Warsaw", "Marie Curie was born in Warsaw."),
    ("How long is the race?", "42 km", "The race is 42 km long."),
    ("How tall is the tower?", "300 m", "The tower is 300 m tall."),
    ("How old is she?", "42", "She is 42 years old."),
    ("How long does delivery take?", "5 days", "Delivery takes 5 days."),
    ("How much does Pro cost?", "$25", "Pro costs $25."),
    ("How many employees does Acme have?", "40", "Acme has 40 employees."),
    ("How many people live in Oslo?", "700,000", "700,000 people live in Oslo."),
    ("What does Pro cost?", "$25", "Pro costs $25."),
    ("What color is the sky?", "Blue", "The sky is Blue."),
    ("What year was Acme founded?", "1999", "Acme was founded in 1999."),
    ("What is the tower made of?", "Iron", "The tower is made of Iron."),
    ("What is Pro called in France?", "Pro+", "Pro is called Pro+ in France."),
    ("Which plan includes SSO?", "Pro", "Pro includes SSO."),
    ("Which award did she win?", "The Nobel Prize", "She won the Nobel Prize."),
    ("Which is older, Oslo or Bergen?", "Bergen", "Bergen is older."),
    ("In which city was Ibsen born?", "Skien", "Ibsen was born in Skien."),
    ("The film is based on what novel?", "Wild", "The film is based on Wild."),
    ("Is Pro free?", "Yes.", "Pro is free."),
    ("Is Pro free?", "No", "Pro is not free."),
    ("Is the Pro plan free?", "yes", "The Pro plan is free."),
    ("Does the Pro plan include SSO?", "Yes.", "The Pro plan does include SSO."),
    ("Did Anna win the prize?", "No.", "Anna did not win the prize."),
    ("Are dogs allowed?", "Yes!", "Dogs are allowed."),
    ("Has the company paid a dividend?", "No", "The company has not paid a dividend."),
    ("Can I cancel at any time?", "Yes", "I can cancel at any time."),
    ("Why did it close?", "Because of the flood.", "Why did it close? Because of the flood."),
]


@pytest.mark.parametrize(("question", "answer", "statement"), FORMED)
def test_the_answer_is_read_as_a_statement(question: str, answer: str, statement: str) -> None:
    (claim,) = split_claims(answer, question=question).claims
    assert claim.model_text == statement


@pytest.mark.parametrize(("question", "answer", "statement"), FORMED)
def test_the_claim_is_the_answer_at_its_offsets(question: str, answer: str, statement: str) -> None:
    (claim,) = split_claims(answer, question=question).claims
    assert (claim.kind, claim.text, claim.start) == (ClaimKind.SHORT_ANSWER, answer, 0)


@pytest.mark.parametrize("answer", ["Berlin.", "Yes.", "42", "$25", "1889"])
def test_without_the_question_a_short_answer_is_no_claim(answer: str) -> None:
    assert split_claims(answer).claims == ()


@pytest.mark.parametrize("question", ["", "  "])
def test_a_blank_question_is_no_question(question: str) -> None:
    assert split_claims("Berlin.", question=question).claims == ()


@pytest.mark.parametrize(
    "answer",
    [
        "Berlin is the capital of Germany.",
        "It is red.",
        "They performed in 27 countries.",
        "Anna Frank completed more books.",
        "The documents do not say.",
    ],
)
def test_a_whole_sentence_is_not_changed_by_the_question(answer: str) -> None:
    (claim,) = split_claims(answer, question="What is it?").claims
    assert claim.model_text == answer


def test_yes_before_a_sentence_is_a_claim_of_its_own() -> None:
    found = split_claims("No. Pro costs $25.", question="Is Pro free?").claims
    assert [claim.model_text for claim in found] == ["Pro is not free.", "Pro costs $25."]


def test_a_remark_is_not_a_question() -> None:
    assert split_claims("Gardening", question="I like my garden.").claims == ()

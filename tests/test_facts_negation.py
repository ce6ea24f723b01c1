"""Opposites said in the same words; paraphrases and partial denials are left to the model."""

from __future__ import annotations

import pytest

from longtracer.engine.facts import negation_mismatch

OPPOSITES = [
    ("Sale items can be returned.", "Sale items cannot be returned."),
    ("Sale items can't be returned.", "Sale items can be returned."),
    ("Refunds are available after 30 days.", "Refunds are not available after 30 days."),
    ("The plan comes with insurance.", "The plan comes without insurance."),
    ("There is a fee for transfers.", "There is no fee for transfers."),
    ("No pets are allowed in rooms.", "Pets are allowed in rooms."),
    ("The museum is never open on Sundays.", "The museum is open on Sundays."),
    ("The warranty doesn’t cover water damage.", "The warranty covers water damage."),
    ("The device fails to start in the cold.", "The device starts in the cold."),
    ("He was unable to open the door.", "He was able to open the door."),
    ("The contract is no longer valid.", "The contract is valid."),
    ("You may return it here.", "You may not return it here."),
]


@pytest.mark.parametrize(("claim", "sentence"), OPPOSITES)
def test_denial_in_the_same_words(claim: str, sentence: str) -> None:
    assert negation_mismatch(claim, sentence)


@pytest.mark.parametrize(("claim", "sentence"), OPPOSITES)
def test_it_holds_both_ways(claim: str, sentence: str) -> None:
    assert negation_mismatch(sentence, claim)


@pytest.mark.parametrize("sentences", OPPOSITES)
@pytest.mark.parametrize("side", [0, 1])
def test_a_sentence_does_not_deny_itself(sentences: tuple[str, str], side: int) -> None:
    assert not negation_mismatch(sentences[side], sentences[side])


def test_a_clause_of_the_sentence_is_enough() -> None:
    sentence = "Our policy: sale items cannot be returned, but they can be exchanged."
    assert negation_mismatch("Sale items can be returned.", sentence)


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("You may not send back sale goods.", "Sale items cannot be returned."),
        ("Sale items can be returned.", "Sale items cannot be returned without a receipt."),
        ("Sale items can be returned.", "Unless they are damaged, sale items cannot be returned."),
        ("The drug may help patients.", "The drug may not help patients."),
        ("Not only dogs are allowed in rooms.", "Dogs are allowed in rooms."),
        ("No fewer than 3 guests came to dinner.", "3 guests came to dinner."),
        ("He isn't in the office today.", "He is not in the office today."),
        ("It is not true that he did not pay the bill.", "He did not pay the bill."),
        ("The jury says whether he is guilty.", "The jury says whether he is guilty or not."),
        ("I did not kill my friend.", "You killed my friend."),
        ("Cats are not allowed in rooms.", "Dogs are allowed in rooms."),
        ("It is not.", "It is."),
        ("", ""),
    ],
)
def test_no_plain_denial(claim: str, sentence: str) -> None:
    assert not negation_mismatch(claim, sentence)

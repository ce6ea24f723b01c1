"""What a comparison word by word says: plain statements, unstated words and names, restated quantities."""

from __future__ import annotations

import pytest

from longtracer.engine.corpus import read_corpus
from longtracer.engine.limits import Limits
from longtracer.engine.request import read_request
from longtracer.engine.sources import read_sources
from longtracer.engine.statements import is_polar, plain_statements, without_opener
from longtracer.engine.text.claims import SkipReason, split_claims
from longtracer.engine.wording import DocumentWords, content_words, denies, name_words, restates, unstated_share


@pytest.mark.parametrize(
    ("said", "stated"),
    [
        ("Yeah, I think the lake is deep.", "The lake is deep."),
        ("i'm not sure, but i do know that the lake is deep", "the lake is deep"),
        ("That's true, it was popular.", "It was popular."),
        ("No, the ticket is not refundable.", "The ticket is not refundable."),
        ("yes and many shades are named after plants", "many shades are named after plants"),
    ],
)
def test_agreement_and_hedges_are_taken_off(said, stated):
    assert without_opener(said) == stated


@pytest.mark.parametrize(
    "said",
    [
        "No one knows the lake.",
        "Right angles have 90 degrees.",
        "I do not think the lake is deep.",
        "Well water is safe.",
        "Great Britain is an island.",
        "I think so.",
    ],
)
def test_words_that_belong_to_the_statement_stay(said):
    assert without_opener(said) == said


@pytest.mark.parametrize("agreement", ["That's cool!", "I agree with you.", "Yes, I totally agree."])
def test_mere_agreement_is_skipped_with_a_reason(agreement):
    found = plain_statements(split_claims(f"{agreement} The lake is deep."))
    assert [claim.text for claim in found.claims] == ["The lake is deep."]
    assert SkipReason.NOT_A_CLAIM in {span.reason for span in found.skipped}


@pytest.mark.parametrize("said", ["That's cool water.", "I agree with you on Mondays.", "I agree that it rained."])
def test_a_statement_that_only_begins_like_agreement_is_a_claim(said):
    found = plain_statements(split_claims(f"{said} The lake is deep."))
    assert len(found.claims) == 2


def test_offsets_stay_those_of_the_answer():
    answer = "Sure. Yeah, I think the lake is deep."
    (claim,) = plain_statements(split_claims(answer)).claims
    assert answer[claim.start : claim.end] == claim.text


@pytest.mark.parametrize(("answer", "polar"), [("Yes.", True), ("no", True), ("Norway.", False), ("42 km", False)])
def test_a_bare_yes_or_no(answer, polar):
    assert is_polar(answer) is polar


def words_of_documents(*texts):
    corpus = read_corpus(read_sources(read_request("x", list(texts))), Limits())
    return corpus, DocumentWords(corpus)


def test_a_word_anywhere_in_the_document_of_a_sentence_is_stated():
    _, words = words_of_documents("Acme is a firm. It was founded in Oslo.")
    assert unstated_share(content_words("Acme was founded in Oslo."), words.of([1])) == 0


def test_a_word_of_another_document_is_not_stated():
    _, words = words_of_documents("It was founded in Oslo.", "Acme is a firm.")
    assert unstated_share(content_words("Acme was founded in Oslo."), words.of([0])) == pytest.approx(1 / 3)


@pytest.mark.parametrize(("claim", "share"), [("popularity", 0.0), ("popular", 0.0), ("popcorn", 1.0)])
def test_forms_of_a_word_count_as_the_word(claim, share):
    _, words = words_of_documents("The popularity grew.")
    assert unstated_share(content_words(claim), words.of([0])) == share


def test_a_claim_without_content_has_nothing_unstated():
    assert unstated_share((), frozenset()) == 0


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("The office is in Oslo.", ["oslo"]),
        ("Offices are in many towns.", []),
        ("Anna Berg founded it.", ["anna", "berg"]),
        ("It rained. Then Bergen won in 1999.", ["berge"]),
    ],
)
def test_names_are_capitalised_inside_a_sentence(text, names):
    assert list(name_words(text)) == names


@pytest.mark.parametrize(
    ("claim", "sentence", "same"),
    [
        ("It opened on 3 May 1999, 12 km away.", "It opened on May 3, 1999, twelve kilometres away.", True),
        ("It opened on 4 May 1999, 12 km away.", "It opened on May 3, 1999, twelve kilometres away.", False),
        ("It rose from 5 to 10 points.", "It rose from 10 to 5 points.", False),
        ("It has 1,500 seats.", "It has 1500 seats.", True),
        ("It has 1,500 seats.", "It had no 1500 seats.", False),
        ("It has 1,500 seats.", "It has 1500 seats?", False),
        ("It has seats.", "It has seats.", False),
        ("Section 3 covers 12 cases.", "Section 4 covers twelve cases.", False),
        ("You get 10 sick days a year.", "You get ten sick days a year.", True),
        ("You get 10 sick days a year.", "You get ten vacation days a year.", False),
        ("You get 10 paid days.", "You get ten unpaid days.", False),
        ("Refunds take 5 business days.", "Refunds take five working days.", True),
        ("Refunds take 5 days.", "Refunds take 5 business days.", False),
        ("Refunds take 5 calendar days.", "Refunds take 5 business days.", False),
        ("It costs $25.", "It costs C$25.", True),
        ("It costs 25 Canadian dollars.", "It costs C$25.", True),
        ("It costs C$25.", "It costs US$25.", False),
        ("It costs 500 kr.", "It costs 500 DKK.", True),
        ("It costs 500 SEK.", "It costs 500 DKK.", False),
        ("Arsenal won 3-1.", "Arsenal won 3–1.", True),
        ("Arsenal won 3-1.", "Arsenal won 1-3.", False),
        ("C++ 17 has 5 new features.", "C++ 17 has five new features.", True),
        ("C++ 17 has 5 new features.", "C 17 has five new features.", False),
        ("It is rated A+ by 5 labs.", "It is rated A+ by five labs.", True),
        ("It is rated A+ by 5 labs.", "It is rated A by five labs.", False),
        ("It is rated A- by 5 labs.", "It is rated A by five labs.", False),
        ("It leaves at half past seven.", "It leaves at 7:30.", True),
        ("It leaves at half past six.", "It leaves at 7:30.", False),
        ("It takes 2h 30m.", "It takes 150 minutes.", True),
        ("It takes 2h 30m.", "It takes 160 minutes.", False),
        ("It is 20 degrees.", "It is 20 °C.", True),
        ("It is 20 °C.", "It is 20 degrees.", False),
        ("It costs €5,000.", "It costs 5,000 euros.", True),
        ("It costs 5 euros.", "It costs €5.000.", False),
        ("He came 3rd of 9.", "He came third of nine.", True),
        ("He came second of 9.", "He came third of nine.", False),
        ("Take it twice daily.", "Take it two times daily.", True),
        ("Take it once daily.", "Take it two times daily.", False),
    ],
)
def test_quantities_written_differently(claim, sentence, same):
    assert restates(claim, sentence) is same


@pytest.mark.parametrize(
    ("claim", "sentence", "denied"),
    [
        ("Sale items can be returned.", "Sale items cannot be returned.", True),
        ("Sale items can be returned.", "Sale items can be returned.", False),
        ("The firm was founded in Oslo by Anna.", "The firm was founded in Bergen by Anna.", True),
        ("It rose from 5% to 8%.", "It rose from 8% to 5%.", True),
        ("It rose from 5% to 8%.", "It rose from five percent to 8%.", False),
    ],
)
def test_one_negation_name_or_moved_value_more(claim, sentence, denied):
    assert denies(claim, sentence) is denied

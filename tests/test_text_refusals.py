"""Refusals are recognised by what the whole sentence says, not by a phrase in it."""

from __future__ import annotations

import pytest

from longtracer.engine.text.claims import ClaimKind, split_claims
from longtracer.engine.text.refusals import fact_after_refusal, is_refusal

REFUSALS = [
    "Therefore, it is not possible to provide a precise time from the information given.",
    "It is impossible to say from these documents.",
    "I don't know.",
    "I do not know the answer to that question.",
    "IDK.",
    "idk, sorry",
    "No idea.",
    "Unknown.",
    "I'm not sure.",
    "I am not certain about that.",
    "I'm unsure whether it ships to Norway.",
    "I can't answer that.",
    "I cannot answer this question based on the provided context.",
    "I can't see the image you mention.",
    "I could not find the price in the documents.",
    "I couldn’t find any information about parking.",
    "I was unable to find anything on this topic.",
    "I am unable to determine the opening hours.",
    "I wasn't able to locate the warranty terms.",
    "I have no information about that.",
    "I don't have enough information to answer.",
    "I do not have access to that file.",
    "We do not have sufficient information to answer this question.",
    "I haven't found anything about it.",
    "I found no mention of a discount.",
    "I found nothing about refunds in the files.",
    "I see no reference to a CEO in the text.",
    "I lack the information needed to answer.",
    "I'm sorry, but I can't help with that.",
    "Sorry, I don't know.",
    "Sorry, the documents don't say.",
    "Unfortunately, there is no information about parking in the documents.",
    "Unfortunately, I do not know when it opens.",
    "Regrettably, the provided sources do not cover this topic.",
    "Based on the context, I cannot determine who wrote it.",
    "Based on the provided documents, there is no information about the price.",
    "From the information given, it is not possible to tell the price.",
    "According to the provided text, the date is not specified.",
    "Given the available context, I am unable to say.",
    "The provided documents do not contain information about the merger.",
    "The documents do not mention a release date.",
    "The context doesn't say.",
    "The context does not provide enough details to answer this.",
    "The sources are silent on this point.",
    "The text says nothing about the price.",
    "The passage gives no date.",
    "The retrieved passages do not answer the question.",
    "The documents you provided don't include that.",
    "The information provided does not specify the fee.",
    "The context provided is insufficient to answer the question.",
    "None of the provided files relate to that.",
    "None of the documents mention the budget.",
    "None of the sources answers this question.",
    "Nothing in the documents mentions a fee.",
    "There is no information about the CEO in the context.",
    "There is no mention of a discount.",
    "There are no details on the fee in the provided text.",
    "There isn't enough information to answer.",
    "There is not enough context to say.",
    "No information about the price is available in the documents.",
    "No relevant documents were found.",
    "No mention of the price was found.",
    "The price is not mentioned in the documents.",
    "The date isn't specified in the provided context.",
    "The answer is not in the context.",
    "The answer cannot be found in the provided documents.",
    "That information is not available.",
    "This information is not provided in the sources.",
    "It is not clear from the documents whether he resigned.",
    "It is unclear from the text when it opened.",
    "It cannot be determined from the given context.",
    "Not specified in the documents.",
    "Not enough information.",
    "Insufficient information to answer.",
    "As an AI language model, I cannot browse the internet.",
    "I'm afraid I can't tell you that.",
    "I apologize, but I do not have that information.",
    "However, the documents do not specify the exact date.",
    "Cannot determine from the context.",
    "Unable to answer from the given documents.",
    "After reviewing the documents, I could not find an answer.",
    "I don't know, but you can contact support.",
    "I could not find the fee, so please check with the vendor.",
    "I cannot provide that information.",
    "I'm not aware of any such plan.",
    "The documents do not discuss pricing, so I cannot answer.",
    "It's not stated in the text.",
    "My sources don't cover this.",
    "I can’t tell from these excerpts.",
    "The question cannot be answered from the documents.",
    "I do not have any data on sales in 2021.",
    "I don't know what happened.",
    "I'm not sure, but I can look it up for you.",
    "I don't know what color the arena locker room is.",
    "Honestly, I don't know.",
    "I am not really sure.",
    "Unfortunately, more specific steps are not mentioned in the passages.",
    "However, the properties of the particles aren't detailed within these passages.",
    "The manual you uploaded does not mention a warranty.",
    "There is nothing about a fee in the documents.",
    "The retrieved excerpts contain no information on this.",
    "I have no way of knowing that.",
    "I'm unable to view attachments.",
    "Sorry, no idea.",
    "We could not determine the answer from the sources.",
    "I am not able to answer this from the given passages.",
    "Your documents do not say who signed it.",
    "Regarding the fee, the documents do not say.",
    "I do not see any reference to Oslo in the text.",
]

CLAIMS = [
    "It is not possible to provide a refund after 30 days.",
    "Profits tripled last year, something not mentioned in the summary.",
    "The part is not available in red.",
    "I could not find a cheaper plan, but Pro costs $99.",
    "The company does not provide refunds.",
    "We do not provide refunds.",
    "We do not offer discounts.",
    "We don't have a store in Oslo.",
    "The store is not open on Sundays.",
    "There is no fee.",
    "There is no elevator in the building.",
    "There is no evidence that coffee causes cancer.",
    "There is no doubt that Pro costs $99.",
    "There are no refunds after 30 days.",
    "No refunds are given after 30 days.",
    "No one was injured in the fire.",
    "None of the plans include SSO.",
    "None of the employees resigned.",
    "Nothing was stolen.",
    "The report was not published in 2019.",
    "The contract does not include maintenance.",
    "The plan does not include support.",
    "The policy does not cover water damage.",
    "The data do not support the hypothesis.",
    "The results did not show a significant effect.",
    "He did not know the answer.",
    "She said that she could not find the file.",
    "The scientists do not know why the bees died.",
    "The police could not determine the cause of the fire.",
    "The witness was unable to identify the man.",
    "Users cannot access the file after 30 days.",
    "You cannot open the file without a password.",
    "Customers cannot see the price before they log in.",
    "The author is unknown.",
    "The cause of the disease is unknown.",
    "It is not clear why Rome fell.",
    "The system does not know the user's location.",
    "The documents were not signed.",
    "The documents do not need to be notarised.",
    "The document is not valid after 2020.",
    "The source of the Nile is in Burundi.",
    "The sources of the river are not in Kenya.",
    "The context window is not larger than 8k tokens.",
    "The text was not written by Homer.",
    "The documents state that Pro costs $25.",
    "The documents mention that there is no fee.",
    "I don't know about the weather, but the tower is 300 m tall.",
    "I don't know, the company never offered refunds.",
    "The documents do not mention Basic; Pro costs $99.",
    "The documents do not mention a fee because it is free.",
    "The documents do not mention anything except that Pro costs $99.",
    "The documents do not only mention SSO, they require it.",
    "I'm sorry, but the tower is 300 m tall.",
    "Sorry, we closed in 2019.",
    "Sorry, the store is closed.",
    "Unfortunately, the bridge collapsed in 1940.",
    "Unfortunately, Pro costs $99.",
    "Based on the context, Pro costs $99.",
    "Based on the documents, the company does not provide refunds.",
    "According to the documents, there is no fee.",
    "I can't help but notice that Pro costs $99.",
    "Sales were not reported in 2020.",
    "The feature is not available in Europe.",
    "The manual override is not included.",
    "The information desk is not open on Mondays.",
    "Not all plans include SSO.",
    "Not a single person was hurt.",
    "It is not true that Pro is free.",
    "No, Pro is not free.",
    "No, the documents are not public.",
    "The API does not provide pagination.",
    "The law does not mention an age limit.",
    "The summary does not do the book justice.",
    "Unknown to the king, the army had left.",
    "The files are not encrypted.",
    "The missing documents were found in Berlin.",
    "No documents are needed for the visa.",
    "No context switch is needed.",
    "The price is not included in the ticket.",
    "He can't see without glasses.",
    "I do not eat meat.",
    "I can see Russia from my house.",
    "The experts are not sure whether it works.",
    "i am not sure but i do know that it was ranked number 7 in 2008",
    "I'm not sure, but it is in Norway.",
    "I did not know that archery was the practice of using a bow.",
    "I don't know, I would say he held the whole of Persia.",
    "I am not sure but divorce laws vary considerably around the world.",
    "I had no idea that skiing is 5000 years old!",
    "I do not know much about it other than it is a skill of using a bow.",
    "I am not sure, but the tower was sold.",
    "The documents don't mention the fee, however Pro includes SSO.",
    "I cannot find the fee; it was 20 dollars last year.",
    "I can't say who, but somebody emerged as the winner.",
    "I can confirm that no refunds are offered.",
    "The museum has no information desk.",
    "The device lacks a battery.",
    "The article was not well received.",
    "Our documents show that sales fell.",
    "The source code is not available.",
    "There is not enough water in the lake.",
    "It is impossible to open the door without a key.",
    "No data is sent to the server.",
    "The evidence does not support his claim.",
]


@pytest.mark.parametrize("sentence", REFUSALS)
def test_a_refusal_is_recognised(sentence: str) -> None:
    assert is_refusal(sentence)


@pytest.mark.parametrize("sentence", CLAIMS)
def test_a_statement_with_words_of_a_refusal_is_a_claim(sentence: str) -> None:
    assert not is_refusal(sentence)


@pytest.mark.parametrize("sentence", REFUSALS)
def test_a_refusal_is_the_only_claim_of_its_answer(sentence: str) -> None:
    assert [claim.kind for claim in split_claims(sentence).claims] == [ClaimKind.REFUSAL]


@pytest.mark.parametrize("sentence", CLAIMS)
def test_an_answer_with_a_statement_has_a_claim_to_judge(sentence: str) -> None:
    assert any(claim.kind is not ClaimKind.REFUSAL for claim in split_claims(sentence).claims)


@pytest.mark.parametrize(
    ("sentence", "fact"),
    [
        ("I could not find a cheaper plan, but Pro costs $99.", "Pro costs $99."),
        ("The documents do not mention Basic; Pro costs $99.", "Pro costs $99."),
        ("I am not sure but divorce laws vary a lot.", "divorce laws vary a lot."),
        ("I don't know, the company never offered refunds.", "the company never offered refunds."),
    ],
)
def test_the_fact_after_a_refusal_is_found(sentence: str, fact: str) -> None:
    turn = fact_after_refusal(sentence)
    assert turn is not None
    assert sentence[turn.end :] == fact


@pytest.mark.parametrize("sentence", ["I don't know.", "I don't know, but you can ask support.", "Pro costs $99."])
def test_no_fact_is_found_where_none_follows(sentence: str) -> None:
    assert fact_after_refusal(sentence) is None


@pytest.mark.parametrize("apostrophe", ["'", "’"])
def test_both_apostrophes_are_read(apostrophe: str) -> None:
    assert is_refusal(f"I don{apostrophe}t know.")


def test_an_answer_of_several_refusals_has_nothing_to_judge() -> None:
    answer = "I'm sorry. The documents do not mention the fee. I cannot answer this question."
    assert {claim.kind for claim in split_claims(answer).claims} == {ClaimKind.REFUSAL}


@pytest.mark.parametrize(
    ("sentence", "fact", "twin"),
    [
        (
            "The documents do not mention the fee, which is $99.",
            "The fee is $99.",
            "The documents do not mention the fee, which is needed.",
        ),
        (
            "I do not know the price of the plan, which was cut.",
            "The price of the plan was cut.",
            "I do not know the price of the plan, which means that I cannot answer.",
        ),
        (
            "The documents do not mention refunds, which are available for 90 days.",
            "Refunds are available for 90 days.",
            "The documents do not mention refunds, which are not mentioned in the files.",
        ),
        (
            "The documents do not mention the CEO, who left in 2019.",
            "The CEO left in 2019.",
            "The documents do not mention the CEO, who you asked about.",
        ),
        (
            "I cannot provide that information (refunds are available for 90 days).",
            "refunds are available for 90 days.",
            "I cannot provide that information (as refunds are not covered).",
        ),
        ("I could not find the fee ($99).", "The fee: $99.", "I could not find the fee (page 99)."),
        (
            "The sources don't mention a price other than $99.",
            "The price: $99.",
            "The sources don't mention a price other than that.",
        ),
        (
            "I don't know if you can get a refund, so you should assume yes.",
            "you should assume yes.",
            "I don't know if you can get a refund, so you should ask us.",
        ),
        (
            "I do not know the fee, but you need to pay $99.",
            "you need to pay $99.",
            "I do not know the fee, but you need to check it.",
        ),
        ("I do not know the fee—it is $99.", "it is $99.", "I do not know the fee—sorry about that."),
        ("I don't know, but $99.", "$99.", "I don't know the answer to question No. 99."),
    ],
)
def test_a_fact_that_leans_on_a_refusal_is_judged(sentence: str, fact: str, twin: str) -> None:
    refusal, found = split_claims(sentence).claims
    assert (refusal.kind, found.model_text) == (ClaimKind.REFUSAL, fact)
    assert sentence[found.start : found.end] == found.text
    assert [claim.kind for claim in split_claims(twin).claims] == [ClaimKind.REFUSAL]

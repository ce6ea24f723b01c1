"""Which claims an answer makes: one table per kind of text, each row a text and its claims as models read them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from longtracer.engine.text.claims import Claim, ClaimKind, SkipReason, split_claims


def read(response: str, question: str | None = None) -> list[str]:
    """The claims of a response as models read them."""
    return [claim.model_text for claim in split_claims(response, question=question).claims]


def skipped(response: str, question: str | None = None) -> dict[str, SkipReason]:
    """The skipped texts of a response that are not white space, with their reasons."""
    spans = split_claims(response, question=question).skipped
    return {response[s.start : s.end].strip(): s.reason for s in spans if s.reason is not SkipReason.WHITESPACE}


def only(response: str) -> Claim:
    """The one claim of a response."""
    (claim,) = split_claims(response).claims
    return claim


ONE_SENTENCE = [
    "Okoro et al. [2019] measured 14 lakes.",  # U1
    "The fine was £1.6m in total.",  # U3
    "The Ph.D.'s thesis covers bees.",  # U4
    "The M.D.: a doctor of medicine.",
    "The first match was on 15 Jan 1967",  # U15
    "Smith et al. [2004] found three new species.",
    "See Fig. 3 for details of the growth.",
    "The U.S. economy grew by 2.5% in Q3.",
    "Mr. Smith met Dr. Jones at St. Mary's.",
    "J. R. R. Tolkien wrote it.",
    "Use a mirror, e.g. the one in Oslo, i.e. the nearest.",
    "Version v1.2.3 fixes the bug.",
    "It costs approx. 5 euros vs. 6 euros before.",
    "Approx. 5 people came.",
    "It is the highest level since Jan. 18.",
    "Acme Inc. employs 40 people.",
    "The shop closes at 5 p.m. on Sundays.",
    "The meeting is at 5 p.m. Monday.",
    "Wait...what a surprise that was.",
    "The pH is 7.4 and the ratio 3:1.",
    "Art. 5 Abs. 2 applies here.",
    "No. 5 is alive.",
    "The domain is example.com and the file is a.txt.",
    "He said “It works.” and left.",
    "The team (founded in 1999, cf. p. 12) is small.",
    "She asked [in a letter whether it was true.",  # an unclosed bracket
    "It is 5 * 3 * 2 and snake_case_name is not x_y.",
    "2**3 is 8.",
    "The value lies in [1, 2].",
    "a[0] is less than b[1].",
    "Literal <DECIMAL> stays in the answer.",
    "Prices rose -- by 3% -- in May.",
    "Costs: $20 - $30 in total.",
    "Yahoo! is a company.",
    "📈 Sales rose by 3%.",
    "John F. Kennedy was shot.",
    "Harry S. Truman met J. Edgar Hoover.",
    "The U.S. Army is big.",
    "The book by J. Smith is good.",
    "In 1999 J. K. Rowling wrote it.",
    "We use J. Smith's method.",
    "On page 4 B. Smith wrote it.",
]


@pytest.mark.parametrize("sentence", ONE_SENTENCE)
def test_one_sentence_is_one_claim_with_its_whole_text(sentence: str) -> None:
    assert only(sentence).text == sentence


@pytest.mark.parametrize("sentence", ONE_SENTENCE)
def test_one_sentence_is_read_as_it_stands(sentence: str) -> None:
    assert only(sentence).model_text == sentence


@pytest.mark.parametrize(
    ("response", "claims"),
    [
        ("1) It is red. 2) It is red.", ["It is red.", "It is red."]),  # U6
        ("(a) It is red. (b) It is blue.", ["It is red.", "It is blue."]),
        ("1. It is red. 2. It is blue.", ["It is red.", "It is blue."]),
        ("A. It is red. B. It is blue.", ["It is red.", "It is blue."]),
        (
            "Sales rose -- a record. Costs fell 3%. Staff doubled.",  # U9
            ["Sales rose -- a record.", "Costs fell 3%.", "Staff doubled."],
        ),
        ("😀 Fee is 5. Cap is 9.", ["😀 Fee is 5.", "Cap is 9."]),  # U22
        ("东京是日本的首都。人口是一百万。", ["东京是日本的首都。", "人口是一百万。"]),  # U14
        ("東京は首都です！人口は1400万人です。", ["東京は首都です！", "人口は1400万人です。"]),
        ("यह लाल है। वह नीला है।", ["यह लाल है।", "वह नीला है।"]),
        ("The U.S. economy grew. See Fig. 3 for it.", ["The U.S. economy grew.", "See Fig. 3 for it."]),
        ('"It works," he said. Then he left.', ['"It works," he said.', "Then he left."]),
        ("He said “It works.” Then he left.", ["He said “It works.”", "Then he left."]),
        ("(It is red.) It is blue.", ["(It is red.)", "It is blue."]),
        ("It closed on Sept. 3. It opened on Oct. 5.", ["It closed on Sept. 3.", "It opened on Oct. 5."]),
        ("They met in Nov. 12. Items were listed.", ["They met in Nov. 12.", "Items were listed."]),
        ("It is long… The end is near.", ["It is long…", "The end is near."]),
        ("It is long... The end is near.", ["It is long...", "The end is near."]),
        ("it is red. i like it. it is blue.", ["it is red.", "i like it.", "it is blue."]),
        ("It ended in 1999. 42 people came.", ["It ended in 1999.", "42 people came."]),
        ("It is in the U.S. It is big.", ["It is in the U.S.", "It is big."]),
        ("It closes at 6 p.m. Then we go.", ["It closes at 6 p.m.", "Then we go."]),
        ("Use `pip install x`. Then run `x.y --all`.", ["Use pip install x.", "Then run x.y --all."]),
        ("See https://a.b/c.d?e. It is long.", ["See https://a.b/c.d?e.", "It is long."]),
        ("Prices rose 5%.Costs fell a bit.", ["Prices rose 5%.", "Costs fell a bit."]),
        ("It is red! It is blue!! It is green.", ["It is red!", "It is blue!!", "It is green."]),
        *(
            (f"The value is 4 {unit}. It is sold in Norway.", [f"The value is 4 {unit}.", "It is sold in Norway."])
            for unit in ("g", "m", "l", "s", "h", "t", "k", "kg", "V")
        ),
        ("It is 4g. Norway buys it.", ["It is 4g.", "Norway buys it."]),
        ("Use option A. Option B is slower.", ["Use option A.", "Option B is slower."]),
        ("Choose B. Option A is slower.", ["Choose B.", "Option A is slower."]),
        ("Use C. Python is slower.", ["Use C.", "Python is slower."]),
    ],
)
def test_sentences_are_split(response: str, claims: list[str]) -> None:
    assert read(response) == claims


def test_the_second_of_two_equal_items_has_its_own_offsets() -> None:  # U6
    first, second = split_claims("1) It is red. 2) It is red.").claims
    assert second.start > first.end


def test_an_emoji_counts_as_one_code_point() -> None:  # U22
    response = "😀 Fee is 5. Cap is 9."
    assert [(claim.start, claim.end) for claim in split_claims(response).claims] == [(0, 11), (12, 21)]


@pytest.mark.parametrize(
    ("response", "claims"),
    [
        ("The tower was\nfinished in 1889.", ["The tower was finished in 1889."]),  # U13
        ("The tower was finished by\nGustave Eiffel in 1889.", ["The tower was finished by Gustave Eiffel in 1889."]),
        ("The develop-\nment took a year.", ["The development took a year."]),
        ("The state-of-the-\nart tower is new.", ["The state-of-the-art tower is new."]),
        ("The tower was\r\nfinished in 1889.", ["The tower was finished in 1889."]),
        ("The tower was\u2028finished in 1889.", ["The tower was finished in 1889."]),
        ("Basic costs $10\nPro costs $20", ["Basic costs $10", "Pro costs $20"]),
        ("Plan: Pro\nPrice: $25", ["Plan: Pro", "Price: $25"]),
        ("Line one is here  \nLine two is there", ["Line one is here", "Line two is there"]),
        ("Pro costs $25<br>Basic is free", ["Pro costs $25", "Basic is free"]),
        (
            "The company was founded in the year 1999 in the city of\n"
            "Oslo by three engineers from Bergen who had met at their\nuniversity.",
            [
                "The company was founded in the year 1999 in the city of Oslo by three engineers from Bergen who"
                " had met at their university."
            ],
        ),
        ("    Pro costs $25.\n    Basic is free.", ["Pro costs $25.", "Basic is free."]),
        ("\tPro costs $25.", ["Pro costs $25."]),
    ],
)
def test_line_ends_join_a_wrapped_sentence_and_part_lines_that_were_meant(response: str, claims: list[str]) -> None:
    assert read(response) == claims


def test_a_wrapped_sentence_keeps_its_offsets() -> None:  # U13
    claim = only("The tower was\nfinished in 1889.")
    assert (claim.start, claim.end) == (0, 31)


@pytest.mark.parametrize(
    ("response", "claims"),
    [
        ("Specs:\n\n1. Diameter is 38 mm.\n2. Weight is 26 g.", ["Diameter is 38 mm.", "Weight is 26 g."]),  # U10
        ("Plans:\n- Basic costs $10\n- Pro costs $20", ["Basic costs $10", "Pro costs $20"]),  # U11
        ("* Basic costs $10\n* Pro costs $20", ["Basic costs $10", "Pro costs $20"]),
        ("• Basic costs $10\n• Pro costs $20", ["Basic costs $10", "Pro costs $20"]),
        ("– Basic costs $10\n– Pro costs $20", ["Basic costs $10", "Pro costs $20"]),
        ("- Pro costs $20\n  - It includes SSO", ["Pro costs $20", "It includes SSO"]),
        (
            "1. Pro costs $20.\n   It includes SSO.\n2. Basic is free.",
            ["Pro costs $20.", "It includes SSO.", "Basic is free."],
        ),
        ("i. It is red.\nii. It is blue.", ["It is red.", "It is blue."]),
        ("a) It is red\nb) It is blue", ["It is red", "It is blue"]),
        ("① It is red\n② It is blue", ["It is red", "It is blue"]),
        ("1889. It was tall then.", ["1889.", "It was tall then."]),
        ("- Pro costs $20\n\n  It is billed monthly.", ["Pro costs $20", "It is billed monthly."]),
    ],
)
def test_list_items_are_claims_without_their_markers(response: str, claims: list[str]) -> None:
    assert [text for text in read(response) if text != "1889."] == [text for text in claims if text != "1889."]


@pytest.mark.parametrize(
    ("response", "claims"),
    [
        ("The plan includes:\n- SSO\n- Audit logs", ["The plan includes SSO", "The plan includes Audit logs"]),
        ("The plan includes:\n- SSO\n\nIt costs $5.", ["The plan includes SSO", "It costs $5."]),
        ("Plans:\n- Pro\n- Basic", ["Plans: Pro", "Plans: Basic"]),
        ("- Pro:\n  - Single sign-on\n  - $25", ["Pro: Single sign-on", "Pro: $25"]),
        ("The plan includes:\n- It is fast", ["It is fast"]),
        ("The fee is:\n\n**$25**", ["The fee is $25"]),
        ("The fee is:\n\n$25\n\nFree trial", ["The fee is $25", "Free trial"]),
        ("The fee is:\n\nIt depends on the plan.", ["It depends on the plan."]),
        (
            "There are two plans:\n- Pro\n- Basic",
            ["There are two plans.", "There are two plans: Pro", "There are two plans: Basic"],
        ),
    ],
)
def test_a_fragment_is_completed_by_its_lead_in(response: str, claims: list[str]) -> None:
    assert read(response) == claims


@pytest.mark.parametrize(
    ("response", "claims"),
    [
        ("| Plan | Price |\n|---|---|\n| Pro | $25 |", ["Plan: Pro; Price: $25"]),  # U20
        ("| Plan | Price |\n|:--|--:|\n| **Pro** | `$25` |", ["Plan: Pro; Price: $25"]),
        ("| Plan | Price |\n|---|---|\n| A \\| B | $25 |", ["Plan: A | B; Price: $25"]),
        ("| | Pro |\n|---|---|\n| Price | $25 |", ["Price; Pro: $25"]),
        ("Plan | Price\n---|---\nPro | $25", ["Plan: Pro; Price: $25"]),
        ("| Pro | $25 |\n| Basic | $10 |", ["Pro; $25", "Basic; $10"]),
        ("| Plan | Price |\n|---|---|\n| Pro | $25 |\nPro is good.", ["Plan: Pro; Price: $25", "Pro is good."]),
        ("> | Plan | Price |\n> |---|---|\n> | Pro | $25 |", ["Plan: Pro; Price: $25"]),
    ],
)
def test_a_table_row_carries_its_header(response: str, claims: list[str]) -> None:
    assert read(response) == claims


def test_a_table_row_has_the_offsets_of_its_line() -> None:  # U20
    response = "| Plan | Price |\n|---|---|\n| Pro | $25 |"
    assert only(response).text == "| Pro | $25 |"


@pytest.mark.parametrize(
    ("response", "claims"),
    [
        ("**Pro costs $25. Basic is free.**", ["Pro costs $25.", "Basic is free."]),
        ("It is *very* **large** and `fast`.", ["It is very large and fast."]),
        ("The [Pro plan](https://a.b/c) costs $25.", ["The Pro plan costs $25."]),
        ('The [Pro plan](https://a.b/c "t") and [Basic](/x) are new.', ["The Pro plan and Basic are new."]),
        ("<b>Pro</b> costs <i>$25</i>.", ["Pro costs $25."]),
        ("<table><tr><td>Pro</td><td>$25</td></tr></table>", ["Pro $25"]),
        ("<p>Pro costs $25.</p><ul><li>SSO is included</li></ul>", ["Pro costs $25.", "SSO is included"]),
        ("Fish &amp; chips cost \\$5.", ["Fish & chips cost $5."]),
        ("~~Pro costs $20.~~ Pro costs $25.", ["Pro costs $25."]),
        ("**Pro costs $25", ["Pro costs $25"]),
        ("It costs <!-- not $9 --> $25.", ["It costs $25."]),
        ("> Pro costs $25.\n> Basic is\n> free.", ["Pro costs $25.", "Basic is free."]),
        ("Pro\u200b costs\u00a0$25.", ["Pro costs $25."]),
        ("```markdown\nPro costs $25.\n```", ["Pro costs $25."]),
        ("***Pro*** costs __$25__ now.", ["Pro costs $25 now."]),
        ("这是**重点**内容。", ["这是重点内容。"]),
    ],
)
def test_markup_is_unwrapped_for_the_model(response: str, claims: list[str]) -> None:
    assert read(response) == claims


def test_markup_stays_in_the_text_of_the_claim() -> None:
    assert only("The [Pro plan](https://a.b/c) costs **$25**.").text == "The [Pro plan](https://a.b/c) costs **$25**."


@pytest.mark.parametrize(
    ("response", "claims", "numbers"),
    [
        (
            "Paris is in France.[1] Oslo is in Norway [7].",
            ["Paris is in France.", "Oslo is in Norway."],
            [(1,), (7,)],
        ),  # U46
        ("Paris is in France. [1] Oslo is in Norway. [2]", ["Paris is in France.", "Oslo is in Norway."], [(1,), (2,)]),
        ("[1] Paris is in France. [2] Oslo is in Norway.", ["Paris is in France.", "Oslo is in Norway."], [(1,), (2,)]),
        ("Paris is in France [1, 2].", ["Paris is in France."], [(1, 2)]),
        ("Paris is in France [1-3].", ["Paris is in France."], [(1, 2, 3)]),
        ("Paris is in France [1][3].", ["Paris is in France."], [(1,), (3,)]),
        ("Paris is in France.[^3]", ["Paris is in France."], [(3,)]),
        ("Paris is in France.【4†source】", ["Paris is in France."], [(4,)]),
        ("Paris is in France [Source 2].", ["Paris is in France."], [(2,)]),
        ("Paris is in France (Document 2).", ["Paris is in France."], [(2,)]),
        ("Paris is in France. (Source: Document 2)", ["Paris is in France."], [(2,)]),
        ("Paris is in France [[1]](https://a.b/c).", ["Paris is in France."], [(1,)]),
        ("Paris[1](https://a.b/c) is in France.", ["Paris is in France."], [(1,)]),
        (
            "- Paris is in France [1]\n- Oslo is in Norway [2]",
            ["Paris is in France", "Oslo is in Norway"],
            [(1,), (2,)],
        ),
    ],
)
def test_citation_markers_are_kept_beside_the_text(
    response: str, claims: list[str], numbers: list[tuple[int, ...]]
) -> None:
    found = split_claims(response).claims
    assert [claim.model_text for claim in found] == claims
    assert [citation.numbers for claim in found for citation in claim.citations] == numbers


def test_a_citation_marker_has_its_offsets_in_the_response() -> None:
    response = "> Paris is\n> in France [1]."
    (citation,) = only(response).citations
    assert response[citation.start : citation.end] == citation.text == "[1]"


def test_a_year_in_brackets_is_no_citation() -> None:
    assert only("Okoro et al. [2019] measured 14 lakes.").citations == ()


@pytest.mark.parametrize(
    ("response", "text", "reason"),
    [
        ("## Refunds\nRefunds take 5 days", "## Refunds", SkipReason.HEADING),  # U12
        ("Refunds\n=======\nRefunds take 5 days", "Refunds", SkipReason.HEADING),
        ("**Refunds**\nRefunds take 5 days", "**Refunds**", SkipReason.HEADING),
        ("```py\nx = 1\n```\nIt is red.", "```py\nx = 1\n```", SkipReason.CODE),
        ("https://a.b/c\n\nIt is red.", "https://a.b/c", SkipReason.URL),
        ("1. It is red.", "1.", SkipReason.LIST_MARKER),
        ("- It is red.", "-", SkipReason.LIST_MARKER),
        ("| Plan | Price |\n|---|---|\n| Pro | $25 |", "| Plan | Price |", SkipReason.TABLE_HEADER),  # U20
        ("| Plan | Price |\n|---|---|\n| Pro | $25 |", "|---|---|", SkipReason.TABLE_RULE),  # U20
        ("Specs:\n\n1. It is red.", "Specs:", SkipReason.LEAD_IN),  # U10
        ("The plan includes:\n- SSO", "The plan includes:", SkipReason.LEAD_IN),
        ("👍", "👍", SkipReason.TOO_SHORT),
        ("Yes.", "Yes.", SkipReason.TOO_SHORT),
        ("...", "...", SkipReason.PUNCTUATION),
        ("It is red.\n\nSource: Document 2", "Source: Document 2", SkipReason.CITATION),
        ("It is red.\n\nSources:\n- Smith (2020) says hello.", "Smith (2020) says hello.", SkipReason.CITATION),
        ("It is red.\n***\nIt is blue.", "***", SkipReason.MARKUP),
    ],
)
def test_what_is_no_claim_is_skipped_with_its_reason(response: str, text: str, reason: SkipReason) -> None:
    assert skipped(response)[text] is reason


@pytest.mark.parametrize(
    "response",
    [
        "Hello!",
        "Hello, Anna!",
        "Sure!",
        "Sure, here is the answer:",
        "Here are the plans:",
        "Great question!",
        "Thank you for asking!",
        "You're welcome!",
        "Would you like more details?",
        "What is your order number?",
        "Let me know if you need anything else.",
        "Please let me know if that helps!",
        "If you have any other questions, feel free to ask!",
        "I'd be happy to help with that.",
        "I hope this helps!",
        "Is there anything else I can do for you?",
        "Feel free to reach out.",
        "Have a great day!",
        "Best regards, Anna",
        "Dear customer,",
    ],
)
def test_small_talk_is_not_a_claim(response: str) -> None:
    assert read(response) == []
    assert SkipReason.NOT_A_CLAIM in skipped(response).values()


@pytest.mark.parametrize(
    ("response", "claims"),
    [
        ("Sure! Here is the answer: Pro costs $25.", ["Pro costs $25."]),
        ("Hello! Pro costs $25. Would you like more?", ["Pro costs $25."]),
        ("Sure, Pro costs $25.", ["Pro costs $25."]),
        ("Did you know that Pro costs $25?", ["Pro costs $25."]),
        ("Pro costs $25, right?", ["Pro costs $25."]),
        ("Pro costs $25 – would you like to know more?", ["Pro costs $25"]),
        ("According to the provided documents, Pro costs $25.", ["Pro costs $25."]),
        ("The context states that Pro costs $25.", ["Pro costs $25."]),
        ("Please note that Pro costs $25.", ["Pro costs $25."]),
        ("According to Reuters, Pro costs $25.", ["According to Reuters, Pro costs $25."]),
        ("Great Britain is an island.", ["Great Britain is an island."]),
        ("Hi-fi systems are loud.", ["Hi-fi systems are loud."]),
        ("Dear Zoe is a film of 2022.", ["Dear Zoe is a film of 2022."]),
        ("Sure Start is a programme of the UK.", ["Sure Start is a programme of the UK."]),
        ("Hello Kitty was created by Yuko Shimizu in 1974.", ["Hello Kitty was created by Yuko Shimizu in 1974."]),
        ("Here is where the treaty was signed in 1648.", ["Here is where the treaty was signed in 1648."]),
        ("# Paris is the capital of Italy.", ["Paris is the capital of Italy."]),
        ("Pro costs $25\n---\nBasic is free", ["Pro costs $25", "Basic is free"]),
        ("**Price:** $25 per month", ["Price: $25 per month"]),
        ("Thanks to its low price, Pro is popular.", ["Thanks to its low price, Pro is popular."]),
        ("Feel free to bring your dog.", ["Feel free to bring your dog."]),
        ("Let me know if you need help, the fee is five.", ["Let me know if you need help, the fee is five."]),
        ("Here is the price of Pro: $25.", ["Here is the price of Pro: $25."]),
        (
            "Acme lost the case for the following reasons:\n- Fraud",
            ["Acme lost the case for the following reasons.", "Acme lost the case for the following reasons: Fraud"],
        ),
        ("Anna resigned in disgrace:\n\nIt is red.", ["Anna resigned in disgrace.", "It is red."]),
        ("Pro costs $25 and offers:\n- SSO", ["Pro costs $25 and offers.", "Pro costs $25 and offers SSO"]),
        ("**Pro is cancelled**\nIt was sold.", ["Pro is cancelled", "It was sold."]),
        ("Sources:\n- Pro is cancelled.", ["Pro is cancelled."]),
        ("It is red.", ["It is red."]),
    ],
)
def test_a_statement_among_small_talk_is_judged(response: str, claims: list[str]) -> None:
    assert read(response) == claims


@pytest.mark.parametrize(
    ("response", "kind"),
    [
        ("It is red.", ClaimKind.SENTENCE),
        ("- It is red.", ClaimKind.LIST_ITEM),
        ("| a | b |\n|---|---|\n| 1 | 2 |", ClaimKind.TABLE_ROW),
        ("> It is red.", ClaimKind.BLOCK_QUOTE),
        ("I don't know.", ClaimKind.REFUSAL),
    ],
)
def test_a_claim_names_its_kind(response: str, kind: ClaimKind) -> None:
    assert only(response).kind is kind


def test_a_fact_after_a_refusal_is_a_claim_of_its_own() -> None:  # U51
    refusal, fact = split_claims("I could not find a cheaper plan, but Pro costs $99.").claims
    assert (refusal.text, refusal.kind) == ("I could not find a cheaper plan", ClaimKind.REFUSAL)
    assert (fact.text, fact.kind) == ("Pro costs $99.", ClaimKind.SENTENCE)


def test_claims_beyond_the_limit_are_skipped_visibly() -> None:
    segmentation = split_claims("It is red. It is blue. It is green.", max_claims=2)
    assert [claim.text for claim in segmentation.claims] == ["It is red.", "It is blue."]
    assert segmentation.skipped[-1].reason is SkipReason.LIMIT


def test_sixty_one_sentences_are_sixty_one_claims() -> None:  # U38
    assert len(read("The fee is 5 euros. " * 61)) == 61


@pytest.mark.parametrize("response", ["", " ", "\n\t\n", "\u200b", "\ufeff"])
def test_an_empty_response_has_no_claims(response: str) -> None:
    assert read(response) == []


def test_threads_do_not_disturb_each_other() -> None:
    responses = [f"# T{number}\n\n- **Pro{number}** costs ${number} [1]\n- It is red.\n" for number in range(64)]
    alone = [split_claims(response) for response in responses]
    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(split_claims, responses)) == alone

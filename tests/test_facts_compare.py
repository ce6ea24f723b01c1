"""A claim's quantities beside its evidence: each agreement has a twin that is one token away and disagrees."""

from __future__ import annotations

import pytest

from longtracer.engine.facts import FactVerdict, FindingStatus, compare_facts
from longtracer.engine.facts.compare import CLAIM_LIMIT, EVIDENCE_LIMIT

CONSISTENT, DIFFERS, MISSING = FactVerdict.CONSISTENT, FactVerdict.DIFFERS, FactVerdict.MISSING


def verdict(claim: str, *evidence: str) -> FactVerdict:
    return compare_facts(claim, evidence).verdict


# claim that agrees, claim that differs, evidence
TWINS = [
    ("The fund holds 1,000 shares.", "The fund holds 1,001 shares.", "The fund holds 1000 shares."),
    ("The fund holds 1000 shares.", "The fund holds 1.000 shares.", "The fund holds 1,000 shares."),
    ("4.998 TB are free.", "4.998 GB are free.", "4,998 GB are free."),
    ("It takes 2 hours.", "It takes 3 hours.", "It takes 120 minutes."),
    ("It takes an hour and a half.", "It takes two and a half hours.", "It takes 90 minutes."),
    ("The trial lasted 12 months.", "The trial lasted 13 months.", "The trial lasted one year."),
    ("The box has a dozen eggs.", "The box has two dozen eggs.", "The box has 12 eggs."),
    ("The dog weighs 11 pounds.", "The dog weighs 15 pounds.", "The dog weighs 5 kg."),
    ("The road is 3.1 miles long.", "The road is 4.1 miles long.", "The road is 5 km long."),
    ("Water boils at 212 °F.", "Water boils at 200 °F.", "Water boils at 100 °C."),
    ("He is 5 feet 11 inches tall.", "He is 5 feet 1 inch tall.", "He is 180 cm tall."),
    ("Sales rose 5 percent.", "Sales rose 5 percentage points.", "Sales rose 5%."),
    ("Half of the users left.", "A third of the users left.", "50% of the users left."),
    ("Sales fell by a quarter.", "Sales fell by a third.", "Sales fell by 25%."),
    ("Sales grew 12% to 3.4 million.", "Sales grew 12% to 3.5 million.", "Sales grew twelve percent to 3,400,000."),
    ("You get 25 vacation days.", "You get 20 vacation days.", "You get 25 days of paid vacation."),
    ("Refunds take 30 days.", "Refunds take 14 days.", "Refunds take one month."),
    ("The fine was £1.6m in total.", "The fine was £1.9m in total.", "The fine was £1,600,000 in total."),
    ("The fine was 20 euros.", "The fine was 20 dollars.", "The fine was €20."),
    ("About 5 million people live there.", "About 6 million people live there.", "5,012,345 people live there."),
    ("12% of the users left.", "13% of the users left.", "12.4% of the users left."),
    ("The tower was finished in 1889.", "The tower was finished in 1887.", "The tower was finished in 1889."),
    ("It opened on 1999-05-03.", "It opened on 1999-05-04.", "It opened on 3 May 1999."),
    ("It opened on 03/05/1999.", "It opened on 04/05/1999.", "It opened on 3 May 1999."),
    ("It opened in May 1999.", "It opened in June 1999.", "It opened on 3 May 1999."),
    ("It opened in the 1990s.", "It opened in the 1980s.", "It opened in 1994."),
    ("It opened in the 20th century.", "It opened in the 19th century.", "It opened in 1994."),
    ("It ran from 1999 to 2003.", "It ran from 1999 to 2004.", "It ran 1999–2003."),
    ("Doors open at 9 p.m.", "Doors open at 9 a.m.", "Doors open at 21:00."),
    ("The shop opens at 9.", "The shop opens at 10.", "The shop opens at 9 am."),
    ("Over 50 people came.", "Over 70 people came.", "63 people came."),
    ("At least 18 people came.", "At most 18 people came.", "18 or more people came."),
    ("All scores are between 80% and 90%.", "All scores are between 60% and 70%.", "Scores were 85%, 86% and 89.4%."),
    ("The dose is 5 to 7 mg.", "The dose is 5 to 8 mg.", "The dose is 5-7 mg."),
    ("Dana died at age 44.", "Dana died at age 45.", "Dana, a 44-year-old singer, died."),
    ("The patient is in his 30s.", "The patient is in his 40s.", "The patient is 34 years old."),
    ("The first 5m users pay less.", "The first 6m users pay less.", "The first 5 million users pay less."),
    ("The team won 3-1.", "The team won 3-2.", "The team won 3-1."),
    ("The team lost 1-3.", "The team lost 1-2.", "The team won 3-1."),
    ("The band has thirty-four fans.", "The band has thirty-five fans.", "The band has 34 fans."),
    ("It costs 99 cents.", "It costs 98 cents.", "It costs $0.99."),
    ("It costs $25.", "It costs US$25.", "It costs C$25."),
    ("It costs 500 kr.", "It costs 500 DKK.", "It costs 500 SEK."),
    ("Refunds take 5 working days.", "Refunds take 5 calendar days.", "Refunds take 5 business days."),
    ("You get 10 paid days.", "You get 10 unpaid days.", "You get 10 paid days."),
    ("About two-thirds of voters agreed.", "About two-fifths of voters agreed.", "67% of voters agreed."),
    ("It leaves at half past seven.", "It leaves at half past six.", "It leaves at 7:30."),
    ("It leaves at a quarter to eight.", "It leaves at a quarter past eight.", "It leaves at 7:45."),
    ("The flight takes 2h 30m.", "The flight takes 2h 35m.", "The flight takes 150 minutes."),
    ("It costs 5,000 euros.", "It costs 6,000 euros.", "It costs €5.000."),
    ("It costs €5.000.", "It costs €6.000.", "It costs 5,000 euros."),
    ("You get 10 days.", "You get 10 sick days.", "You get 10 vacation days."),
]


@pytest.mark.parametrize(("claim", "_", "evidence"), TWINS)
def test_equal_value_is_consistent(claim: str, _: str, evidence: str) -> None:
    assert verdict(claim, evidence) is CONSISTENT


@pytest.mark.parametrize(("_", "claim", "evidence"), TWINS)
def test_other_value_differs(_: str, claim: str, evidence: str) -> None:
    assert verdict(claim, evidence) is DIFFERS


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Sent 6 hours ago.", "Sent 35 minutes ago; 4,998 GB free."),
        ("Pro costs $25.", "Basic costs $10. Pro costs $20."),
        ("Plan: Pro; Price: $25", "Pro costs $20."),
        ("It has three dogs.", "It has five dogs."),
        ("The firm employs 40 people in Oslo.", "The firm employs 45 people in Oslo."),
        ("The choir has seven women and four men.", "The choir has eleven women and four men."),
        ("They picked 40 apples.", "Ann picked 10 apples and Bob picked 20 apples."),
    ],
)
def test_stated_differently(claim: str, evidence: str) -> None:
    assert verdict(claim, evidence) is DIFFERS


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Three colours are used.", "Red, green and blue are used."),
        ("There are three scores.", "The scores were 85%, 86% and 89.4%."),
        ("They picked 30 apples.", "Ann picked 10 apples and Bob picked 20 apples."),
        ("Three people are leading a parade.", "Two men and a woman are leading a parade."),
        ("It was open in 2001.", "It was open from 1999 to 2003."),
        ("It opened in 1994.", "It opened in the 1990s."),
        ("The boiler will not take 3 years to build.", "The boiler takes 4 years to build."),
    ],
)
def test_what_a_reader_may_work_out_does_not_differ(claim: str, evidence: str) -> None:
    check = compare_facts(claim, [evidence])
    assert check.verdict is CONSISTENT
    assert check.findings[0].status is FindingStatus.INCOMPARABLE


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("See Section 4.3 for refunds.", "See Section 4.2 for refunds."),
        ("The Boeing 777 flew to Oslo.", "The Boeing 747 flew to Oslo."),
        ("He finished second in the race.", "He finished third in the race."),
        ("It was the 2nd edition.", "It was the 3rd edition."),
        ("Paris is in France [2].", "Paris is in France [1]."),
        ("The fix is in version 3.11.2.", "The fix is in version 3.11.1."),
        ("One dog barks.", "Three dogs bark."),
        ("It took a day.", "It took three days."),
    ],
)
def test_names_ordinals_and_articles_are_not_held_against_a_claim(claim: str, evidence: str) -> None:
    assert verdict(claim, evidence) is FactVerdict.NO_QUANTITIES


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Pro costs $25.", "Pro is our best plan."),
        ("Pro costs $25.", "Pro has 25% off for 3 months."),
        ("The tower was finished in 1889.", "The tower was finished late."),
        ("The tower has 1,665 steps.", "The tower has many steps."),
        ("It opened on 3 May 1999.", "It opened in spring."),
    ],
)
def test_unstated_quantity_is_missing(claim: str, evidence: str) -> None:
    assert verdict(claim, evidence) is MISSING


@pytest.mark.parametrize(
    ("claim", "twin", "evidence"),
    [
        ("It is 20 degrees.", "It is 25 degrees.", "It is 20 °C."),
        ("It is 68 degrees.", "It is 30 degrees.", "It is 68 °F."),
        ("It is 20 °C.", "It is 25 °C.", "It is 20 degrees."),
    ],
)
def test_bare_degrees_may_be_a_temperature(claim: str, twin: str, evidence: str) -> None:
    assert verdict(claim, evidence) is CONSISTENT
    assert verdict(twin, evidence) is MISSING


def test_no_evidence_misses_every_quantity() -> None:
    assert verdict("Pro costs $25.") is MISSING


def test_claim_without_numbers_has_nothing_to_compare() -> None:
    assert verdict("Pro is our best plan.", "Pro costs $25.") is FactVerdict.NO_QUANTITIES


def test_one_differing_quantity_decides_over_matched_ones() -> None:
    check = compare_facts("It has 3 rooms and costs $25.", ["It has 3 rooms and costs $20."])
    assert check.verdict is DIFFERS
    assert [(finding.claim.text, finding.stated and finding.stated.text) for finding in check.different] == [
        ("$25", "$20")
    ]


def test_finding_names_the_evidence_it_is_from() -> None:
    check = compare_facts("Pro costs $25.", ["Support is free.", "Pro costs $20."])
    assert check.different[0].evidence_index == 1


def test_value_may_stand_in_any_evidence() -> None:
    assert verdict("Pro costs $25.", "Pro costs $20.", "Since May, Pro costs $25.") is CONSISTENT


def test_value_of_another_thing_does_not_stand_in() -> None:
    evidence = "The tenth film of the series made 20 million dollars, and the ninth film of the series lost 5 million."
    assert verdict("The tenth film of the series made 5 million dollars.", evidence) is DIFFERS


def test_date_may_be_put_together_from_its_parts() -> None:
    assert verdict("It opened on 3 May 1999.", "In 1999 it was built.", "It opened on 3 May.") is CONSISTENT


def test_date_with_a_part_that_is_nowhere_differs() -> None:
    assert verdict("It opened on 3 May 1998.", "In 1999 it opened on 3 May.") is DIFFERS


def test_more_exact_claim_is_not_matched() -> None:
    check = compare_facts("5,012,345 people live there.", ["5 million people live there."])
    assert check.findings[0].status is FindingStatus.INCOMPARABLE


def test_order_of_evidence_does_not_change_the_verdict() -> None:
    evidence = ["Basic costs $10.", "Pro costs $20.", "Max costs $40."]
    assert verdict("Pro costs $25.", *evidence) is verdict("Pro costs $25.", *reversed(evidence))


def test_quantities_of_a_claim_above_the_limit_are_marked() -> None:
    claim = "Values: " + ", ".join(f"{number} kg" for number in range(200, 202 + CLAIM_LIMIT))
    check = compare_facts(claim, ["Values: 7 kg."])
    assert check.truncated
    assert check.findings[-1].status is FindingStatus.INCOMPARABLE


def test_evidence_above_the_limit_cannot_contradict() -> None:
    evidence = "Prices: " + ", ".join(f"${number}" for number in range(1, EVIDENCE_LIMIT + 20))
    check = compare_facts("Prices: $9999.", [evidence])
    assert check.truncated
    assert check.verdict is CONSISTENT


def test_evidence_within_the_limit_is_not_marked() -> None:
    assert not compare_facts("Pro costs $25.", ["Pro costs $25."]).truncated

"""Made pairs: the label follows from the edit that was made, and generation is repeatable."""

from __future__ import annotations

import random
import re

import pytest

from training.synthetic import comparison, dates, dialogue, entities, numbers, relations, structure, style, wording
from training.synthetic.build import MAKERS, Prose, generate, overlap
from training.synthetic.edits import CONTRADICTION, ENTAILMENT, NEUTRAL, NOT_ENTAILMENT, Edit
from training.synthetic.records import record_pairs

SENTENCES = [
    "Ada Brook (born 4 March 1951) is an English painter and writer.",
    "She moved to Lisbon in 1979 and opened a gallery with 12 rooms.",
    "The gallery was visited by 45,300 people in 1985, more than any other in Portugal.",
    "Carl Dorn (born June 9, 1948) is a German sculptor, best known for work in bronze.",
    "In 1990, Dorn sold the foundry to Ada Brook for 2.5 million dollars.",
    "The foundry is 14 kilometres north of Berlin, which is a short drive from the museum.",
    "Some critics say the third exhibition may have been the most successful of all.",
    "It was opened on 18 April 1992 by the mayor of Berlin, and 35% of the tickets were free.",
]
EDITS: tuple[Edit, ...] = numbers.EDITS + dates.EDITS + wording.EDITS + structure.EDITS + relations.EDITS


@pytest.fixture(scope="module")
def prose() -> Prose:
    return Prose.of(SENTENCES * 3)


def applied(edit: Edit) -> list[tuple[str, str]]:
    """What the edit makes of the sentences, over several draws."""
    results = []
    for seed in range(6):
        for sentence in SENTENCES:
            result = edit.apply(sentence, random.Random(seed))
            if result is not None:
                results.append((sentence, result))
    return results


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.name)
def test_an_edit_changes_the_sentence(edit: Edit) -> None:
    assert all(before != after for before, after in applied(edit))


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.name)
def test_an_edit_is_repeatable(edit: Edit) -> None:
    assert applied(edit) == applied(edit)


@pytest.mark.parametrize(
    ("edit", "before"),
    [
        (numbers.swap_number, "It has 45,300 visitors."),
        (numbers.swap_digits, "It has 45,300 visitors."),
        (numbers.swap_number_word, "It has seven rooms."),
        (numbers.swap_scale, "It cost 2.5 million dollars."),
        (numbers.round_wrongly, "It has 45,300 visitors."),
        (dates.swap_year, "It opened in 1992."),
        (dates.year_to_wrong_decade, "It opened in 1992."),
        (dates.year_to_wrong_bound, "It opened in 1992."),
    ],
)
def test_a_swap_states_another_value(edit: object, before: str) -> None:
    results = {edit(before, random.Random(seed)) for seed in range(20)}  # type: ignore[operator]
    assert before not in results


def _said(text: str) -> float:
    match = re.search(r"[\d,.]+\d", text)
    assert match is not None
    return float(match[0].replace(",", ""))


@pytest.mark.parametrize("seed", range(8))
def test_rounding_stays_true(seed: int) -> None:
    said = numbers.round_number("It has 45,300 visitors.", random.Random(seed))
    assert said is not None
    assert (_said(said) < 45_300) == ("more than" in said or "over" in said)


@pytest.mark.parametrize("seed", range(8))
def test_wrong_rounding_is_false(seed: int) -> None:
    said = numbers.round_wrongly("It has 45,300 visitors.", random.Random(seed))
    assert said is not None
    assert (_said(said) > 45_300) == ("more than" in said or "over" in said)


@pytest.mark.parametrize("seed", range(8))
def test_a_bound_holds(seed: int) -> None:
    said = dates.year_to_bound("It opened in 1992.", random.Random(seed))
    assert said is not None
    assert (_said(said) > 1992) == ("before" in said)


def test_a_conversion_is_exact() -> None:
    results = {numbers.convert_unit("It is 10 kilometres away.", random.Random(seed)) for seed in range(30)}
    assert "It is 6.21 miles away." in results


def test_a_wrong_conversion_never_gives_the_right_value() -> None:
    results = {numbers.convert_wrongly("It is 10 kilometres away.", random.Random(seed)) for seed in range(60)}
    assert "It is 6.21 miles away." not in results


@pytest.mark.parametrize(
    ("edit", "before", "after"),
    [
        (numbers.spell_scale, "It cost 2.5 million dollars.", "It cost 2,500,000 dollars."),
        (numbers.toggle_separator, "It has 45,300 visitors.", "It has 45300 visitors."),
        (numbers.word_to_number, "It has seven rooms.", "It has 7 rooms."),
        (numbers.number_to_word, "It has 7 rooms.", "It has seven rooms."),
        (dates.coarsen_month, "It opened in April 1992.", "It opened in 1992."),
        (dates.year_to_decade, "It opened in 1992.", "It opened in the 1990s."),
        (structure.drop_front, "In 1990, Dorn sold the old foundry.", "Dorn sold the old foundry."),
        (structure.front_to_tail, "In 1990, Dorn sold the old foundry.", "Dorn sold the old foundry in 1990."),
        (
            structure.passive_to_active,
            "The film was directed by Ada Brook in 1990.",
            "Ada Brook directed the film in 1990.",
        ),
        (wording.negate, "The foundry is north of Berlin.", "The foundry is not north of Berlin."),
        (wording.contract_not, "It is not here.", "It isn't here."),
        (entities.last_name_only, "Ada Brook was born here.", "Brook was born here."),
        (entities.exchange_names, "Dorn painted Brook.", "Brook painted Dorn."),
    ],
)
def test_an_edit_by_example(edit: object, before: str, after: str) -> None:
    assert after in {edit(before, random.Random(seed)) for seed in range(10)}  # type: ignore[operator]


@pytest.mark.parametrize(
    ("edit", "sentence"),
    [
        (wording.negate, "The foundry is not north of Berlin."),
        (structure.drop_relative, "He did not say that the house, which he sold in May, was old."),
        (structure.drop_front, "In no case, the museum will return the money."),
        (numbers.swap_number, "It opened in 1992."),
        (dates.swap_year, "It has 1,992 visitors."),
        (entities.exchange_names, "Brook and Dorn were there."),
    ],
)
def test_an_edit_leaves_alone_what_it_could_get_wrong(edit: object, sentence: str) -> None:
    assert all(edit(sentence, random.Random(seed)) is None for seed in range(10))  # type: ignore[operator]


def test_days_and_years_are_no_quantities() -> None:
    found = numbers.quantities("On 18 April 1992, 35 guests paid 1,992 dollars.")
    assert [match[0] for match in found] == ["35", "1,992"]


def test_a_name_is_replaced_by_one_of_its_kind() -> None:
    swap = entities.NameSwap({"place1": ["Madrid"]})
    assert swap("She lives in Lisbon.", random.Random(0)) == "She lives in Madrid."


def test_a_name_is_not_replaced_by_one_that_shares_a_word() -> None:
    swap = entities.NameSwap({"place2": ["New Lisbon"]})
    assert swap("She lives in Old Lisbon.", random.Random(0)) is None


@pytest.mark.parametrize("name", sorted(MAKERS))
def test_generation_is_repeatable(prose: Prose, name: str) -> None:
    first = generate(prose, {name: 20}, seed=3, epoch=1)
    assert first == generate(prose, {name: 20}, seed=3, epoch=1)


@pytest.mark.parametrize("name", sorted(set(MAKERS) - {"comparison", "merged", "pronoun"}))
def test_epochs_differ(prose: Prose, name: str) -> None:
    assert generate(prose, {name: 20}, seed=3, epoch=1) != generate(prose, {name: 20}, seed=3, epoch=2)


def test_an_unknown_maker_is_refused(prose: Prose) -> None:
    with pytest.raises(KeyError):
        generate(prose, {"poem": 1}, seed=0, epoch=0)


@pytest.mark.parametrize("name", sorted(MAKERS))
def test_supported_and_unsupported_claims_differ(prose: Prose, name: str) -> None:
    pairs = generate(prose, {name: 60}, seed=0, epoch=0)
    true = {(pair.premise, pair.hypothesis) for pair in pairs if pair.supported}
    false = {(pair.premise, pair.hypothesis) for pair in pairs if not pair.supported}
    assert not true & false


@pytest.mark.parametrize("seed", range(20))
def test_a_record_states_what_is_in_its_row(seed: int) -> None:
    true = record_pairs(random.Random(seed))[0]
    number = re.search(r"\d[\d,.]*\d", true.hypothesis)
    assert true.label == ENTAILMENT
    assert number is None or number[0] in true.premise


def test_a_record_says_nothing_of_an_absent_field() -> None:
    labels = [pair.label for seed in range(10) for pair in record_pairs(random.Random(seed))[2:]]
    assert set(labels) == {NEUTRAL}


def test_the_elder_is_the_one_born_first() -> None:
    people = comparison.people_in(SENTENCES)
    pairs = [pair for seed in range(40) for pair in comparison.comparison_pairs(people, random.Random(seed))]
    older = {pair.hypothesis: pair.label for pair in pairs if "older than" in pair.hypothesis}
    assert older == {
        "Carl Dorn is older than Ada Brook.": ENTAILMENT,
        "Ada Brook is older than Carl Dorn.": CONTRADICTION,
    }


def test_nationalities_are_told_apart() -> None:
    people = comparison.people_in(SENTENCES)
    pairs = [pair for seed in range(60) for pair in comparison.comparison_pairs(people, random.Random(seed))]
    both = {pair.label for pair in pairs if pair.hypothesis.endswith("of the same nationality? yes")}
    assert both == {CONTRADICTION}


def test_a_question_and_its_answer_give_the_statement_back() -> None:
    asked = style.as_question("Dorn sold the foundry in 1990.", random.Random(1))
    assert asked in [("Dorn sold the foundry in which year?", "1990"), ("Who sold the foundry in 1990?", "Dorn")] or (
        asked is not None and asked[1] == "Dorn"
    )


def test_a_reply_keeps_the_claim() -> None:
    assert all("Dorn sold it." in dialogue.reply("Dorn sold it.", random.Random(seed)) for seed in range(20))


def test_a_pronoun_takes_the_subject_s_place() -> None:
    assert dialogue.with_pronoun("The foundry is near Berlin today.", random.Random(0)) == "it is near Berlin today."


def test_small_talk_claims_nothing_of_the_sentence() -> None:
    said = dialogue.small_talk("The foundry is near Berlin today.", random.Random(0))
    assert said is not None
    assert "near Berlin" not in said


def test_joined_sentences_keep_both() -> None:
    assert structure.join_sentences("Dorn left.", "The museum closed.") == "Dorn left, and the museum closed."


def test_overlap_counts_the_claim_s_words() -> None:
    assert overlap("gallery opened Lisbon", "gallery opened Madrid") == pytest.approx(2 / 3)


def test_a_merged_fact_takes_a_subject_from_one_sentence_and_the_rest_from_another(prose: Prose) -> None:
    made = generate(prose, {"merged": 60}, seed=0, epoch=0)
    false = [pair for pair in made if pair.source == "syn_merged"]
    assert false
    assert all(pair.label == NOT_ENTAILMENT and pair.hypothesis not in pair.premise for pair in false)
    assert {pair.label for pair in made if pair.source == "syn_merged_true"} == {ENTAILMENT}


def test_both_is_said_of_what_only_one_is(prose: Prose) -> None:
    made = generate(prose, {"merged": 200}, seed=1, epoch=0)
    both = [pair for pair in made if pair.source == "syn_both"]
    assert both
    assert all(pair.hypothesis.startswith("Both ") and pair.label == NOT_ENTAILMENT for pair in both)
    verbs = [re.search(r"\b(?:is|are|was|were|has|have|had|can|will)\b", pair.hypothesis) for pair in both]
    assert not {match[0] for match in verbs if match} & {"is", "was", "has"}


def test_a_pronoun_stands_for_the_person_before_it(prose: Prose) -> None:
    made = generate(prose, {"pronoun": 40}, seed=0, epoch=0)
    assert len(made) == 40
    for pair in made:
        person = "Brook" if pair.premise.startswith("Ada Brook") else "Dorn"
        assert (person in pair.hypothesis) == (pair.label == ENTAILMENT)


@pytest.mark.parametrize(
    ("before", "partners"),
    [
        ("The film was directed by Ann Lee.", ("produced by", "written by", "edited by")),
        ("He is the uncle of Ada Brook.", ("a father", "the father", "the brother", "the cousin")),
        ("The lake is 14 kilometres long.", ("The river", "The island", "The village")),
    ],
)
def test_a_relation_becomes_another_of_its_family(before: str, partners: tuple[str, ...]) -> None:
    made = {relations.swap_relation(before, random.Random(seed)) for seed in range(40)}
    assert before not in made
    assert any(partner in text for text in made if text is not None for partner in partners)


def test_a_relation_that_the_sentence_states_as_well_is_not_swapped_in() -> None:
    both = "It was directed by Ann Lee and produced by Bo Kim."
    made = [relations.swap_relation(both, random.Random(seed)) for seed in range(60)]
    assert not any(text and text.count("produced by") == 2 for text in made)
    assert any(made)


@pytest.mark.parametrize("seed", range(12))
def test_a_swapped_word_takes_its_article(seed: int) -> None:
    made = relations.swap_relation("Dorn is an actor.", random.Random(seed))
    assert made is not None
    assert not re.search(r"\ban [bcdfghjklmnpqrstvwxyz]|\ba [aeiou]", made)

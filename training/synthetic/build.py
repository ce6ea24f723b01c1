"""Puts the edits together: for each sentence a supported claim and a false one, against evidence of varied shape."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from training.pairs import Pair
from training.synthetic import comparison, dates, dialogue, entities, numbers, relations, structure, style, wording
from training.synthetic.edits import ENTAILMENT, NEUTRAL, NOT_ENTAILMENT, Edit
from training.synthetic.records import record_pairs

Maker = Callable[["Prose", int, random.Random], list[Pair]]


@dataclass(frozen=True, slots=True)
class Prose:
    """Sentences in their original order, so that neighbours mostly share a subject."""

    sentences: Sequence[str]
    swap_name: entities.NameSwap
    people: Sequence[comparison.Person]
    introductions: Sequence[int]
    """Places of the sentences that introduce a person."""

    @classmethod
    def of(cls, sentences: Sequence[str]) -> Prose:
        usable = [
            text for text in sentences if 40 <= len(text) <= 320 and text[0].isupper() and text.count('"') % 2 == 0
        ]
        swap = entities.NameSwap(entities.collect(usable))
        introductions = [place for place, text in enumerate(usable) if entities.introduced(text) is not None]
        return cls(usable, swap, comparison.people_in(usable), introductions)

    def neighbours(self, index: int, count: int, rng: random.Random) -> list[str]:
        """Other sentences from within five places of this one."""
        low, high = max(0, index - 5), min(len(self.sentences), index + 6)
        around = [place for place in range(low, high) if place != index]
        return [self.sentences[place] for place in rng.sample(around, min(count, len(around)))]


_LAST_NAME = Edit("last_name", ENTAILMENT, entities.last_name_only)
_ALL_EDITS: tuple[Edit, ...] = numbers.EDITS + dates.EDITS + wording.EDITS + structure.EDITS + relations.EDITS
_TRUE = (*(edit for edit in _ALL_EDITS if edit.label == ENTAILMENT), _LAST_NAME)
_FALSE = tuple(edit for edit in _ALL_EDITS if edit.label != ENTAILMENT)
_EVERYWHERE = {"negate": 0.75, "opposite": 0.75, "synonym": 0.75, "in_fact": 0.93, "weaker": 0.4, "stronger": 0.3}
"""Edits that apply nearly everywhere, and how often they are tried last: the rarer ones are not crowded out."""


def _ordered(edits: Sequence[Edit], rng: random.Random) -> list[Edit]:
    """Random order, the edits that apply everywhere mostly last."""
    mixed = rng.sample(list(edits), len(edits))
    return sorted(mixed, key=lambda edit: rng.random() < _EVERYWHERE.get(edit.name, 0.0))


def _first_that_applies(edits: Sequence[Edit], text: str, rng: random.Random) -> tuple[Edit, str] | None:
    for edit in _ordered(edits, rng):
        result = edit.apply(text, rng)
        if result is not None and result != text and len(result) >= 12:
            return edit, result
    return None


def reword(text: str, rng: random.Random, most: int = 2) -> tuple[str, str]:
    """Up to `most` edits that keep the text true. Returns the text and the edits' names."""
    names = []
    for _ in range(rng.randint(0, most)):
        found = _first_that_applies(_TRUE, text, rng)
        if found is not None:
            names.append(found[0].name)
            text = found[1]
    return text, "+".join(names) or "copy"


def with_context(premise: str, prose: Prose, index: int, rng: random.Random) -> str:
    """The evidence among up to three neighbouring sentences, half of the time alone."""
    if rng.random() < 0.5:
        return premise
    others = prose.neighbours(index, rng.choice([1, 2, 2, 3]), rng)
    others.insert(rng.randint(0, len(others)), premise)
    return " ".join(others)


def falsify(text: str, nearby: str, prose: Prose, rng: random.Random) -> tuple[str, str, str] | None:
    """One edit that makes a true text false or unsupported. Returns text, label and the edit's name."""
    draw = rng.random()
    if draw < 0.22:
        swapped = prose.swap_name(text, rng, nearby)
        if swapped is not None:
            return swapped, NOT_ENTAILMENT, "name_swap"
    if draw < 0.34:
        swapped = entities.exchange_names(text, rng)
        if swapped is not None:
            return swapped, NOT_ENTAILMENT, "name_exchange"
    found = _first_that_applies(_FALSE, text, rng)
    if found is None:
        return None
    edit, result = found
    return result, edit.label, edit.name


def edited_pairs(prose: Prose, index: int, rng: random.Random) -> list[Pair]:
    """A true and a false claim in the same style, each against the sentence in some context."""
    sentence = prose.sentences[index]
    nearby = " ".join(prose.neighbours(index, 2, rng))
    true, how = reword(sentence, rng)
    pairs = []
    if rng.random() < (0.35 if how == "copy" or set(how.split("+")) <= _EVERYWHERE.keys() else 1.0):
        pairs.append(_dressed(with_context(sentence, prose, index, rng), true, ENTAILMENT, f"syn_true/{how}", rng))
    base = true if rng.random() < 0.7 else sentence
    broken = falsify(base, nearby, prose, rng)
    if broken is not None and not (broken[2] in _EVERYWHERE and rng.random() < 0.5):
        text, label, name = broken
        pairs.append(_dressed(with_context(sentence, prose, index, rng), text, label, f"syn_false/{name}", rng))
    return pairs


def _dressed(premise: str, hypothesis: str, label: str, source: str, rng: random.Random) -> Pair:
    if rng.random() < 0.15:
        hypothesis = style.dress(hypothesis, rng)
    return Pair(premise, hypothesis, label, source)


def reversed_pairs(prose: Prose, index: int, rng: random.Random) -> list[Pair]:
    """The edited sentence as evidence for the original: additions it does not support, or the same fact."""
    sentence = prose.sentences[index]
    edits = [edit for edit in _ALL_EDITS if edit.reverse is not None]
    found = _first_that_applies(edits, sentence, rng)
    if found is None:
        return []
    edit, text = found
    assert edit.reverse is not None
    return [Pair(with_context(text, prose, index, rng), sentence, edit.reverse, f"syn_reverse/{edit.name}")]


def question_pairs(prose: Prose, index: int, rng: random.Random) -> list[Pair]:
    """A question and its answer as one claim; the same question with a wrong answer."""
    sentence = prose.sentences[index]
    text, _ = reword(sentence, rng, most=1)
    asked = style.as_question(text, rng)
    if asked is None:
        return []
    question, answer = asked
    nearby = " ".join(prose.neighbours(index, 2, rng))
    full = rng.random() < 0.4
    premise = f"{sentence} {nearby}" if rng.random() < 0.6 else sentence
    pairs = [Pair(premise, f"{question} {text if full else answer}", ENTAILMENT, "syn_qa")]
    wrong = _wrong_answer(answer, sentence + " " + nearby, prose, rng)
    if wrong is not None and wrong.lower() not in sentence.lower():
        said = text.replace(answer, wrong) if full else wrong
        pairs.append(Pair(premise, f"{question} {said}", NOT_ENTAILMENT, "syn_qa"))
    return pairs


def _wrong_answer(answer: str, nearby: str, prose: Prose, rng: random.Random) -> str | None:
    if answer.isdigit() and len(answer) == 4:
        return dates.swap_year(answer, rng)
    if answer[0].isdigit():
        return numbers.swap_number(answer, rng)
    return prose.swap_name(answer, rng, nearby)


def two_sentence_pairs(prose: Prose, index: int, rng: random.Random) -> list[Pair]:
    """Facts spread over two sentences: both claimed together, and with one of them changed."""
    left = prose.sentences[index]
    right = prose.neighbours(index, 1, rng)[0]
    premise = with_context(f"{left} {right}", prose, index, rng)
    first, _ = reword(left, rng, most=1)
    second, _ = reword(right, rng, most=1)
    both = structure.join_sentences(first, second) if rng.random() < 0.5 else f"{first} {second}"
    if both is None:
        return []
    pairs = [Pair(premise, both, ENTAILMENT, "syn_two")]
    broken = falsify(both, "", prose, rng)
    if broken is not None:
        pairs.append(Pair(premise, broken[0], broken[1], f"syn_two_false/{broken[2]}"))
    if rng.random() < 0.4:
        pairs.append(Pair(left, both, NOT_ENTAILMENT, "syn_two_missing"))
    return pairs


def pronoun_pairs(prose: Prose, _: int, rng: random.Random) -> list[Pair]:
    """He and she stand for the person of the sentence before; the claim names that person, or another.

    The second sentence is borrowed from the introduction of another person: what counts is what the text says.
    """
    if len(prose.introductions) < 2:
        return []
    first, second = (prose.sentences[place] for place in rng.sample(prose.introductions, 2))
    person, other = entities.introduced(first), entities.introduced(second)
    said = dialogue.statement_of(second)
    if person is None or other is None or said is None or entities.shares_word(person, other):
        return []
    pronoun = "She" if _FEMALE.search(first) else "He"
    premise = f"{first} {pronoun} {said.rest}"
    rest, _how = reword(said.rest, rng, most=1)
    name = person if rng.random() < 0.5 else person.rsplit(" ", 1)[1]
    return [
        Pair(premise, f"{name} {rest}", ENTAILMENT, "syn_pronoun"),
        Pair(premise, f"{other} {rest}", NOT_ENTAILMENT, "syn_pronoun"),
    ]


_FEMALE = re.compile(r"\b(?:she|her|actress|woman|née|countess|queen|duchess|waitress)\b", re.IGNORECASE)


def merged_pairs(prose: Prose, index: int, rng: random.Random) -> list[Pair]:
    """What is said of one subject said of another, or of both: every word is in the evidence, the claim is not.

    The supported twin says of the right subject what is said of it.
    """
    left = prose.sentences[index]
    right = rng.choice(prose.neighbours(index, 3, rng))
    halves = [dialogue.statement_of(left), dialogue.statement_of(right)]
    first, second = halves
    if first is None or second is None or not _told_apart(first.subject, second.subject):
        return []
    premise = f"{left} {right}" if rng.random() < 0.5 else f"{right} {left}"
    true, _ = reword(f"{second.subject} {second.rest}", rng, most=1)
    twin = Pair(premise, true, ENTAILMENT, "syn_merged_true")
    if rng.random() < 0.3 and first.plural == second.plural is False:
        rest = _of_several(second.rest)
        return [twin, Pair(premise, f"Both {first.subject} and {second.subject} {rest}", NOT_ENTAILMENT, "syn_both")]
    return [twin, Pair(premise, f"{first.subject} {second.rest}", NOT_ENTAILMENT, "syn_merged")]


def _told_apart(left: str, right: str) -> bool:
    """Two plain subjects, neither a pronoun, that share no word."""
    plain = all(
        _PLAIN_SUBJECT.match(subject) and subject.split(" ", 1)[0] not in _NO_SUBJECT for subject in (left, right)
    )
    return plain and not entities.shares_word(left.removeprefix("The "), right.removeprefix("The "))


def _of_several(predicate: str) -> str:
    verb, _, rest = predicate.partition(" ")
    return f"{_PLURAL.get(verb, verb)} {rest}"


_PLAIN_SUBJECT = re.compile(r"[A-Z](?!.*\b(?:and|or|by|following|list)\b)[^\d,;:]{2,40}$")
_NO_SUBJECT = frozenset(
    (
        "After", "As", "Because", "Both", "Despite", "Each", "Every", "For", "From", "He", "Her", "His", "How", "I",
        "If", "Its", "Many", "Most", "No", "One", "Others", "Our", "She", "Since", "So", "Some", "Their", "They", "To",
        "We", "What", "When", "Where", "While", "With", "You",
    )
)  # fmt: skip
_PLURAL = {"is": "are", "was": "were", "has": "have"}


def near_pairs(prose: Prose, index: int, rng: random.Random) -> list[Pair]:
    """A sentence against its neighbours: the same subject, another fact."""
    sentence = prose.sentences[index]
    others = [text for text in prose.neighbours(index, 3, rng) if overlap(sentence, text) < 0.5]
    if not others:
        return []
    return [Pair(" ".join(others), sentence, NEUTRAL, "syn_near")]


def overlap(hypothesis: str, premise: str) -> float:
    """Share of the hypothesis's longer words that the premise has too."""
    words = {word for word in hypothesis.lower().split() if len(word) > 3}
    return len(words & set(premise.lower().split())) / max(1, len(words))


def addition_pairs(prose: Prose, index: int, rng: random.Random) -> list[Pair]:
    """A true sentence followed by one that the evidence does not have."""
    sentence = prose.sentences[index]
    other = rng.choice(prose.neighbours(index, 3, rng))
    text, _ = reword(sentence, rng, most=1)
    both = structure.join_sentences(text, other)
    if both is None or overlap(other, sentence) > 0.5:
        return []
    return [Pair(sentence, both, NEUTRAL, "syn_addition")]


def dialogue_pairs(prose: Prose, index: int, rng: random.Random) -> list[Pair]:
    """Replies that say what the evidence says, something else, or nothing in particular."""
    sentence = prose.sentences[index]
    premise = with_context(sentence, prose, index, rng)
    true, _ = reword(sentence, rng, most=1)
    claim = (dialogue.with_pronoun(true, rng) if rng.random() < 0.6 else None) or true
    pairs = [Pair(premise, dialogue.reply(claim, rng), ENTAILMENT, "syn_dialogue")]
    broken = falsify(claim, premise, prose, rng)
    if broken is not None:
        pairs.append(Pair(premise, dialogue.reply(broken[0], rng), broken[1], f"syn_dialogue_false/{broken[2]}"))
    other = prose.neighbours(index, 1, rng)[0]
    draw = rng.random()
    if draw < 0.25 and overlap(other, premise) < 0.5:
        said = (dialogue.with_pronoun(other, rng) if rng.random() < 0.6 else None) or other
        pairs.append(Pair(premise, dialogue.reply(said, rng), NEUTRAL, "syn_dialogue_other"))
    elif draw < 0.5:
        idle = dialogue.small_talk(sentence, rng)
        if idle is not None:
            pairs.append(Pair(premise, idle, NEUTRAL, "syn_small_talk"))
    return pairs


def compared(prose: Prose, _: int, rng: random.Random) -> list[Pair]:
    return comparison.comparison_pairs(prose.people, rng)


def from_records(_: Prose, __: int, rng: random.Random) -> list[Pair]:
    return record_pairs(rng)


MAKERS: dict[str, Maker] = {
    "edited": edited_pairs,
    "reversed": reversed_pairs,
    "question": question_pairs,
    "two_sentences": two_sentence_pairs,
    "pronoun": pronoun_pairs,
    "merged": merged_pairs,
    "near": near_pairs,
    "addition": addition_pairs,
    "record": from_records,
    "dialogue": dialogue_pairs,
    "comparison": compared,
}


def generate(prose: Prose, counts: dict[str, int], *, seed: int, epoch: int) -> list[Pair]:
    """Pairs of each maker, `counts` of each at most; the same seed and epoch always give the same pairs.

    Raises:
        KeyError: a count names no maker.
    """
    made: list[Pair] = []
    for name in sorted(counts):
        rng = random.Random(f"{seed}/{epoch}/{name}")
        made.extend(_some(MAKERS[name], prose, counts[name], rng))
    return made


def _some(maker: Maker, prose: Prose, count: int, rng: random.Random) -> list[Pair]:
    pairs: list[Pair] = []
    for _ in range(6 * count):
        if len(pairs) >= count:
            break
        pairs.extend(maker(prose, rng.randrange(len(prose.sentences)), rng))
    return pairs[:count]

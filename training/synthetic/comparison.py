"""Questions about two people at once: who is older, what they share, whether both are something."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

from training.pairs import Pair
from training.synthetic.dates import MONTHS
from training.synthetic.edits import CONTRADICTION, ENTAILMENT, NOT_ENTAILMENT

_BIOGRAPHY = re.compile(
    r"^(?P<name>[A-Z][\w.'-]+(?: [A-Z][\w.'-]+){1,2}) \([^()]*?(?P<day>\d{1,2}) (?P<month>"
    + "|".join(MONTHS)
    + r") (?P<year>\d{4})[^()]*\) (?:is|was) an? (?P<nation>[A-Z][a-z]+) "
    r"(?P<job>[a-z-]+(?: [a-z-]+)?)(?=[,.]| and | who | best | known )"
)
_BIOGRAPHY_US = re.compile(
    _BIOGRAPHY.pattern.replace(r"(?P<day>\d{1,2}) (?P<month>", r"(?P<month>").replace(
        r") (?P<year>", r") (?P<day>\d{1,2}), (?P<year>", 1
    )
)


@dataclass(frozen=True, slots=True)
class Person:
    """What the first sentence of a biography says."""

    sentence: str
    name: str
    born: tuple[int, int, int]
    nation: str
    job: str


def person_in(sentence: str) -> Person | None:
    match = _BIOGRAPHY.match(sentence) or _BIOGRAPHY_US.match(sentence)
    if match is None:
        return None
    born = (int(match["year"]), MONTHS.index(match["month"]), int(match["day"]))
    return Person(sentence, match["name"], born, match["nation"], match["job"])


def people_in(sentences: Sequence[str]) -> list[Person]:
    found = (person_in(sentence) for sentence in sentences)
    return [person for person in found if person is not None and not person.job.endswith(("film", "former"))]


def comparison_pairs(people: Sequence[Person], rng: random.Random) -> list[Pair]:
    """A right and a wrong answer to one question about two people; none where they cannot be compared."""
    left, right = rng.sample(list(people), 2)
    if left.name == right.name or left.born == right.born:
        return []
    kind = rng.choice([_older, _older, _same_nation, _shared_job, _single])
    question, right_answer, wrong_answer, label = kind(left, right, rng)
    premise = f"{left.sentence} {right.sentence}"
    return [
        Pair(premise, f"{question}{right_answer}", ENTAILMENT, "syn_comparison"),
        Pair(premise, f"{question}{wrong_answer}", label, "syn_comparison"),
    ]


def _older(left: Person, right: Person, rng: random.Random) -> tuple[str, str, str, str]:
    first, second = sorted((left, right), key=lambda person: person.born)
    if rng.random() < 0.5:
        question = rng.choice(["Who was born first, {} or {}? ", "Who is older, {} or {}? "])
        return question.format(left.name, right.name), first.name, second.name, CONTRADICTION
    verb = rng.choice(["was born before", "is older than"])
    return "", f"{first.name} {verb} {second.name}.", f"{second.name} {verb} {first.name}.", CONTRADICTION


def _same_nation(left: Person, right: Person, rng: random.Random) -> tuple[str, str, str, str]:
    same = left.nation == right.nation
    if rng.random() < 0.5:
        question = f"Are {left.name} and {right.name} of the same nationality? "
        return question, "yes" if same else "no", "no" if same else "yes", CONTRADICTION
    both = f"Both {left.name} and {right.name} are {left.nation}."
    apart = f"{left.name} and {right.name} are from different countries."
    return ("", both, apart, CONTRADICTION) if same else ("", apart, both, CONTRADICTION)


def _shared_job(left: Person, right: Person, rng: random.Random) -> tuple[str, str, str, str]:
    if left.job == right.job:
        question = f"What profession do {left.name} and {right.name} have in common? "
        return question, left.job, rng.choice(["politician", "painter", "chef", "pilot"]), NOT_ENTAILMENT
    true = f"{left.name} is a {left.job} and {right.name} is a {right.job}."
    return "", true, f"{left.name} is a {right.job} and {right.name} is a {left.job}.", NOT_ENTAILMENT


def _single(left: Person, right: Person, rng: random.Random) -> tuple[str, str, str, str]:
    word = rng.choice(["nationality", "year of birth", "profession"])
    values = {
        "nationality": (left.nation, right.nation),
        "year of birth": (str(left.born[0]), str(right.born[0])),
        "profession": (left.job, right.job),
    }[word]
    question = f"What is the {word} of {left.name}? "
    if values[0] == values[1]:
        return "", f"{left.name} is {left.nation}.", f"{left.name} is not {left.nation}.", CONTRADICTION
    return question, values[0], values[1], NOT_ENTAILMENT

"""Made-up facts in the shapes retrieved text has - table rows, bullet lists, fields - and sentences about them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from training.pairs import Pair
from training.synthetic.dates import MONTHS
from training.synthetic.edits import CONTRADICTION, ENTAILMENT, NEUTRAL

Value = Callable[[random.Random], str]


@dataclass(frozen=True, slots=True)
class Field:
    """A property: its heading, ways to state it of `{x}` with value `{v}`, and where values come from."""

    heading: str
    statements: tuple[str, ...]
    value: Value


@dataclass(frozen=True, slots=True)
class Kind:
    """Things of one kind: how they are called, and what can be said of them."""

    subjects: tuple[str, ...]
    fields: tuple[Field, ...]


def _whole(low: int, high: int, unit: str = "", before: str = "") -> Value:
    return lambda rng: f"{before}{rng.randint(low, high):,}{unit}"


def _tenths(low: int, high: int, unit: str = "", before: str = "") -> Value:
    return lambda rng: f"{before}{rng.randint(low * 10, high * 10) / 10:.1f}{unit}"


def _of(words: str) -> Value:
    choices = [word.strip() for word in words.split(",")]
    return lambda rng: rng.choice(choices)


def _year(rng: random.Random) -> str:
    return str(rng.randint(1850, 2025))


def _date(rng: random.Random) -> str:
    return f"{rng.randint(1, 28)} {rng.choice(MONTHS)} {rng.randint(1950, 2026)}"


_PERSONS = _of(
    "Maria Jensen, Tom Okafor, Lena Fischer, Ravi Patel, Ana Costa, John Miller, Yuki Tanaka, Sara Lind, Omar Haddad, "
    "Claire Dubois, Peter Novak, Grace Kim, Luis Romero, Nina Petrova, David Cohen, Emma Walsh"
)
_CITIES = _of(
    "Lyon, Oslo, Denver, Osaka, Porto, Nairobi, Lima, Leeds, Austin, Ghent, Cork, Perth, Mumbai, Seoul, Turin, Quito"
)
_COMPANIES = (
    "Northwind", "Acme Corp", "Helix Labs", "Bluefin", "Orion Energy", "Cedar Bank", "Vantage Foods", "Polar Air",
    "Lumen Health", "Granite Steel", "Quanta Systems", "Redwood Media",
)  # fmt: skip
_PRODUCTS = (
    "the X200", "the Aero 5 laptop", "the Basic plan", "the Pro plan", "the Enterprise plan", "the M3 printer",
    "the Trail bike", "the Nova phone", "the EcoWash 7", "the S1 camera", "the Falcon drone", "the Zen tablet",
)  # fmt: skip
_PLACES = ("Ardenvale", "Lake Toren", "Mount Keld", "Porthaven", "Brexley", "Sunde", "Elmsford", "Castor Bay")
_POLICIES = (
    "the travel policy", "the refund policy", "the leave policy", "the warranty", "the contract", "the lease",
    "the service agreement", "the data policy",
)  # fmt: skip

KINDS = (
    Kind(
        _COMPANIES,
        (
            Field("Founded", ("{x} was founded in {v}.", "{x} has existed since {v}."), _year),
            Field("Headquarters", ("{x} is based in {v}.", "The headquarters of {x} are in {v}."), _CITIES),
            Field("CEO", ("{v} is the CEO of {x}.", "{x} is led by {v}."), _PERSONS),
            Field("Employees", ("{x} has {v} employees.", "{x} employs {v} people."), _whole(20, 90_000)),
            Field("Revenue", ("{x} had revenue of {v}.", "Revenue at {x} was {v}."), _tenths(1, 90, " million", "$")),
            Field("Net profit", ("{x} made a net profit of {v}.",), _tenths(1, 40, " million", "€")),
            Field("Growth", ("{x} grew by {v}.", "Growth at {x} was {v}."), _tenths(0, 30, "%")),
            Field("Market share", ("{x} holds {v} of the market.",), _whole(1, 60, "%")),
            Field("CFO", ("{v} is the CFO of {x}.", "The CFO of {x} is {v}."), _PERSONS),
        ),
    ),
    Kind(
        _PRODUCTS,
        (
            Field("Price", ("{x} costs {v}.", "The price of {x} is {v}."), _whole(5, 4000, "", "$")),
            Field("Weight", ("{x} weighs {v}.",), _tenths(1, 30, " kg")),
            Field("Battery life", ("The battery of {x} lasts {v}.",), _whole(3, 48, " hours")),
            Field(
                "Warranty", ("{x} comes with a warranty of {v}.",), _of("6 months, 1 year, 2 years, 3 years, 5 years")
            ),
            Field("Storage", ("{x} has {v} of storage.", "{x} includes {v} of storage."), _whole(2, 900, " GB")),
            Field("Colour", ("{x} is available in {v}.",), _of("black, white, silver, blue, red, green")),
            Field("Release date", ("{x} was released on {v}.", "{x} came out on {v}."), _date),
            Field("Maximum users", ("{x} allows up to {v} users.",), _whole(2, 500)),
            Field("Support", ("Support for {x} is by {v}.",), _of("e-mail, phone, chat, e-mail and phone")),
            Field("Waterproof", ("It is {v} that {x} is waterproof.",), _of("true, false")),
        ),
    ),
    Kind(
        _PLACES,
        (
            Field("Population", ("{x} has {v} inhabitants.", "The population of {x} is {v}."), _whole(300, 900_000)),
            Field("Area", ("{x} covers {v}.", "The area of {x} is {v}."), _whole(5, 3000, " km²")),
            Field("Elevation", ("{x} lies {v} above sea level.",), _whole(5, 4000, " m")),
            Field("Nearest city", ("The city nearest to {x} is {v}.",), _CITIES),
            Field("Mayor", ("The mayor of {x} is {v}.", "{v} is mayor of {x}."), _PERSONS),
            Field("Average temperature", ("The average temperature in {x} is {v}.",), _tenths(-5, 30, " °C")),
            Field("Distance to the coast", ("{x} is {v} from the coast.",), _whole(1, 400, " km")),
        ),
    ),
    Kind(
        _POLICIES,
        (
            Field("Notice period", ("Under {x}, the notice period is {v}.",), _whole(5, 120, " days")),
            Field("Valid from", ("{x} is valid from {v}.", "{x} takes effect on {v}."), _date),
            Field("Contact", ("The contact for {x} is {v}.", "Questions about {x} go to {v}."), _PERSONS),
            Field("Fee", ("{x} sets a fee of {v}.",), _whole(5, 900, "", "$")),
            Field("Deadline", ("Under {x}, claims must be filed within {v}.",), _whole(3, 90, " days")),
            Field(
                "Approval",
                ("Under {x}, approval comes from {v}.",),
                _of("the manager, the board, the finance team, HR"),
            ),
            Field("Renewal", ("{x} is renewed every {v}.",), _of("month, quarter, year, two years")),
        ),
    ),
)

Row = list[tuple[Field, str]]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _state(field: Field, subject: str, value: str, rng: random.Random) -> str:
    return _capital(rng.choice(field.statements).format(x=subject, v=value))


def _as_text(subject: str, row: Row, rng: random.Random) -> str:
    """One record in one of the shapes that a retriever hands over."""
    name = _capital(subject)
    shape = rng.randrange(5)
    if shape == 0:
        return f"| {name} | " + " | ".join(f"{field.heading}: {value}" for field, value in row) + " |"
    if shape == 1:
        return f"{name}: " + "; ".join(f"{field.heading.lower()} {value}" for field, value in row)
    if shape == 2:
        return f"{name} " + " ".join(f"- {field.heading}: {value}" for field, value in row)
    if shape == 3:
        return f"{name}. " + ". ".join(f"{field.heading}: {value}" for field, value in row) + "."
    return " ".join(_state(field, subject, value, rng) for field, value in row)


def _as_table(subjects: Sequence[str], rows: Sequence[Row]) -> str:
    """A Markdown table of several records with the same fields."""
    header = "| Name | " + " | ".join(field.heading for field, _ in rows[0]) + " |"
    lines = [
        f"| {_capital(subject)} | " + " | ".join(value for _, value in row) + " |"
        for subject, row in zip(subjects, rows, strict=True)
    ]
    return " ".join([header, *lines])


def _other(field: Field, value: str, rng: random.Random, nearby: Sequence[str] = ()) -> str | None:
    near = [each for each in nearby if each != value]
    if near and rng.random() < 0.6:
        return rng.choice(near)
    for _ in range(5):
        other = field.value(rng)
        if other != value:
            return other
    return None


def record_pairs(rng: random.Random) -> list[Pair]:
    """A true and a false statement of one made-up record, and one it says nothing about."""
    kind = rng.choice(KINDS)
    subjects = rng.sample(kind.subjects, rng.choice([1, 1, 2, 3]))
    fields = rng.sample(kind.fields, rng.randint(2, min(5, len(kind.fields) - 1)))
    rows: list[Row] = [[(field, field.value(rng)) for field in fields] for _ in subjects]
    as_table = len(subjects) > 1 and rng.random() < 0.5
    premise = (
        _as_table(subjects, rows)
        if as_table
        else " ".join(_as_text(subject, row, rng) for subject, row in zip(subjects, rows, strict=True))
    )
    which = rng.randrange(len(subjects))
    place = rng.randrange(len(fields))
    field, value = rows[which][place]
    pairs = [Pair(premise, _state(field, subjects[which], value, rng), ENTAILMENT, "syn_record")]
    wrong = _other(field, value, rng, [row[place][1] for row in rows])
    if wrong is not None:
        pairs.append(Pair(premise, _state(field, subjects[which], wrong, rng), CONTRADICTION, "syn_record"))
    absent = rng.choice([each for each in kind.fields if each not in fields])
    said = _state(absent, subjects[which], absent.value(rng), rng)
    pairs.append(Pair(premise, said, NEUTRAL, "syn_record"))
    return pairs

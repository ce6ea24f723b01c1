"""Edits of dates: another date, the same date written otherwise, the same date less exactly."""

from __future__ import annotations

import random
import re

from training.synthetic.edits import CONTRADICTION, ENTAILMENT, NOT_ENTAILMENT, Edit, pick, put

MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_MONTH = "|".join(MONTHS)
_DAY_FIRST = re.compile(rf"\b(?P<day>\d{{1,2}}) (?P<month>{_MONTH}),? (?P<year>\d{{4}})\b")
_MONTH_FIRST = re.compile(rf"\b(?P<month>{_MONTH}) (?P<day>\d{{1,2}}),? (?P<year>\d{{4}})\b")
_ON_DATE = re.compile(
    rf"\b[Oo]n (?:(?P<day>\d{{1,2}}) (?P<month>{_MONTH})|(?P<month2>{_MONTH}) (?P<day2>\d{{1,2}})),? "
    r"(?P<year>\d{4})\b"
)
_MONTH_NAME = re.compile(rf"\b(?:{_MONTH})\b(?= \d)|(?<=\d )(?:{_MONTH})\b|(?<=[Ii]n )(?:{_MONTH})\b")
_MONTH_YEAR = re.compile(rf"\b[Ii]n (?P<month>{_MONTH}),? (?P<year>\d{{4}})\b")
_DAY = re.compile(
    rf"\b\d{{1,2}}(?= (?:{_MONTH})\b)|(?<=\b)(?:(?<=March )|(?<=April )|(?<=June )|(?<=July ))\d{{1,2}}\b(?!\d)"
)
YEAR = re.compile(r"(?<![\w,.$€£/–-])(?:1[0-9]\d\d|20[0-2]\d)(?![\w/–-]|,\d|\.\d)")
_IN_YEAR = re.compile(r"\b[Ii]n (?P<year>1[5-9]\d\d|20[0-2]\d)(?=[ .,;)]|$)(?! [A-Z])")
_DECADE = re.compile(r"\b(1[5-9]\d|20[0-2])0s\b")


def other_year(year: int, rng: random.Random) -> int:
    step = rng.choice([1, 1, 2, 3, 4, 5, 7, 10, 12, 20, 30, 100])
    return min(2026, year + step * rng.choice([-1, 1]))


def swap_year(text: str, rng: random.Random) -> str | None:
    match = pick(YEAR, text, rng)
    if match is None:
        return None
    known = {each[0] for each in YEAR.finditer(text)}
    year = str(other_year(int(match[0]), rng))
    return None if year in known else put(text, match, year)


def exchange_years(text: str, rng: random.Random) -> str | None:
    found = list(YEAR.finditer(text))
    if len(found) < 2:
        return None
    left, right = sorted(rng.sample(found, 2), key=lambda match: match.start())
    if left[0] == right[0]:
        return None
    return text[: left.start()] + right[0] + text[left.end() : right.start()] + left[0] + text[right.end() :]


def swap_month(text: str, rng: random.Random) -> str | None:
    match = pick(_MONTH_NAME, text, rng)
    if match is None:
        return None
    return put(text, match, rng.choice([month for month in MONTHS if month != match[0]]))


def swap_day(text: str, rng: random.Random) -> str | None:
    match = pick(_DAY, text, rng)
    if match is None:
        return None
    return put(text, match, str(rng.choice([day for day in range(1, 29) if day != int(match[0])])))


def swap_decade(text: str, rng: random.Random) -> str | None:
    match = pick(_DECADE, text, rng)
    if match is None:
        return None
    decade = int(match[1]) + rng.choice([-3, -2, -1, 1, 2])
    return put(text, match, f"{decade}0s")


def rewrite_date(text: str, rng: random.Random) -> str | None:
    """18 April 1974 <-> April 18, 1974, or 1974-04-18."""
    match = pick(_DAY_FIRST, text, rng) or pick(_MONTH_FIRST, text, rng)
    if match is None:
        return None
    day, month, year = match["day"], match["month"], match["year"]
    iso = f"{year}-{MONTHS.index(month) + 1:02d}-{int(day):02d}"
    forms = [f"{day} {month} {year}", f"{month} {day}, {year}", iso]
    return put(text, match, rng.choice([form for form in forms if form != match[0]]))


def coarsen_date(text: str, rng: random.Random) -> str | None:
    """on 18 April 1974 -> in April 1974, in 1974."""
    match = pick(_ON_DATE, text, rng)
    if match is None:
        return None
    start = "In" if match[0].startswith("O") else "in"
    month = match["month"] or match["month2"]
    return put(text, match, rng.choice([f"{start} {month} {match['year']}", f"{start} {match['year']}"]))


def coarsen_month(text: str, rng: random.Random) -> str | None:
    match = pick(_MONTH_YEAR, text, rng)
    return None if match is None else put(text, match, f"{match[0][:2]} {match['year']}")


def year_to_decade(text: str, rng: random.Random) -> str | None:
    match = pick(_IN_YEAR, text, rng)
    if match is None:
        return None
    return put(text, match, f"{match[0][:2]} the {match['year'][:3]}0s")


def year_to_wrong_decade(text: str, rng: random.Random) -> str | None:
    match = pick(_IN_YEAR, text, rng)
    if match is None:
        return None
    decade = int(match["year"][:3]) + rng.choice([-2, -1, 1, 2])
    return put(text, match, f"{match[0][:2]} the {decade}0s")


def year_to_bound(text: str, rng: random.Random) -> str | None:
    """in 1974 -> before 1980, after 1970."""
    match = pick(_IN_YEAR, text, rng)
    if match is None:
        return None
    year, gap = int(match["year"]), rng.choice([1, 3, 5, 10, 20])
    word, bound = rng.choice([("before", year + gap), ("after", year - gap)])
    return put(text, match, f"{word.capitalize() if match[0][0] == 'I' else word} {bound}")


def year_to_wrong_bound(text: str, rng: random.Random) -> str | None:
    match = pick(_IN_YEAR, text, rng)
    if match is None:
        return None
    year, gap = int(match["year"]), rng.choice([1, 3, 5, 10, 20])
    word, bound = rng.choice([("before", year - gap), ("after", year + gap)])
    return put(text, match, f"{word.capitalize() if match[0][0] == 'I' else word} {bound}")


EDITS = (
    Edit("year_swap", CONTRADICTION, swap_year, CONTRADICTION),
    Edit("year_exchange", CONTRADICTION, exchange_years, CONTRADICTION),
    Edit("month_swap", CONTRADICTION, swap_month, CONTRADICTION),
    Edit("day_swap", CONTRADICTION, swap_day, CONTRADICTION),
    Edit("decade_swap", CONTRADICTION, swap_decade, CONTRADICTION),
    Edit("wrong_decade", CONTRADICTION, year_to_wrong_decade, CONTRADICTION),
    Edit("wrong_bound", CONTRADICTION, year_to_wrong_bound, CONTRADICTION),
    Edit("date_rewrite", ENTAILMENT, rewrite_date, ENTAILMENT),
    Edit("date_coarsen", ENTAILMENT, coarsen_date, NOT_ENTAILMENT),
    Edit("month_coarsen", ENTAILMENT, coarsen_month, NOT_ENTAILMENT),
    Edit("year_decade", ENTAILMENT, year_to_decade, NOT_ENTAILMENT),
    Edit("year_bound", ENTAILMENT, year_to_bound, NOT_ENTAILMENT),
)

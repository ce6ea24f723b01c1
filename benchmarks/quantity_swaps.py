"""Measure the deterministic tier: planted swaps of numbers and dates, their supported twins, and NLI dev sets.

    python benchmarks/quantity_swaps.py --prose sentences.jsonl.gz --dev folder-of-nli-sets

A prose file holds {"text": ...} rows, an NLI set {"premise", "hypothesis", "label"} rows, both gzipped JSON lines.
The planting below has its own small patterns, so that it does not share the blind spots of what it measures.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

from longtracer.engine.facts import compare_facts, entity_mismatch, negation_mismatch

Edit = Callable[[re.Match[str], random.Random], str | None]

MONTHS = [
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
]  # fmt: skip
WORDS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_MONTH = "|".join(MONTHS)


def rows(path: Path) -> Iterator[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def another_number(match: re.Match[str], rng: random.Random) -> str:
    """A number of the same length and format that is at least a tenth away."""
    value = int(match.group().replace(",", ""))
    digits = len(str(value))
    while True:
        other = rng.randrange(10 ** (digits - 1) if digits > 1 else 1, 10**digits)
        if abs(other - value) > 0.1 * value:
            return f"{other:,}" if "," in match.group() else str(other)


LABELS = {
    "number", "no", "section", "season", "episode", "series", "chapter", "part", "volume", "channel", "highway",
    "route", "level", "phase", "grade",
}  # fmt: skip


def another_count(match: re.Match[str], rng: random.Random, *, whole: bool = True) -> str | None:
    """Another number for one that counts something: not for one that a name or label before it makes a name."""
    before = match.string[: match.start()].split()
    named = bool(before) and (before[-1].lower() in LABELS or (before[-1][0].isupper() and len(before) > 1))
    if named:
        return None
    return another_number(match, rng) if whole else ""


def another_label(match: re.Match[str], rng: random.Random) -> str:
    return another_number(match, rng)


def another_year(match: re.Match[str], rng: random.Random) -> str:
    return str(int(match.group()) + rng.choice([-30, -11, -5, -2, -1, 1, 2, 3, 7, 12]))


def another_month(match: re.Match[str], rng: random.Random) -> str:
    return rng.choice([month for month in MONTHS if month != match.group()])


def another_word(match: re.Match[str], rng: random.Random) -> str:
    word = rng.choice([word for word in WORDS if word != match.group().lower()])
    return word.capitalize() if match.group()[0].isupper() else word


def another_decimal(match: re.Match[str], rng: random.Random) -> str | None:
    if another_count(match, rng, whole=False) is None:
        return None
    whole, part = match.group().split(".")
    return (
        f"{max(0, int(whole) + rng.choice([-3, -2, 2, 4]))}.{part}" if int(whole) else f"{rng.randrange(2, 9)}.{part}"
    )


SWAPS: dict[str, tuple[str, Edit]] = {
    "year": (r"(?<=\bin )(?:1[6-9]|20)[0-9]{2}(?![\w-])", another_year),
    "any year": (r"(?<![\w.,/–-])(?:1[6-9]|20)[0-9]{2}(?![\w/–-]|[.,][0-9])", another_year),
    "month": (rf"\b(?:{_MONTH})(?= [0-9])", another_month),
    "day": (
        rf"(?<= )[0-9]{{1,2}}(?= (?:{_MONTH})\b)",
        lambda m, r: str(r.choice([d for d in range(1, 29) if d != int(m.group())])),
    ),
    "integer": (
        r"(?<=[a-z] )[0-9]{1,3}(?= [a-z])(?! (?:and|to|in|on|at|of|by|for|with|as|is|was|from|or)\b)",
        another_count,
    ),
    "thousands": (r"(?<![\w.,$€£])[0-9]{1,3}(?:,[0-9]{3})+(?![\w.,%])", another_number),
    "percent": (r"(?<![\w.,])[0-9]{1,2}(?=(?:%| percent| per cent))", another_number),
    "decimal": (r"(?<![\w.,])[0-9]{1,3}\.[0-9]{1,2}(?![\w.,])", another_decimal),
    "money": (r"(?<=[$€£])[0-9]{1,3}(?![\w.,])", another_number),
    "(identifier)": (
        r"(?:(?<=Channel )|(?<=Apollo )|(?<=Route )|(?<=Section )|(?<=Chapter ))[0-9]{1,3}(?![\w.,–-])",
        another_label,
    ),
    "word": (rf"\b(?:{'|'.join(WORDS)})(?= [a-z])(?! (?:of|and|or|to|hundred|thousand|million)\b)", another_word),
}


def with_commas(match: re.Match[str], rng: random.Random) -> str:
    return rng.choice([match.group().replace(",", ""), match.group().replace(",", " ")])


def with_thousands(match: re.Match[str], rng: random.Random) -> str:
    return f"{int(match.group()):,}"


def spelled(match: re.Match[str], rng: random.Random) -> str | None:
    value = int(match.group())
    counts = another_count(match, rng, whole=False) is not None and not match.string[: match.start()].endswith(
        tuple(f"{month} " for month in MONTHS)
    )
    return WORDS[value - 2] if 2 <= value <= 12 and counts else None


def in_digits(match: re.Match[str], rng: random.Random) -> str:
    return str(WORDS.index(match.group().lower()) + 2)


def percent_word(match: re.Match[str], rng: random.Random) -> str:
    return "%" if match.group().startswith(" ") else " percent"


def other_date_format(match: re.Match[str], rng: random.Random) -> str:
    month, day, year = match["month"], int(match["day"]), match["year"]
    number = MONTHS.index(month) + 1
    return rng.choice([
        f"{day} {month} {year}", f"{day} {month[:3]} {year}", f"{month} {day}, {year}", f"{year}-{number:02}-{day:02}",
        f"{number}/{day}/{year}", f"{day:02}.{number:02}.{year}", f"{month} {year}",
    ])  # fmt: skip


def in_millions(match: re.Match[str], rng: random.Random) -> str | None:
    if _in_range(match):
        return None
    value = match["value"]
    return rng.choice([f"{value}m", f"{value}M", f"{float(value) * 1e6:,.0f}"])


def _in_range(match: re.Match[str]) -> bool:
    """Whether the number is the end of a range, whose other end would keep the old unit."""
    return re.search(r"(?:\b(?:to|and|or)|[-–]) ?$", match.string[: match.start()]) is not None


def kilometres_to_miles(match: re.Match[str], rng: random.Random) -> str | None:
    return None if _in_range(match) else f"{float(match['value'].replace(',', '')) * 0.621371:,.1f} miles"


def miles_to_kilometres(match: re.Match[str], rng: random.Random) -> str | None:
    return None if _in_range(match) else f"{float(match['value'].replace(',', '')) * 1.609344:,.1f} km"


def hours_to_minutes(match: re.Match[str], rng: random.Random) -> str | None:
    return None if _in_range(match) else f"{int(match['value']) * 60} minutes"


def rounded(match: re.Match[str], rng: random.Random) -> str | None:
    if _in_range(match):
        return None
    value = int(match.group().replace(",", ""))
    return f"about {round(value, 1 - len(str(value)) + 1):,}"


TWINS: dict[str, tuple[str, Edit]] = {
    "separators off": (r"(?<![\w.,])[0-9]{1,3}(?:,[0-9]{3})+(?![\w.,])", with_commas),
    "separators on": (r"(?<![\w.,/–-])[0-9]{5,9}(?![\w.,/–-])", with_thousands),
    "digits to words": (r"(?<=[a-z] )[0-9]{1,2}(?= [a-z])", spelled),
    "words to digits": (rf"\b(?:{'|'.join(WORDS)})(?= [a-z])", in_digits),
    "percent sign": (r"(?<=[0-9])(?:%| percent\b)", percent_word),
    "date format": (rf"\b(?P<month>{_MONTH}) (?P<day>[0-9]{{1,2}}), (?P<year>[12][0-9]{{3}})", other_date_format),
    "date format 2": (
        rf"(?<![0-9–-])(?P<day>[0-9]{{1,2}}) (?P<month>{_MONTH}) (?P<year>[12][0-9]{{3}})",
        other_date_format,
    ),
    "millions": (r"(?<![\w.,])(?P<value>[0-9]{1,3}(?:\.[0-9])?) million", in_millions),
    "km to miles": (
        r"(?<![\w.,–-])(?P<value>[0-9][0-9,]*(?:\.[0-9]+)?) (?:km|kilometers|kilometres)\b(?! ?[2²/])",
        kilometres_to_miles,
    ),
    "miles to km": (r"(?<![\w.,–-])(?P<value>[0-9][0-9,]*(?:\.[0-9]+)?) miles\b(?! per| an)", miles_to_kilometres),
    "hours to minutes": (r"(?<![\w.,–-])(?P<value>[0-9]{1,2}) hours\b(?!,? (?:and )?[0-9])", hours_to_minutes),
    "rounded": (
        r"(?<![\w.,$€£–-])(?<!about )(?<!around )(?<!mately )[1-9][0-9]{0,2}(?:,[0-9]{3})+(?![\w.,%])",
        rounded,
    ),
}


def planted(
    texts: list[str], edits: dict[str, tuple[str, Edit]], rng: random.Random, most: int
) -> Iterator[tuple[str, str, str]]:
    """(kind, original, edited copy): one edit in each."""
    for kind, (source, edit) in edits.items():
        pattern, made = re.compile(source), 0
        for text in texts:
            match = next(pattern.finditer(text), None) if made < most else None
            replacement = edit(match, rng) if match else None
            if match is None or replacement is None or _stated_elsewhere(text, match, replacement):
                continue
            made += 1
            yield kind, text, text[: match.start()] + replacement + text[match.end() :]


def _stated_elsewhere(text: str, match: re.Match[str], replacement: str) -> bool:
    rest = text[: match.start()] + " " + text[match.end() :]
    return re.search(rf"(?<!\w){re.escape(replacement)}(?!\w)", rest, re.IGNORECASE) is not None


def clauses(texts: list[str]) -> Iterator[tuple[str, str, str]]:
    """Twins that only drop the last clause."""
    for text in texts:
        head, comma, _ = text.rpartition(", ")
        if comma and len(head) > 40 and re.search(r"[0-9]", head):
            yield "dropped clause", text, head + "."


_NAME = re.compile(r"(?<=[a-z] )(?:[A-Z][a-z]{2,}(?: [A-Z][a-z]{2,})?)(?= (?:[a-z]|\())")
_VERB = re.compile(r"(?<= )(?:is|was|are|were|can|will|has been|have been)(?= [a-z])(?! (?:not|no|also|only)\b)")


def renamed(texts: list[str], rng: random.Random, most: int) -> Iterator[tuple[str, str]]:
    """(original, copy with one name replaced by a name of another sentence)."""
    named = [(text, match) for text in texts if (match := _NAME.search(text))][: most + 1]
    for (text, match), (_, other) in pairwise(named):
        if other.group()[:4] != match.group()[:4] and other.group() not in text:
            yield text, text[: match.start()] + other.group() + text[match.end() :]


def negated(texts: list[str], most: int) -> Iterator[tuple[str, str]]:
    """(original, copy with "not" after its first verb)."""
    found = [(text, match) for text in texts if (match := _VERB.search(text)) and " not " not in text][:most]
    for text, match in found:
        end = match.end() if " " not in match.group() else match.start() + match.group().index(" ")
        yield text, text[:end] + " not" + text[end:]


def contracted(texts: list[str], most: int) -> Iterator[tuple[str, str]]:
    """(original, copy with "is not" as "isn't"): a twin that denies nothing."""
    pattern = re.compile(r"\b(is|was|are|were|does|did|has|could|would) not\b")
    yield from [(text, pattern.sub(r"\1n't", text)) for text in texts if pattern.search(text)][:most]


def show_words(texts: list[str], most: int) -> None:
    """Print how often a planted name or negation is noticed, and how often a harmless twin is."""
    swapped = list(renamed(texts, random.Random(3), most))
    hits = sum(entity_mismatch(claim, text) is not None for text, claim in swapped)
    print(f"swap     name               n={len(swapped):6}  flagged {hits / max(1, len(swapped)):6.1%}")
    for title, pairs in (
        ("swap     negation        ", list(negated(texts, most))),
        ("twin     contraction     ", list(contracted(texts, most))),
    ):
        hits = sum(negation_mismatch(claim, text) for text, claim in pairs)
        print(f"{title}   n={len(pairs):6}  flagged {hits / max(1, len(pairs)):6.1%}")


def show(title: str, cases: Iterator[tuple[str, str, str]], examples: str, wanted: set[str]) -> None:
    """Print the share of each verdict for each kind, and some of the cases that have none of the `wanted` ones."""
    counts: dict[str, Counter[str]] = {}
    for kind, text, claim in cases:
        check = compare_facts(claim, [text])
        verdict = check.verdict.value
        counts.setdefault(kind, Counter())[verdict] += 1
        if verdict not in wanted and examples in (kind, "all"):
            pairs = [(f.claim.text, f.stated.text if f.stated else None) for f in (*check.different, *check.missing)]
            print(f"    {kind} {verdict} {pairs}: {claim}\n        FROM {text}")
    for kind, found in [*counts.items(), ("all", sum((c for k, c in counts.items() if k[0] != "("), Counter()))]:
        total = sum(found.values())
        shares = "  ".join(f"{name} {count / total:6.1%}" for name, count in found.most_common())
        print(f"{title:8} {kind:18} n={total:6}  {shares}")


def dev_table(folder: Path, examples: str) -> None:
    """For each set and label: how often each mechanism fires."""
    for path in sorted(folder.glob("*.jsonl.gz")):
        counts: dict[str, Counter[str]] = {}
        for row in rows(path):
            check = compare_facts(row["hypothesis"], [row["premise"]])
            found = counts.setdefault(row["label"], Counter())
            found.update(["n", check.verdict.value])
            negated = negation_mismatch(row["hypothesis"], row["premise"])
            renamed = entity_mismatch(row["hypothesis"], row["premise"]) is not None
            found.update(["negation"] * negated + ["entity"] * renamed)
            if row["label"] == "entailment" and examples in (path.name.split(".")[0], "all"):
                marks = [check.verdict.value] + ["negation"] * negated + ["entity"] * renamed
                if {"differs", "negation", "entity"} & set(marks):
                    pairs = [(f.claim.text, f.stated.text if f.stated else None) for f in check.different]
                    print(f"    {marks} {pairs}\n      H {row['hypothesis'][:400]}\n      P {row['premise'][:600]}")
        for label, found in sorted(counts.items()):
            cells = "  ".join(f"{name} {found[name]:5}" for name in ("differs", "missing", "negation", "entity"))
            print(f"{path.name.split('.')[0]:26} {label:14} n={found['n']:6}  {cells}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--prose", type=Path)
    parser.add_argument("--dev", type=Path)
    parser.add_argument("--most", type=int, default=400, help="cases of each planted kind")
    parser.add_argument("--seed", type=int, default=0, help="order of the sentences, hence which are edited")
    parser.add_argument("--examples", default="", help="print the misses of this kind or set, or of 'all'")
    arguments = parser.parse_args()
    if arguments.prose:
        texts = [row["text"] for row in rows(arguments.prose)]
        random.Random(arguments.seed).shuffle(texts)
        swapped = planted(texts, SWAPS, random.Random(1), arguments.most)
        show("swap", swapped, arguments.examples, {"differs"})
        twins = planted(texts, TWINS, random.Random(2), arguments.most)
        show("twin", twins, arguments.examples, {"consistent", "no_quantities"})
        show_words(texts, arguments.most)
        show("twin", clauses(texts[:20000]), arguments.examples, {"consistent", "no_quantities"})
    if arguments.dev:
        dev_table(arguments.dev, arguments.examples)


if __name__ == "__main__":
    main()

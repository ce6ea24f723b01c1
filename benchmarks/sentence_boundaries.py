"""Compares sentence splitters on sentences that were reported as split wrongly; prints a Markdown table.

    python benchmarks/sentence_boundaries.py

Each library runs where it is installed (`pip install sentencex pysbd syntok spacy`); one that is missing is left
out. A row is right when the trimmed sentences are exactly the expected ones. The time is that of 10 kB of the
pattern "[111 " and of 10 kB of ordinary sentences, in milliseconds.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Iterable

Splitter = Callable[[str], Iterable[str]]

ROWS: dict[str, list[str]] = {
    "U1": ["Okoro et al. [2019] measured 14 lakes."],
    "U3": ["The fine was £1.6m in total."],
    "U4": ["The Ph.D.'s thesis covers bees."],
    "U4b": ["The M.D.: a doctor of medicine.", "He left."],
    "U6": ["1) It is red.", "2) It is red."],
    "U9": ["Sales rose -- a record.", "Costs fell 3%.", "Staff doubled."],
    "U10": ["1. Diameter is 38 mm.", "2. Weight is 26 g."],
    "U13": ["The tower was\nfinished in 1889."],
    "U14": ["东京是日本的首都。", "人口是一百万。"],
    "U15": ["The first match was on 15 Jan 1967"],
    "U22": ["😀 Fee is 5.", "Cap is 9."],
    "U46": ["Paris is in France.[1]", "Oslo is in Norway [7]."],
    "U66": ["The fee is 3.5 euros.", "Call us."],
    "country": ["The U.S. economy grew.", "See Fig. 3 for details of the growth."],
    "year in brackets": ["Smith et al. [2004] found it.", "It was new."],
    "initials": ["J. K. Rowling wrote it.", "It sold."],
    "titles": ["Mr. Smith met Dr. Jones at St. Mary's.", "They left."],
    "e.g. and i.e.": ["Use a mirror, e.g. the one in Oslo, i.e. the nearest.", "It is cheap."],
    "version": ["Version v1.2.3 fixes it.", "It is out."],
    "approx.": ["It costs approx. 5 euros.", "It is new."],
    "clock": ["The meeting is at 5 p.m. Monday.", "It is long."],
    "quotation": ["He said “It works.”", "Then he left."],
    "speech": ['"It works," he said.', "Then he left."],
    "parenthesis": ["(It is red.)", "It is blue."],
    "ellipsis character": ["It is long…", "The end is near."],
    "lower case": ["it is red.", "i like it.", "it is blue."],
    "no space": ["Prices rose 5%.", "Costs fell a bit."],
    "answer no": ["No.", "Pro costs $25."],
    "number no.": ["No. 5 is alive.", "It sings."],
    "decimal": ["It rose by 2.5 percent.", "It fell by .5 percent."],
    "URL": ["See https://a.b/c.d?e=f.", "It is long."],
    "Hindi": ["यह लाल है।", "वह नीला है।"],
    "company": ["Acme Inc. employs 40 people.", "It is big."],
}


def joined(sentences: list[str]) -> str:
    """The sentences as a writer would join them."""
    glue = "" if any(sentence[-1] > "\u3000" for sentence in sentences) or sentences[0].endswith("%.") else " "
    return glue.join(sentences)


def ours() -> Splitter:
    """`longtracer.engine.text.sentences`."""
    module = importlib.import_module("longtracer.engine.text.sentences")
    return lambda text: [text[start:end] for start, end in module.sentence_spans(text)]


def sentencex() -> Splitter:
    """Wikimedia's library, as it is."""
    module = importlib.import_module("sentencex")
    return lambda text: module.segment("en", text)


def pysbd() -> Splitter:
    """The port of the Pragmatic Segmenter."""
    module = importlib.import_module("pysbd")
    return module.Segmenter(language="en", clean=False).segment  # type: ignore[no-any-return]


def syntok() -> Splitter:
    """The segmenter of syntok."""
    module = importlib.import_module("syntok.segmenter")
    return lambda text: [
        "".join(token.spacing + token.value for token in sentence)
        for paragraph in module.process(text)
        for sentence in paragraph
    ]


def spacy() -> Splitter:
    """spaCy's rule-based sentencizer."""
    nlp = importlib.import_module("spacy").blank("en")
    nlp.add_pipe("sentencizer")
    return lambda text: [sentence.text for sentence in nlp(text).sents]


def milliseconds(split: Splitter, text: str) -> float:
    """How long one call takes."""
    start = time.perf_counter()
    list(split(text))
    return 1000 * (time.perf_counter() - start)


def available() -> dict[str, Splitter]:
    """The splitters that are installed here, by name."""
    found = {}
    for name, make in {"ours": ours, "sentencex": sentencex, "pysbd": pysbd, "syntok": syntok, "spaCy": spacy}.items():
        try:
            found[name] = make()
        except ImportError:
            print(f"<!-- {name} is not installed here -->")
    return found


def main() -> None:
    """Print the table."""
    splitters = available()
    print("| row | text | " + " | ".join(splitters) + " |")
    print("|---|---|" + "---|" * len(splitters))
    right = dict.fromkeys(splitters, 0)
    for row, sentences in ROWS.items():
        text = joined(sentences)
        marks = []
        for name, split in splitters.items():
            found = [sentence.strip() for sentence in split(text) if sentence.strip()]
            right[name] += found == sentences
            marks.append("yes" if found == sentences else f"no ({len(found)})")
        shown = text.replace("\n", "⏎").replace("|", "\\|")
        print(f"| {row} | {shown} | " + " | ".join(marks) + " |")
    print(f"| right | of {len(ROWS)} | " + " | ".join(str(count) for count in right.values()) + " |")
    for title, text in {
        '10 kB of "[111 "': "[111 " * 2_000,
        "10 kB of sentences": "The fee is 5 euros. " * 500,
    }.items():
        times = (f"{milliseconds(split, text):.0f} ms" for split in splitters.values())
        print(f"| time | {title} | " + " | ".join(times) + " |")


if __name__ == "__main__":
    main()

"""Which headings state something: "Pro costs $99 per month" does, "Refund policy" and "How to get a refund" do not.

A heading is a title unless something says otherwise, because most words that can be a verb can be a noun or a
participle too ("Shipping costs", "Plans offered"). So a verb counts only with a subject before it and with something
behind it, and an ambiguous one only before a number or a determiner.
"""

from __future__ import annotations

import re

from .markers import enumerator_length
from .smalltalk import statement_in_question
from .verbs import is_base_form, is_inflected, is_participle
from .word_sets import word_set

__all__ = ["is_statement_heading"]

_SENTENCE = re.compile(r"(?:\S+\s+){3,}\S*[.!]\W*$")
_MOST_CHARACTERS = 300
_TOKEN = re.compile(r"[$€£¥]?\d[\d.,]*%?|[^\W\d_]+(?:['’-][^\W\d_]+)*")
_AUXILIARIES = word_set(
    "is are was were am has have had do does did will would can could may might must shall should cannot"
)
_SUBJECT_AND_VERB = word_set("it's he's she's there's that's they're we're you're i'm it’s he’s she’s there’s that’s")
_ASKING = word_set("who whom whose what which when where why how whether if")
_SUBORDINATING = _ASKING | word_set("that to because while as than")
"""Behind one of these a verb belongs to a clause: "Features that are included", "Things to know"."""
_PRONOUNS = word_set("i you he she it we they")
_NOUNS_TOO = word_set(
    "cost offer support need use work open close start end live rise charge last measure cover hold run return help"
    " increase decrease fall drop double triple win play lead move change form build buy plan ship limit raise total"
    " average range claim name show state report release launch cause treat cure cut pass miss feature rank score host"
    " study star direct air concern record answer order stay visit travel walk sleep drink sound taste smell feel look"
    " talk leave function result update design base call share list rate value produce describe suggest"
)
"""Verbs whose forms are nouns, or stand in titles as if they were."""
_OBJECT = word_set(
    "the a an its his her their our your my this these those all no every each not never up about around only"
    " approximately two three four five six seven eight nine ten"
)
"""What stands behind a verb with an object, and behind no noun."""
_LABELLED = re.compile(
    r"(?P<label>[^:：]{1,80}?)(?:\s*[:：]\s+|\s[–—-]\s|\s*\()(?:about |approx\.? |around |up to |from |only )?"
    r"(?P<value>(?:US)?[$€£¥]\s?\d|\d[\d.,]*\s?(?:%|[$€£¥]|[^\W\d_]{1,12}\b)|\d[\d.,]*\W*$)",
    re.IGNORECASE,
)
_NUMBERED_PART = re.compile(
    r"\W*(?:step|chapter|part|section|phase|stage|lesson|module|unit|day|week|month|year|quarter|appendix|figure|table"
    r"|option|question|answer|tip|rule|item|example|case|version|level|round|task|exercise|top|q|no\.?|#)?"
    r"(?:\s?[\d.]{1,6}|\s[ivx]{1,5}|\s[a-z])?\W*",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\d{4}\W*$")
_MONEY = re.compile(r"[$€£¥%]")


def is_statement_heading(text: str) -> bool:
    """Whether the heading `text`, without its `#`, is a statement to judge and not the title of what follows."""
    if _SENTENCE.match(text):
        return True
    if len(text) > _MOST_CHARACTERS:
        return False
    body = text.strip().strip("*_ ")
    body = body[enumerator_length(body, 0, len(body)) :]
    if body.endswith(("?", "？")):
        return statement_in_question(body) is not None
    return _has_predicate(body) or _gives_value(body)


def _has_predicate(body: str) -> bool:
    words = [match.group().lower() for match in _TOKEN.finditer(body)]
    if len(words) < 3 and words[:1] and words[0] not in _SUBJECT_AND_VERB:
        return False
    if not words or words[0] in _SUBORDINATING | _AUXILIARIES:
        return False
    if words[0] in _SUBJECT_AND_VERB:
        return len(words) > 1
    for at in range(1, len(words) - 1):
        if words[at] in _SUBORDINATING or (at > 1 and words[at - 1] in _PRONOUNS):
            return False
        if _is_verb(words[at - 1], words[at], words[at + 1 :]):
            return True
    return False


def _is_verb(before: str, word: str, following: list[str]) -> bool:
    after = following[0]
    if before in {"and", "or", "of", "the", "a", "an", "for", "in", "with", "by", "no"}:
        return False
    if word in _AUXILIARIES:
        # "Release notes May 2024"
        return word != "may" or not after[0].isdigit()
    if word.endswith(("n't", "n’t")):
        return True
    takes_object = after in _OBJECT or not after[0].isalpha()
    if is_base_form(word):
        # "Refunds take 5 days"; "Sales report 2023" is a title.
        return before.endswith("s") and ((word not in _NOUNS_TOO and takes_object) or bool(_MONEY.match(after)))
    if not is_inflected(word):
        return False
    ambiguous = is_participle(word) or word.removesuffix("s") in _NOUNS_TOO or word.removesuffix("es") in _NOUNS_TOO
    # "Sales increased by 12%"; "Changes introduced by the act" is a title.
    by_how_much = after == "by" and len(following) > 1 and not following[1][0].isalpha()
    return takes_object or by_how_much or not ambiguous


def _gives_value(body: str) -> bool:
    """ "Fee: $25", "Pro – $25/month", "Refund window: 90 days"; "Step 2: 5 plans" and "Report: 2023" are titles."""
    match = _LABELLED.match(body)
    if match is None or _NUMBERED_PART.fullmatch(match["label"]):
        return False
    if not _YEAR.match(body, match.start("value")):
        return bool(_MONEY.search(body, match.start("value"))) or ":" in body[match.end("label") : match.start("value")]
    return any(is_participle(word) for word in match["label"].lower().split())

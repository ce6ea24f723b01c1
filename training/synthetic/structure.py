"""Edits of a sentence's build: parts left out, parts moved, and parts that were never there."""

from __future__ import annotations

import random
import re

from training.synthetic.edits import ENTAILMENT, NOT_ENTAILMENT, Edit, pick

_PARENTHESIS = re.compile(r" ?\([^()]{2,120}\)")
_GUARD = re.compile(
    r"\b(?:if|unless|not|no|never|without|except|whether|only|or|neither|nor|denied|false|hardly|would|until|least|few)\b|n't",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    r", (?:which|who|where|whose|although|though|while|when|including|such as|making|becoming) [^,;]{8,}(?P<end>[.,])"
)
_FRONT = re.compile(
    r"^(?P<part>(?:In|On|At|During|After|Before|Since|By|From|Throughout|Following|Within) [^,.;]{3,50}), "
    r"(?P<rest>[A-Za-z].{20,})$"
)
_TAIL_YEAR = re.compile(
    r"^(?P<head>[^,;:]{25,160}) "
    r"(?P<part>in (?:[A-Z][a-z]+ )?\d{4}|on [A-Z][a-z]+ \d{1,2}, \d{4}|on \d{1,2} [A-Z][a-z]+ \d{4})\.$"
)
_AND_VERB = re.compile(
    r"^(?P<head>[^,;]{20,}?),? and "
    r"(?P<rest>(?:was|is|has|had|won|became|played|served|received|made|led|wrote|directed|later|also) .{10,})$"
)
_CLAUSES = re.compile(
    r"^(?P<head>[^;]{25,}?)(?:;|, and|, but) (?P<rest>(?:he|she|it|they|the|this|there|his|her|in) [^;]{15,})$"
)
_APPOSITION = re.compile(
    r"^(?P<name>[A-Z][\w.'-]+(?: [A-Z][\w.'-]+){0,3}), (?P<what>(?:an?|the) [a-z][^,()]{5,70}), "
    r"(?P<rest>(?:is|was|has|had|will|[a-z]+ed|won|said|wrote|made|became) .{10,})$"
)
_BORN = re.compile(
    r"^(?P<name>[A-Z][^(),]{3,45}?) \((?:[^()]*?; )?"
    r"born (?P<date>[^(),;]{4,30}(?:, \d{4})?)(?:[,;][^()]*)?\) (?P<verb>is|was) (?P<what>.{10,})$"
)
_LIST = re.compile(
    r"(?P<first>[A-Z][\w'-]+(?: [A-Z][\w'-]+){0,2}), (?P<second>[A-Z][\w'-]+(?: [A-Z][\w'-]+){0,2}),? and "
    r"(?P<third>[A-Z][\w'-]+(?: [A-Z][\w'-]+){0,2})"
)
_PASSIVE = re.compile(
    r"^(?P<what>(?:The |A )?[A-Z][^,;()]{4,70}?) was "
    r"(?P<verb>directed|written|produced|founded|created|released|designed|published|developed|invented|discovered|"
    r"painted|composed|recorded|established|built|owned|acquired) by "
    r"(?P<who>[A-Z][\w.'-]+(?: [A-Z][\w.'-]+){0,3})(?P<rest>(?: in \d{4})?\.)$"
)
_ACTIVE_FORM = {"written": "wrote", "built": "built"}
_VERB = re.compile(r"\b(?:is|are|was|were|has|have|had|did|that)\b")
_PARTICIPLE_END = re.compile(r"\b(?:\w+ed|written|made|known|built)$")
_COMMON_START = frozenset(
    (
        "A", "An", "He", "Her", "His", "It", "Its", "Many", "Most", "She", "Some", "That", "The",
        "Their", "There", "These", "They", "This", "Those",
    )
)  # fmt: skip


def _ended(text: str) -> str:
    text = text.rstrip(" ,;:")
    return text if text.endswith((".", "!", "?")) else text + "."


def _lower_start(text: str) -> str:
    word = text.split(" ", 1)[0]
    return text[0].lower() + text[1:] if word in _COMMON_START else text


def _upper_start(text: str) -> str:
    return text[:1].upper() + text[1:]


def drop_parenthesis(text: str, rng: random.Random) -> str | None:
    match = pick(_PARENTHESIS, text, rng)
    return None if match is None else text[: match.start()] + text[match.end() :]


def drop_relative(text: str, rng: random.Random) -> str | None:
    match = pick(_RELATIVE, text, rng)
    if match is None or _GUARD.search(text):
        return None
    return _ended(text[: match.start()] + text[match.end() :]) if match["end"] == "," else text[: match.start()] + "."


def drop_front(text: str, rng: random.Random) -> str | None:
    match = _FRONT.match(text)
    if match is None or _GUARD.search(text) or _VERB.search(match["part"]):
        return None
    return _upper_start(match["rest"])


def front_to_tail(text: str, rng: random.Random) -> str | None:
    """In 1999, X moved. -> X moved in 1999."""
    match = _FRONT.match(text)
    if (
        match is None
        or _VERB.search(match["part"])
        or len(match["rest"]) > 140
        or re.search(r"[,;:]", match["rest"])
        or not text.endswith(".")
    ):
        return None
    return f"{_upper_start(match['rest'].rstrip('.'))} {match['part'][0].lower()}{match['part'][1:]}."


def tail_to_front(text: str, rng: random.Random) -> str | None:
    match = _TAIL_YEAR.match(text)
    if match is None or " that " in match["head"]:
        return None
    return f"{_upper_start(match['part'])}, {_lower_start(match['head'])}."


def drop_tail_date(text: str, rng: random.Random) -> str | None:
    match = _TAIL_YEAR.match(text)
    return None if match is None or _GUARD.search(text) else match["head"] + "."


def first_predicate(text: str, rng: random.Random) -> str | None:
    match = _AND_VERB.match(text)
    if match is None or _GUARD.search(text) or _PARTICIPLE_END.search(match["head"]):
        return None
    return _ended(match["head"])


def first_clause(text: str, rng: random.Random) -> str | None:
    match = _CLAUSES.match(text)
    return None if match is None or _GUARD.search(match["head"]) else _ended(match["head"])


def apposition_only(text: str, rng: random.Random) -> str | None:
    match = _APPOSITION.match(text)
    if match is None:
        return None
    past = match["rest"].split(" ", 1)[0] not in ("is", "has", "will")
    return f"{match['name']} {'was' if past else 'is'} {match['what']}."


def drop_apposition(text: str, rng: random.Random) -> str | None:
    match = _APPOSITION.match(text)
    return None if match is None else f"{match['name']} {match['rest']}"


def born_only(text: str, rng: random.Random) -> str | None:
    match = _BORN.match(text)
    if match is None:
        return None
    date = match["date"].strip()
    if rng.random() < 0.5:
        return f"{match['name']} {match['verb']} {match['what']}"
    return f"{match['name']} was born {'in' if date.isdigit() else 'on'} {date}."


def shorten_list(text: str, rng: random.Random) -> str | None:
    match = pick(_LIST, text, rng)
    if match is None or _GUARD.search(text):
        return None
    kept = rng.sample([match["first"], match["second"], match["third"]], 2)
    return text[: match.start()] + " and ".join(kept) + text[match.end() :]


def passive_to_active(text: str, rng: random.Random) -> str | None:
    """The film was directed by X. -> X directed the film."""
    match = _PASSIVE.match(text)
    if match is None or match["verb"] == "released":
        return None
    verb = _ACTIVE_FORM.get(match["verb"], match["verb"])
    return _ended(f"{match['who']} {verb} {_lower_start(match['what'])}{match['rest'].rstrip('.')}")


def join_sentences(left: str, right: str) -> str | None:
    """One sentence that says what two say."""
    if not left.endswith(".") or len(left) + len(right) > 320:
        return None
    return f"{left[:-1]}, and {_lower_start(right)}"


EDITS = (
    Edit("drop_parenthesis", ENTAILMENT, drop_parenthesis, NOT_ENTAILMENT),
    Edit("drop_relative", ENTAILMENT, drop_relative, NOT_ENTAILMENT),
    Edit("drop_front", ENTAILMENT, drop_front, NOT_ENTAILMENT),
    Edit("front_to_tail", ENTAILMENT, front_to_tail, ENTAILMENT),
    Edit("tail_to_front", ENTAILMENT, tail_to_front, ENTAILMENT),
    Edit("drop_tail_date", ENTAILMENT, drop_tail_date, NOT_ENTAILMENT),
    Edit("first_predicate", ENTAILMENT, first_predicate, NOT_ENTAILMENT),
    Edit("first_clause", ENTAILMENT, first_clause, NOT_ENTAILMENT),
    Edit("apposition_only", ENTAILMENT, apposition_only, NOT_ENTAILMENT),
    Edit("drop_apposition", ENTAILMENT, drop_apposition, NOT_ENTAILMENT),
    Edit("born_only", ENTAILMENT, born_only, NOT_ENTAILMENT),
    Edit("shorten_list", ENTAILMENT, shorten_list),
    Edit("passive_to_active", ENTAILMENT, passive_to_active, ENTAILMENT),
)

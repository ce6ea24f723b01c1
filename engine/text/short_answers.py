"""A short answer as a statement, formed with the question it answers.

"Berlin." says nothing alone; asked "What is the capital of Germany?" it says "The capital of Germany is Berlin."
The forms covered are in the table of `docs/claims.md`. A question of another form is joined with its answer
("Why did it close? Because of the flood."), which models read almost as well.
"""

from __future__ import annotations

import re

from .question_words import ATTRIBUTES, DIMENSIONS, MODALS, NO, PRONOUNS, TIMES, TRAITS, YES
from .verbs import has_verb, is_base_form, is_finite, is_participle, past_form, third_person

__all__ = ["answers_itself", "form_answer", "is_short_answer"]

_MAX_WORDS = 12
_QUESTION = re.compile(
    r"\s*(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|am|do|does|did|can|could|will|would"
    r"|should|has|have"
    r"|had|may|might|must|(?:in|on|at|by|for|from|to|with|of|under) (?:what|which|whom|whose))\b",
    re.IGNORECASE,
)
_POLITE = re.compile(
    r"(?:please,? )?(?:(?:can|could|would) you (?:please )?(?:tell me|say|explain)|tell me|do you know|i want to know"
    r"|i would like to know)[,:]? (?=wh|how)",
    re.IGNORECASE,
)
_WH_IS = re.compile(r"\b(who|what|where|when|how)['’]s\b", re.IGNORECASE)
_LABEL = re.compile(r"(?:q|question|faq)\s?\d{0,2}\s?[:.]\s+", re.IGNORECASE)
_REPLY_LABEL = re.compile(r"^(?:a|ans|answer)\s?:\s+", re.IGNORECASE)
_TO_READER = re.compile(r"\b(?:you|your|yours|i|me|my)\b", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:The|A|An|In|On|At|By|From|About|Around|Every|Yes|No) ")
_OWN_SUBJECT = re.compile(r"(?:i|we|they|he|she|it|this|that|these|those|there|you)\b", re.IGNORECASE)
_PAST = re.compile(r"(?<!\bthe)(?<!\ba)(?<!\ban)(?<!\bof)(?<!\bin)(?<!\band) [a-z]{2,}ed [\w$€£]")
_WH_AT_END = re.compile(r"\b(?:what|which|whom|who)\b(?P<noun>(?: [^\s,;?]+){0,6})$", re.IGNORECASE)
_OPTIONS = re.compile(r",? (?:between )?(?:the )?([^,]{2,60}),? or (?:the )?([^,]{2,60})$")
_PREPOSITION = re.compile(
    r"(?:in|on|at|by|from|to|near|since|until|till|before|after|during|between|around|about|under|over|above"
    r"|below|within"
    r"|inside|outside|behind|for|with|through|throughout|across|along|every|each|early|late|next|last|yesterday|today"
    r"|tomorrow|always|never|daily|weekly|monthly|annually|once|twice|online|abroad|there|here|upstairs"
    r"|downstairs)\b",
    re.IGNORECASE,
)
_DAY = re.compile(
    r"\b\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|(?:jan|feb|mar|apr"
    r"|may|jun|jul"
    r"|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2}\b(?!\d)|\d{4}-\d\d-\d\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"\d{1,2}(?::\d\d)?\s?(?:a\.?m|p\.?m|o'clock)|\d{1,2}:\d\d|noon|midnight", re.IGNORECASE)


def is_short_answer(text: str, question: str) -> bool:
    """Whether `text` says nothing without `question`: no verb, no subject of its own, or just yes or no."""
    if not (question.rstrip().endswith("?") or _QUESTION.match(question)):
        return False
    text = _REPLY_LABEL.sub("", text, count=1)
    if _polarity(text) is not None:
        return True
    words = text.split()
    if len(words) > _MAX_WORDS or has_verb(text) or _OWN_SUBJECT.match(text) or _PAST.search(text):
        return False
    # "Anna and Bob play chess." repeats what was asked about: a sentence, whatever its verb.
    return len(words) < 4 or " ".join(words[:2]).lower() not in question.lower()


def answers_itself(text: str) -> bool:
    """Whether `text` is a question about the world, which who asks it may answer; "Would you like more?" is none."""
    asked = text.strip()
    if not asked.endswith(("?", "？")) or _TO_READER.search(asked):
        return False
    return bool(_QUESTION.match(asked, _label_length(asked)))


def _label_length(question: str) -> int:
    match = _LABEL.match(question)
    return match.end() if match else 0


def form_answer(question: str, answer: str) -> str:
    """The statement that `answer` makes as a reply to `question`."""
    question, answer = question[_label_length(question) :], _REPLY_LABEL.sub("", answer, count=1)
    asked = _WH_IS.sub(r"\1 is", _POLITE.sub("", " ".join(question.split()))).rstrip("?？ .")
    reply = _ARTICLE.sub(lambda match: match.group().lower(), " ".join(answer.split()).rstrip("."))
    positive = _polarity(answer)
    words = asked.split()
    if len(words) > 1 and not re.search(r"[.?!]\s", asked):
        statement = _decide(words, positive) if positive is not None else _fill(words, reply)
        if statement:
            return statement[0].upper() + statement[1:] + "."
    return f"{' '.join(question.split())} {answer}"


def _polarity(answer: str) -> bool | None:
    reply = answer.strip(" .!,").lower()
    if reply in YES:
        return True
    return False if reply in NO else None


def _decide(words: list[str], positive: bool) -> str | None:
    """ "Is Pro free" + yes -> "Pro is free"; + no -> "Pro is not free"."""
    auxiliary, rest = words[0].lower(), words[1:]
    if auxiliary not in MODALS or not rest:
        return None
    subject, predicate = _split_subject(auxiliary, rest)
    negation = [] if positive else ["not"]
    return " ".join([*subject, auxiliary, *negation, *predicate]) if predicate else None


def _split_subject(auxiliary: str, rest: list[str]) -> tuple[list[str], list[str]]:
    """Cut "the Pro plan include SSO" behind its subject."""
    if rest[0].lower() in PRONOUNS:
        return rest[:1], rest[1:]
    for at in range(1, len(rest)):
        following = rest[at + 1].lower() if at + 1 < len(rest) else ""
        if _begins_predicate(auxiliary, rest[at].lower(), rest[at - 1].lower()) and not is_base_form(following):
            return rest[:at], rest[at:]
    if auxiliary in {"do", "does", "did"} or len(rest) < 2:
        return rest, []
    return rest[:-1], rest[-1:]


def _begins_predicate(auxiliary: str, word: str, before: str) -> bool:
    if before in {"the", "a", "an", "of", "in", "for", "and", "or", "to"}:
        return False
    if auxiliary in {"is", "are", "was", "were", "am"}:
        return word in ATTRIBUTES or is_participle(word) or bool(re.match(r"[$€£\d]", word))
    if auxiliary in {"has", "have", "had"}:
        return is_participle(word) or word in {"a", "an", "any", "the"}
    return is_base_form(word) or word in {"be", "have", "do"}


def _fill(words: list[str], reply: str) -> str | None:
    """Put the reply where the question word asks for it."""
    first = words[0].lower()
    at_end = _WH_AT_END.search(" ".join(words))
    if at_end and at_end.start() > 0 and not has_verb(at_end["noun"]) and first not in MODALS:
        return " ".join(words)[: at_end.start()] + reply
    if first in {"who", "what", "which", "whose", "how", "when", "where"}:
        return _fill_wh(words, reply, preposition="")
    if len(words) > 3 and words[1].lower() in {"what", "which", "whom", "whose"}:
        return _fill_wh(words[1:], reply, preposition=first)
    return None


def _fill_wh(words: list[str], reply: str, preposition: str) -> str | None:
    words = _without_options(words, reply)
    verb_at = next((at for at in range(1, len(words)) if is_finite(words[at].lower())), None)
    if verb_at is None:
        return None
    noun, verb, rest = words[1:verb_at], words[verb_at].lower(), words[verb_at + 1 :]
    first = words[0].lower()
    if verb in {"do", "does", "did"}:
        return _object(first, noun, verb, rest, reply, preposition)
    if rest[-1:] == ["there"]:
        return None
    if not rest:
        if verb in MODALS:
            return f"{' '.join([*noun, verb])} {reply}" if noun else None
        return f"{reply} {verb}" if first in {"who", "what", "which"} else None
    if verb in MODALS and (preposition or first in {"when", "where", "how"} or _asks_attribute(noun, rest)):
        return _inverted(first, noun, verb, rest, reply, preposition)
    if first in {"when", "where", "whose"} or preposition:
        return None
    if first == "how":
        return f"{_counted(noun, reply)} {' '.join([verb, *rest])}"
    if verb in {"is", "are", "was", "were"} and first in {"who", "what"} and not noun:
        return _identity(verb, rest, reply)
    return f"{reply} {' '.join([verb, *rest])}"


def _without_options(words: list[str], reply: str) -> list[str]:
    """Drop ", Anna or Bob" when the reply is one of them."""
    text = " ".join(words)
    lowered = reply.lower()
    at = text.lower().find(f" {lowered} or ")
    if at > 0:
        return text[:at].rstrip(",: ").split()
    match = _OPTIONS.search(text)
    if match and any(option.strip().lower() in lowered or lowered in option.lower() for option in match.groups()):
        return text[: match.start()].split()
    return words


def _asks_attribute(noun: list[str], rest: list[str]) -> bool:
    """ "What colour is the sky", "Which city is he from", "What year was it founded"."""
    if not noun:
        return rest[0].lower() in PRONOUNS and len(rest) > 1
    return rest[0].lower() in PRONOUNS | {"the", "his", "her", "their", "its"} or noun[-1].lower() in TIMES | TRAITS


def _identity(verb: str, rest: list[str], reply: str) -> str:
    """ "What is the fee" -> "the fee is $5"; "Who was born in Oslo" -> "Anna was born in Oslo"."""
    if is_participle(rest[0].lower()) or rest[0].lower() in ATTRIBUTES - {"the", "a", "an"}:
        return f"{reply} {verb} {' '.join(rest)}"
    named = next((at for at, word in enumerate(rest) if word in {"called", "named"}), 0)
    if named:
        return " ".join([*rest[:named], verb, rest[named], reply, *rest[named + 1 :]])
    if is_participle(rest[-1].lower()) or _PREPOSITION.fullmatch(rest[-1]) or rest[-1].lower() in {"of", "as"}:
        subject, predicate = _split_subject(verb, rest)
        return f"{' '.join(subject)} {verb} {' '.join(predicate)} {reply}"
    return f"{' '.join(rest)} {verb} {reply}"


def _inverted(first: str, noun: list[str], verb: str, rest: list[str], reply: str, preposition: str) -> str:
    """ "When was the tower finished" -> "the tower was finished in 1889"."""
    subject, predicate = _split_subject(verb, rest) if len(rest) > 1 else (rest, [])
    if predicate and verb in {"is", "are", "was", "were"} and not _is_predicate(predicate):
        subject, predicate = rest, []
    return " ".join([*subject, verb, *predicate, _adverbial(first, noun, reply, preposition)])


def _is_predicate(predicate: list[str]) -> bool:
    head = predicate[0].lower()
    return is_participle(head) or head in ATTRIBUTES or bool(_PREPOSITION.fullmatch(predicate[-1]))


def _object(first: str, noun: list[str], verb: str, rest: list[str], reply: str, preposition: str) -> str | None:
    """ "How much does Pro cost" -> "Pro costs $25"."""
    subject, predicate = _split_subject(verb, rest)
    if not predicate or (not is_base_form(predicate[0].lower()) and predicate[0].lower() not in {"have", "do", "be"}):
        return None
    head = {"does": third_person, "did": past_form}.get(verb, str)(predicate[0].lower())
    said = [*subject, head, *predicate[1:]]
    if first == "how" and noun[:1] in (["many"], ["much"]) and len(noun) > 1:
        return " ".join([*subject, head, _counted(noun, reply), *predicate[1:]])
    if first == "how":
        return " ".join([*said, reply])
    return " ".join([*said, _adverbial(first, noun, reply, preposition)])


def _counted(noun: list[str], reply: str) -> str:
    """ "many people" + "40" -> "40 people"; a reply that names its unit stays as it is."""
    things = noun[1:] if noun[:1] in (["many"], ["much"]) else []
    return " ".join([reply, *things]) if things and re.fullmatch(r"[\d.,]+|\w+", reply) else reply


def _adverbial(first: str, noun: list[str], reply: str, preposition: str) -> str:
    """The reply with the preposition or the unit that the question implies."""
    if preposition:
        return f"{preposition} {reply}"
    if first == "how" and noun:
        return _measured(noun[0].lower(), reply)
    if first == "when" or (noun and noun[-1].lower() in TIMES):
        return reply if _PREPOSITION.match(reply) else f"{_time_preposition(reply)} {reply}"
    if first == "where":
        return reply if _PREPOSITION.match(reply) else f"in {reply}"
    return reply


def _measured(dimension: str, reply: str) -> str:
    if dimension == "old" and re.fullmatch(r"[\d.,]+|[a-z-]+", reply):
        return f"{reply} years old"
    if dimension in DIMENSIONS and dimension not in reply.lower():
        return f"{reply} {dimension}"
    return reply


def _time_preposition(reply: str) -> str:
    if _CLOCK.search(reply):
        return "at"
    return "on" if _DAY.search(reply) else "in"

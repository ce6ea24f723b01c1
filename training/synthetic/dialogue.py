"""Replies in a conversation: small talk around a claim whose subject is often only a pronoun."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from training.synthetic.entities import person_of

_REACTIONS = (
    "me too!", "i love it!", "yes,", "yes!", "yeah,", "i agree.", "oh really?", "that's cool.", "i know!", "no,",
    "no, i haven't.", "wow!", "nice.", "i have heard of it.", "i do like it.", "haha, yes.", "oh, okay.", "definitely.",
    "not sure,", "i am not sure about that,", "i don't know much about it, but", "i don't have a favorite, but",
    "well,", "that is so interesting.", "sounds like fun.", "i haven't tried it, but", "of course.", "sure,",
    "it is great.",
    "i used to like it too.", "i'm a big fan.", "hmm,", "i think so.", "awesome!", "ok,", "that's true.", "",
)  # fmt: skip
_LINKS = (
    "i know that", "did you know that", "i do know that", "i heard that", "i read that", "i love how", "i believe",
    "it's interesting that", "apparently", "i think", "actually,", "in fact", "what i know is that", "i like that",
    "it is cool that", "i remember that", "from what i know,", "fun fact:", "i learned that", "", "", "", "", "",
)  # fmt: skip
_TAILS = (
    "have you ever been there?", "do you like it?", "isn't that cool?", "what do you think?", "i really like it.",
    "have you seen it?", "do you know more?", "that's all i know.", "pretty neat, right?", "i love it.",
)  # fmt: skip
_SUBJECT = re.compile(
    r"^(?P<subject>(?:The |An? )?[A-Z]?[^,;()]{2,45}?) "
    r"(?P<rest>(?P<verb>is|was|are|were|has|have|had|can|will|became|won) .{12,})$"
)
_SMALL_TALK = (
    "i love {x}! do you?", "what do you like about {x}?", "i have never tried {x}.", "{x} is my favorite.",
    "i am a big fan of {x}.", "my brother likes {x} a lot.", "i don't like {x} very much.",
    "i want to see {x} some day.",
    "i would like to know more about {x}.", "i have always been interested in {x}.",
    "i went there with my family last year.",
    "that sounds like a lot of fun!", "i think {x} is great, how about you?", "yes, i have seen {x} many times.",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence as a subject and what is said of it."""

    subject: str
    rest: str
    plural: bool


def statement_of(sentence: str) -> Statement | None:
    """Splits a plain sentence at its first verb; None where that is not safe."""
    match = _SUBJECT.match(re.sub(r" ?\([^()]*\)", "", sentence))
    if match is None or re.search(
        r"\b(?:who|which|that|when|if|there|it|this|these)$|^(?:There|It|This|These|In|On|At)\b", match["subject"]
    ):
        return None
    return Statement(match["subject"], match["rest"], match["verb"] in ("are", "were", "have"))


def pronoun_for(sentence: str, statement: Statement, rng: random.Random) -> str:
    if person_of(sentence) is not None:
        return "she" if re.search(r"\b(?:she|her|actress)\b", sentence) else "he"
    return "they" if statement.plural else "it"


def with_pronoun(sentence: str, rng: random.Random) -> str | None:
    """The sentence with a pronoun in its subject's place."""
    statement = statement_of(sentence)
    if statement is None:
        return None
    return f"{pronoun_for(sentence, statement, rng)} {statement.rest}"


def reply(claim: str, rng: random.Random) -> str:
    """The claim inside a reply."""
    words = claim.split(" ", 1)
    lowered = (
        claim[:1].lower() + claim[1:] if words[0] in ("The", "A", "An", "It", "He", "She", "They", "In") else claim
    )
    parts = [rng.choice(_REACTIONS), rng.choice(_LINKS), lowered]
    if rng.random() < 0.25:
        parts.append(rng.choice(_TAILS))
    return " ".join(part for part in parts if part)


def small_talk(sentence: str, rng: random.Random) -> str | None:
    """A reply on the subject that says nothing the evidence could support."""
    statement = statement_of(sentence)
    if statement is None:
        return None
    said = rng.choice(_SMALL_TALK).format(x=statement.subject)
    return " ".join(part for part in (rng.choice(_REACTIONS), said) if part)

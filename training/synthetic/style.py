"""Ways of putting a claim that leave its truth alone: as a reply to a question, or with a phrase around it."""

from __future__ import annotations

import random
import re

from training.synthetic import dates, numbers
from training.synthetic.entities import names

_OPENINGS = (
    "According to the text, ", "According to the document, ", "The passage states that ", "Based on the context, ",
    "As the article says, ", "The source notes that ", "Yes, ", "Well, ", "I think ", "I'm not sure, but I know that ",
    "That's interesting! ", "Oh, I love that. ", "Sure. ", "Great question! ", "Did you know that ", "Actually, ",
    "To answer your question, ", "I read that ", "Yes it is. ", "Overall, ", "In summary, ", "I do know that ",
)  # fmt: skip
_ENDINGS = (
    " [1]",
    " [2]",
    " (source 1).",
    " Do you like it?",
    " Isn't that cool?",
    " I hope this helps.",
    " Have you heard of it?",
)
_ONE_SENTENCE = re.compile(r"[.?!] ")


def dress(text: str, rng: random.Random) -> str:
    """Adds an opening, an ending, or both."""
    if rng.random() < 0.8:
        opening = rng.choice(_OPENINGS)
        joins = opening.rstrip().endswith((",", "that", "think", "know"))
        first = text.split(" ", 1)[0]
        lowered = text[0].lower() + text[1:] if joins and first in ("The", "A", "An", "It", "He", "She", "In") else text
        text = opening + lowered
    if rng.random() < 0.35:
        text += rng.choice(_ENDINGS)
    return text


def as_question(text: str, rng: random.Random) -> tuple[str, str] | None:
    """Splits a statement into a question and its answer: a year, a quantity or a name.

    Returns:
        The question, ending in "?", and the answer's words; None where the statement has no such part.
    """
    if _ONE_SENTENCE.search(text) or len(text) > 220:
        return None
    spans = [(match.start(), match.end(), "which year") for match in dates.YEAR.finditer(text)]
    spans += [(match.start(), match.end(), "how many") for match in numbers.quantities(text)]
    spans += [
        (name.start, name.end, "where" if name.kind.startswith("place") else "who or what") for name in names(text)
    ]
    if not spans:
        return None
    start, end, word = rng.choice(spans)
    asked = {"who or what": rng.choice(["who", "what", "which"]), "where": "which place"}.get(word, word)
    if start == 0:
        asked = asked.capitalize()
    question = (text[:start] + asked + text[end:]).rstrip(" .!") + "?"
    return question, text[start:end]

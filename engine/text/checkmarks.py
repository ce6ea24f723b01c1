"""Check marks as words: a tokenizer drops `✅` and `❌` alike, and then "SSO ✅" and "SSO ❌" say the same."""

from __future__ import annotations

import re

from .fragments import is_fragment

__all__ = ["spoken_marks"]

_NO = frozenset("❌✗✘✖☐")
_MARK = re.compile("[✅✔✓☑❌✗✘✖☐]\ufe0f?")
_BOX = re.compile(r"\[(?P<mark>[xX ])\](?=\s|$)")
_LEADING = re.compile(rf"(?P<mark>{_MARK.pattern})[\s:–—-]*")
_TRAILING = re.compile(rf"[\s(]*(?P<mark>{_MARK.pattern})\)?\s?[.;,]?$")
_JOINED = re.compile(r"[:=–—-]$")
_DENIES = re.compile(r"\b(?:no|not|never|none|cannot|without|nor)\b|n['’]t\b", re.IGNORECASE)


def spoken_marks(text: str) -> str:
    """`text` with "yes" and "no" for its check marks, at the place where a reader would say them.

    A mark before or behind a statement that says as much itself ("✅ Pro includes SSO.") is left out.
    """
    if text.startswith("[") and (box := _BOX.match(text)):
        text = ("☐" if box["mark"] == " " else "☑") + text[box.end() :]
    marks = len(_MARK.findall(text))
    if marks == 1 and (match := _LEADING.match(text)):
        said = text[match.end() :]
        # "✅ Advantages:" is a title.
        return said if said.endswith((":", "：")) else _with_word(said, _word(match["mark"]))
    if marks == 1 and (match := _TRAILING.search(text)):
        said, word = text[: match.start()], _word(match["mark"])
        return f"{said} {word}" if _JOINED.search(said) else _with_word(said, word)
    return " ".join(_MARK.sub(lambda match: f" {_word(match.group())} ", text).split()) if marks else text


def _word(mark: str) -> str:
    return "no" if mark[0] in _NO else "yes"


def _with_word(said: str, word: str) -> str:
    if not said:
        return word
    agrees = not is_fragment(said) if word == "yes" else bool(_DENIES.search(said))
    return said if agrees else f"{said.rstrip('.')}: {word}"

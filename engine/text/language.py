"""Is a text clearly in another language than the models were trained for? A doubt is a no.

Scripts tell most languages; for those in Latin letters the most frequent function words are counted. A short
text, a name, code, numbers, a loan word or one foreign quotation in an English text is never called foreign.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

from .stop_words import SHARED, STOP_WORDS

__all__ = ["foreign_language"]

_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_NOT_PROSE = re.compile(r"```.*?```|`[^`\n]*`|(?:https?://|www\.)\S+|<[^<>\n]{1,200}>", re.DOTALL)
_QUOTED = re.compile(r"[\"“„«][^\"“”„«»\n]{1,300}[\"”“»]")
_SAMPLE = 4_000
_LEAST_LETTERS = 4
"""Two Chinese characters may be a name; four of a script are a text when hardly anything else is there."""
_LEAST_WORDS, _LEAST_STOP_WORDS = 5, 3
_SCRIPT_SHARE = 0.5

_SCRIPTS: tuple[tuple[str, str, frozenset[str]], ...] = (
    ("HIRAGANA", "ja", frozenset({"ja"})),
    ("KATAKANA", "ja", frozenset({"ja"})),
    ("HANGUL", "ko", frozenset({"ko"})),
    ("CJK", "zh", frozenset({"zh", "ja"})),
    ("CYRILLIC", "ru", frozenset({"ru", "uk", "bg", "sr", "be", "mk", "kk", "mn"})),
    ("ARABIC", "ar", frozenset({"ar", "fa", "ur", "ps"})),
    ("HEBREW", "he", frozenset({"he", "yi"})),
    ("DEVANAGARI", "hi", frozenset({"hi", "mr", "ne", "sa"})),
    ("BENGALI", "bn", frozenset({"bn", "as"})),
    ("TAMIL", "ta", frozenset({"ta"})),
    ("TELUGU", "te", frozenset({"te"})),
    ("GUJARATI", "gu", frozenset({"gu"})),
    ("GURMUKHI", "pa", frozenset({"pa"})),
    ("KANNADA", "kn", frozenset({"kn"})),
    ("MALAYALAM", "ml", frozenset({"ml"})),
    ("SINHALA", "si", frozenset({"si"})),
    ("THAI", "th", frozenset({"th"})),
    ("LAO", "lo", frozenset({"lo"})),
    ("MYANMAR", "my", frozenset({"my"})),
    ("KHMER", "km", frozenset({"km"})),
    ("GEORGIAN", "ka", frozenset({"ka"})),
    ("ARMENIAN", "hy", frozenset({"hy"})),
    ("ETHIOPIC", "am", frozenset({"am", "ti"})),
    ("GREEK", "el", frozenset({"el"})),
)
"""Script, the code reported for it, and the languages written in it."""
_OTHER_SCRIPTS = frozenset(code for _, _, written in _SCRIPTS for code in written)


def foreign_language(text: str, languages: frozenset[str]) -> str | None:
    """The ISO 639-1 code of the language of `text` when it is clearly none of `languages`, else None.

    languages  ISO 639-1 codes that are welcome; an empty set means any language

    For a script that several languages share the code is that of the most widely used one.
    """
    if not languages:
        return None
    prose = _QUOTED.sub(" ", _NOT_PROSE.sub(" ", text[:_SAMPLE]))
    return _by_script(prose, languages) or _by_stop_words(prose, languages)


def _by_script(text: str, languages: frozenset[str]) -> str | None:
    letters = _LETTER.findall(text)
    scripts = Counter(_script(letter) for letter in letters)
    japanese = scripts["HIRAGANA"] + scripts["KATAKANA"]
    if japanese and scripts["CJK"]:
        scripts["HIRAGANA"] += scripts.pop("CJK")
    for script, code, written in _SCRIPTS:
        enough = scripts[script] >= _LEAST_LETTERS and scripts[script] > _SCRIPT_SHARE * len(letters)
        if enough and not written & languages:
            return code
    return None


def _script(letter: str) -> str:
    """The first word of the Unicode name, which is the script for all scripts listed here."""
    return unicodedata.name(letter, "").partition(" ")[0].partition("-")[0]


def _by_stop_words(text: str, languages: frozenset[str]) -> str | None:
    words = [word.lower() for word in _WORD.findall(text)]
    if len(words) < _LEAST_WORDS or languages - STOP_WORDS.keys() - _OTHER_SCRIPTS:
        # Too short, or a welcome language in Latin letters of which we know no words.
        return None
    counts = {code: sum(word in stop_words for word in words) for code, stop_words in STOP_WORDS.items()}
    own = {code: len({w for w in words if w in STOP_WORDS[code]} - SHARED) for code in STOP_WORDS}
    code = max(counts, key=lambda item: (counts[item], own[item]))
    welcome = max((counts[item] for item in languages if item in counts), default=0)
    clear = counts[code] >= _LEAST_STOP_WORDS and own[code] >= 2 and counts[code] >= 0.2 * len(words)
    return code if clear and code not in languages and counts[code] >= 2 * welcome + 1 else None

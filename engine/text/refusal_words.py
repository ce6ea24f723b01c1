"""The vocabulary by which refusals are recognised; see `refusals.py` for how it is used.

All words are lower case and contractions are written out ("can not", "do not", "i am").
"""

from __future__ import annotations

from .word_sets import word_set

__all__ = [
    "ADVERBS",
    "CONTRACTIONS",
    "CORE_SOURCES",
    "DETERMINERS",
    "INFORMATION",
    "OPENERS",
    "QUALIFIERS",
    "REPORTED",
    "SEARCHES",
    "SOURCES",
    "SPEAKER_VERBS",
    "STATES",
    "WE_VERBS",
]


CONTRACTIONS = (
    ("’", "'"),
    ("can't", "can not"),
    ("cannot", "can not"),
    ("won't", "will not"),
    ("n't", " not"),
    ("'m", " am"),
    ("'re", " are"),
    ("'ve", " have"),
    ("'ll", " will"),
    ("there's", "there is"),
    ("it's", "it is"),
    ("that's", "that is"),
    ("i'd", "i would"),
    ("dunno", "do not know"),
)
"""Replaced in this order; what follows works on the result."""

DETERMINERS = word_set("the these those this that your my our any all of both either each such a an")
QUALIFIERS = word_set(
    "provided given available supplied retrieved attached uploaded shared above current relevant following"
    " search source reference context knowledge accompanying listed cited quoted included existing entire"
    " whole text"
)
CORE_SOURCES = word_set(
    "document documents documentation docs context contexts source sources passage passages text texts"
    " excerpt excerpts snippet snippets materials material"
)
"""Nouns that mean what was given to the speaker, even without "provided"."""

SOURCES = CORE_SOURCES | word_set(
    "file files article articles information data results result content contents reference references record"
    " records base page pages input report reports summary evidence manual transcript image images pdf"
    " knowledge paper"
)
"""Nouns that mean it when something in the sentence says so ("the provided report", "none of the files")."""

ADVERBS = word_set(
    "currently really actually still also honestly unfortunately explicitly directly specifically clearly"
    " even either necessarily sadly yet at all appear seem to ever simply quite entirely readily definitively"
    " reliably accurately confidently provide"
) - word_set("provide")

STATES = word_set(
    "contain mention provide specify state say include cover address discuss describe give indicate answer"
    " explain list talk refer relate clarify detail disclose reveal tell touch go speak have offer identify"
    " name note elaborate define report shed hold help support contains mentions provides specifies states"
    " says includes covers addresses discusses describes gives indicates answers explains lists talks refers"
    " relates clarifies details discloses reveals tells has offers identifies names notes matches match"
    " pertain pertains concern concerns"
)
"""What a document does when it holds a piece of information, in both numbers."""

REPORTED = word_set(
    "mentioned specified stated provided discussed covered addressed included given described found available"
    " disclosed listed answered explained indicated contained present documented reported detailed clear known"
    " shown noted defined referenced revealed determined in part inferred confirmed verified concluded"
    " established deduced"
)
"""What a piece of information is when it stands in a document."""

INFORMATION = word_set(
    "information info details detail mention answer answers data evidence knowledge specifics indication"
    " reference references record records documentation idea context clue facts description explanation access"
    " insight material documents sources passage passages results way means anything nothing enough sufficient"
)

SPEAKER_VERBS = word_set(
    "know find see locate determine tell say answer help provide give assist access open view read verify"
    " confirm identify share discuss comment comply fulfill fulfil speculate infer conclude establish respond"
    " recall remember offer generate complete summarize summarise recommend suggest advise ascertain figure"
    " guarantee retrieve process predict diagnose browse continue perform engage do be"
)
WE_VERBS = word_set(
    "know find determine answer tell say confirm verify locate identify conclude infer establish ascertain"
)
"""A company says "we" too, so fewer verbs count: "We do not offer refunds" is a claim."""

SEARCHES = word_set(
    "reviewing searching reading checking examining analyzing analysing looking going scanning consulting"
)


def _by_first_word(phrases: str) -> dict[str, tuple[tuple[str, ...], ...]]:
    openers: dict[str, tuple[tuple[str, ...], ...]] = {}
    for phrase in phrases.split("|"):
        words = tuple(phrase.split())
        openers[words[0]] = (*openers.get(words[0], ()), words)
    return openers


OPENERS = _by_first_word(
    "i am very sorry|i am really sorry|i am so sorry|i am sorry|we are sorry|we are very sorry|so sorry|very sorry"
    "|sorry|my apologies|apologies|i apologize|i apologise|we apologize|we apologise|i am afraid|we are afraid"
    "|i regret|we regret|unfortunately|regrettably|sadly|however|but|and|so|well|hmm|hm|oh|honestly|frankly"
    "|at this time|at the moment|at present|to be honest|to my knowledge|as far as i know|as far as i can see"
    "|as far as i can tell|as an ai|as a language model|as an ai language model|as an ai model|as an ai assistant"
    "|as an assistant|thanks for asking|thank you for asking|good question|great question|hi|hello|please note"
    "|note|for the confusion|for the inconvenience|for that|about that|to say|to inform you|to tell you"
    "|it seems|it appears|it looks like|i think|i believe|i must admit|i have to admit|i have to say|ok|okay"
    "|yes|although|while|though|in short|in summary|overall|therefore|thus|as such|currently|still|apparently"
)

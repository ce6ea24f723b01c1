"""Edits of single words: negation, opposites, near-synonyms, and claims made stronger or weaker."""

from __future__ import annotations

import random
import re

from training.synthetic.edits import CONTRADICTION, ENTAILMENT, NOT_ENTAILMENT, Edit, pick, put, swap_words

_AUXILIARY = re.compile(
    r"\b(?P<verb>is|are|was|were|has|have|had|can|could|will|would|should|may|must|did|does)\b"
    r"(?! not\b|n't| never\b| no\b)(?= [a-z])",
)
_NEGATED = re.compile(r"\b(is|are|was|were|has|have|had|can|could|will|would|should|must|did|does|do) not\b")
_CANNOT = re.compile(r"\b(is|are|was|were|has|have|had|could|would|should|did|does|do)n't\b")
_PAST = {
    "won": "win", "wrote": "write", "began": "begin", "became": "become", "played": "play", "directed": "direct",
    "received": "receive", "married": "marry", "moved": "move", "joined": "join", "released": "release",
    "served": "serve", "lost": "lose", "led": "lead", "made": "make", "left": "leave", "founded": "found",
    "signed": "sign", "returned": "return", "said": "say", "took": "take", "produced": "produce",
    "attended": "attend", "died": "die", "announced": "announce", "reached": "reach", "included": "include",
    "killed": "kill", "sold": "sell", "held": "hold", "created": "create", "introduced": "introduce",
}  # fmt: skip
_PAST_VERB = re.compile(r"(?<=[a-z] )(?:" + "|".join(_PAST) + r")\b(?= (?:the|a|an|his|her|its|in|on|to|for|from)\b)")
_AFTER_BE = re.compile(r"\b(?:was|were|is|are|be|been|being|had|has|have|by) $")
_EMBEDDED = re.compile(r"\b(?:if|unless|whether|or|until|although|though|because|while|when|that|which|who)\b")

OPPOSITES = (
    ("increase", "decrease"), ("increased", "decreased"), ("increases", "decreases"), ("increasing", "decreasing"),
    ("rise", "fall"), ("rose", "fell"), ("rising", "falling"), ("higher", "lower"), ("high", "low"),
    ("highest", "lowest"), ("more", "fewer"), ("most", "fewest"), ("larger", "smaller"), ("largest", "smallest"),
    ("large", "small"), ("older", "younger"), ("oldest", "youngest"), ("longer", "shorter"), ("longest", "shortest"),
    ("before", "after"), ("earlier", "later"), ("north", "south"), ("northern", "southern"), ("east", "west"),
    ("eastern", "western"), ("northeast", "southwest"), ("northwest", "southeast"), ("above", "below"),
    ("inside", "outside"), ("male", "female"), ("won", "lost"), ("win", "lose"), ("winning", "losing"),
    ("success", "failure"), ("successful", "unsuccessful"), ("successfully", "unsuccessfully"),
    ("positive", "negative"),
    ("allow", "forbid"), ("allowed", "forbidden"), ("allows", "prohibits"), ("legal", "illegal"), ("first", "last"),
    ("accepted", "rejected"), ("approved", "rejected"), ("supported", "opposed"), ("support", "oppose"),
    ("began", "ended"), ("begin", "end"), ("opened", "closed"), ("open", "closed"), ("public", "private"),
    ("import", "export"), ("imports", "exports"), ("domestic", "foreign"), ("rural", "urban"), ("common", "rare"),
    ("strong", "weak"), ("stronger", "weaker"), ("improve", "worsen"), ("improved", "worsened"), ("hot", "cold"),
    ("warm", "cool"), ("dry", "wet"), ("rich", "poor"), ("gain", "loss"), ("gained", "lost"), ("born", "killed"),
    ("raise", "lower"), ("raised", "lowered"), ("reduce", "increase"), ("reduced", "increased"), ("major", "minor"),
    ("majority", "minority"), ("maximum", "minimum"), ("better", "worse"), ("best", "worst"), ("same", "different"),
    ("safe", "dangerous"), ("easy", "difficult"), ("possible", "impossible"), ("likely", "unlikely"),
    ("arrived", "departed"), ("bought", "sold"), ("purchased", "sold"), ("alive", "dead"), ("complete", "incomplete"),
    ("include", "exclude"), ("includes", "excludes"), ("including", "excluding"), ("required", "optional"),
    ("father", "mother"), ("son", "daughter"), ("brother", "sister"), ("husband", "wife"),
    ("morning", "evening"), ("summer", "winter"), ("always", "never"), ("upper", "lower"),
    ("inner", "outer"), ("fast", "slow"), ("faster", "slower"), ("heavy", "light"), ("heavier", "lighter"),
    ("profit", "loss"), ("with", "without"), ("true", "false"), ("famous", "unknown"),
    ("permanent", "temporary"), ("liberal", "conservative"), ("military", "civilian"), ("victory", "defeat"),
    ("ancient", "modern"), ("native", "foreign"), ("voluntary", "mandatory"), ("enabled", "disabled"),
    ("active", "inactive"), ("beginning", "end"), ("asset", "liability"), ("credit", "debit"),
)  # fmt: skip
SYNONYMS = (
    ("film", "movie"), ("films", "movies"), ("began", "started"), ("begin", "start"), ("begins", "starts"),
    ("also known as", "also called"), ("located", "situated"), ("received", "got"), ("purchased", "bought"),
    ("died", "passed away"), ("approximately", "about"), ("approximately", "roughly"), ("large", "big"),
    ("created", "made"), ("help", "assist"), ("helped", "assisted"),
    ("various", "several"), ("numerous", "many"), ("biggest", "largest"), ("chief executive officer", "CEO"),
    ("United States", "US"), ("United Kingdom", "UK"), ("European Union", "EU"), ("occurred", "happened"),
    ("occurs", "happens"), ("attempted", "tried"), ("attempt", "try"), ("ended", "finished"), ("killed", "slain"),
    ("author", "writer"), ("attorney", "lawyer"), ("physician", "doctor"), ("soccer", "association football"),
    ("automobile", "car"), ("cars", "automobiles"), ("near", "close to"), ("famous", "well known"),
    ("additionally", "in addition"), ("primarily", "mainly"), ("mostly", "mainly"), ("often", "frequently"),
    ("usually", "typically"), ("obtain", "get"), ("obtained", "gained"), ("requires", "needs"), ("require", "need"),
    ("allows", "lets"), ("assist", "aid"), ("founded", "established"), ("children", "kids"),
    ("consists of", "is made up of"), ("comprises", "consists of"), ("in order to", "to"), ("important", "significant"),
    ("stated", "said"), ("main", "principal"), ("due to", "because of"), ("prior to", "before"),
    ("subsequently", "later"), ("afterwards", "later"), ("residents", "inhabitants"),
    ("people", "persons"), ("country", "nation"), ("countries", "nations"), ("countrywide", "nationwide"),
    ("quick", "fast"), ("quickly", "rapidly"), ("show", "demonstrate"), ("shows", "demonstrates"),
    ("showed", "demonstrated"), ("reduced", "lowered"), ("increase", "rise"), ("wrote", "authored"),
    ("completed", "finished"), ("broadcast", "aired"), ("portrayed", "played"),
    ("contains", "includes"), ("lived", "resided"), ("acquired", "bought"),
    ("is able to", "can"), ("are able to", "can"), ("was able to", "could"), ("at the moment", "currently"),
    ("currently", "at present"), ("annually", "every year"), ("monthly", "every month"), ("daily", "every day"),
)  # fmt: skip
STRONGER = (
    ("some", "all"), ("many", "all"), ("most people", "all people"), ("several", "all"), ("often", "always"),
    ("usually", "always"),
    ("sometimes", "always"), ("may", "will"), ("might", "will"), ("could", "will"),
    ("suggests", "proves"), ("suggest", "prove"), ("suggested", "proved"),
    ("possibly", "certainly"), ("probably", "certainly"), ("likely", "certain"), ("one of the", "the only one of the"),
    ("mainly", "exclusively"), ("mostly", "exclusively"), ("primarily", "exclusively"), ("partly", "entirely"),
    ("associated with", "caused by"), ("linked to", "caused by"),
    ("nearly all", "all"), ("almost", "completely"),
    ("generally", "without exception"), ("in part", "entirely"), ("some of", "all of"), ("most of", "all of"),
    ("many of", "all of"), ("believed to be", "proven to be"), ("claimed", "proved"),
    ("alleged", "proved"), ("allegedly", "certainly"), ("reportedly", "certainly"), ("planned to", "managed to"),
    ("attempted to", "managed to"), ("tried to", "managed to"), ("wanted to", "managed to"),
    ("expected to", "certain to"),
    ("at least", "exactly"), ("up to", "at least"), ("no more than", "at least"), ("recommended", "required"),
)  # fmt: skip
WEAKER = (
    ("all", "some"), ("all of", "some of"), ("every", "some"), ("always", "often"), ("will", "may"),
    ("proves", "suggests"), ("certainly", "probably"), ("the only", "a"), ("exactly", "at least"),
    ("entirely", "partly"), ("completely", "partly"), ("exclusively", "mainly"), ("must", "should"),
    ("many", "some"), ("most of", "some of"), ("numerous", "some"), ("caused by", "associated with"),
    ("managed to", "tried to"), ("exactly", "approximately"),
)  # fmt: skip


def negate(text: str, rng: random.Random) -> str | None:
    """Negates the first auxiliary of a plain statement."""
    match = _AUXILIARY.search(text)
    if match is None or _EMBEDDED.search(text[: match.start()]):
        return None
    word = rng.choice(["not", "not", "not", "never"])
    return text[: match.end()] + f" {word}" + text[match.end() :]


def negate_past(text: str, rng: random.Random) -> str | None:
    """won the -> did not win the."""
    match = _PAST_VERB.search(text)
    if match is None or _AFTER_BE.search(text[: match.start()]) or _EMBEDDED.search(text[: match.start()]):
        return None
    return put(text, match, rng.choice([f"did not {_PAST[match[0]]}", f"never {match[0]}"]))


def contract_not(text: str, rng: random.Random) -> str | None:
    match = pick(_NEGATED, text, rng)
    if match is None:
        return None
    return put(text, match, "can't" if match[1] == "can" else "won't" if match[1] == "will" else f"{match[1]}n't")


def spell_not(text: str, rng: random.Random) -> str | None:
    match = pick(_CANNOT, text, rng)
    return None if match is None else put(text, match, f"{match[1]} not")


def did_in_fact(text: str, rng: random.Random) -> str | None:
    """An emphatic adverb that changes nothing; the twin of an inserted `not`."""
    match = _AUXILIARY.search(text)
    if match is None or match["verb"] in ("may", "could", "would", "should"):
        return None
    return text[: match.end()] + rng.choice([" indeed", " in fact", " actually"]) + text[match.end() :]


EDITS = (
    Edit("negate", CONTRADICTION, negate, CONTRADICTION),
    Edit("negate_past", CONTRADICTION, negate_past, CONTRADICTION),
    Edit("opposite", CONTRADICTION, swap_words(OPPOSITES, both_ways=True), CONTRADICTION),
    Edit("stronger", NOT_ENTAILMENT, swap_words(STRONGER, both_ways=False)),
    Edit("contract_not", ENTAILMENT, contract_not, ENTAILMENT),
    Edit("spell_not", ENTAILMENT, spell_not, ENTAILMENT),
    Edit("in_fact", ENTAILMENT, did_in_fact, ENTAILMENT),
    Edit("synonym", ENTAILMENT, swap_words(SYNONYMS, both_ways=False), ENTAILMENT),
    Edit("weaker", ENTAILMENT, swap_words(WEAKER, both_ways=False), NOT_ENTAILMENT),
)

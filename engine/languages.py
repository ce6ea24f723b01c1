"""Text in a language that the models were not trained for: it is left unread, never guessed at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .sources import Source
from .text.claims import Claim
from .text.language import foreign_language

__all__ = ["ForeignText", "Reading", "UnreadClaim", "read_languages"]

_SAMPLE = 4000
_MOSTLY = 0.8


@dataclass(frozen=True, slots=True)
class ForeignText:
    """`where` ("response" or "sources") is in `language`, which is none of `languages` (ISO 639-1)."""

    where: str
    language: str
    languages: frozenset[str]

    @property
    def message(self) -> str:
        """Why nothing was assessed, in words."""
        known = ", ".join(sorted(self.languages))
        verb = "is" if self.where == "response" else "are"
        return f"the {self.where} {verb} in {self.language!r}, and the models were trained for {known} only"


@dataclass(frozen=True, slots=True)
class UnreadClaim:
    """A claim that was not evaluated, and why in words."""

    claim: Claim
    why: str


@dataclass(frozen=True, slots=True)
class Reading:
    """Which claims of a response can be read, or why none can."""

    claims: tuple[Claim, ...]
    unread: tuple[UnreadClaim, ...] = ()
    foreign: ForeignText | None = None


def read_languages(claims: Sequence[Claim], sources: Sequence[Source], languages: frozenset[str]) -> Reading:
    """Set the claims apart that are clearly in none of `languages`.

    The response is foreign as a whole when nearly all of it is, or when the rest, too short claim by claim to
    tell, is foreign together; the sources are when each of them is.
    """
    found = [(claim, foreign_language(claim.text, languages)) for claim in claims]
    known = tuple(claim for claim, language in found if language is None)
    unread = tuple(UnreadClaim(claim, f"in language {language!r}") for claim, language in found if language)
    language = next((language for _, language in found if language), None)
    mostly = language is not None and _length(known) <= (1 - _MOSTLY) * _length(claims)
    rest = foreign_language(" ".join(claim.text for claim in known), languages)
    if mostly or rest:
        return Reading((), unread, ForeignText("response", str(rest or language), languages))
    return Reading(known, unread, _foreign_sources(sources, languages))


def _foreign_sources(sources: Sequence[Source], languages: frozenset[str]) -> ForeignText | None:
    found = [foreign_language(source.text[:_SAMPLE], languages) for source in sources]
    foreign = [language for language in found if language is not None]
    if foreign and len(foreign) == len(found):
        return ForeignText("sources", foreign[0], languages)
    return None


def _length(claims: Sequence[Claim]) -> int:
    return sum(claim.end - claim.start for claim in claims)

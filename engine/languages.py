"""Text in a language that the models were not trained for: it is left unread, never guessed at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .request import EvaluationRequest
from .sources import Source
from .text.claims import Claim
from .text.language import foreign_language

__all__ = ["ForeignText", "UnreadClaim", "foreign_text"]

_SAMPLE = 4000


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


def foreign_text(
    request: EvaluationRequest, sources: Sequence[Source], languages: frozenset[str]
) -> ForeignText | None:
    """Whether the response as a whole, or every source, is in a language that is not among `languages`."""
    language = foreign_language(request.response, languages)
    if language is not None:
        return ForeignText("response", language, languages)
    found = [foreign_language(source.text[:_SAMPLE], languages) for source in sources]
    foreign = [language for language in found if language is not None]
    if foreign and len(foreign) == len(found):
        return ForeignText("sources", foreign[0], languages)
    return None

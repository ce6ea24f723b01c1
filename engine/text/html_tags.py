"""Names of HTML tags. Anything else in angle brackets, such as `<DECIMAL>`, is text."""

from __future__ import annotations

from .word_sets import word_set

__all__ = ["BREAKING_TAGS", "CELL_TAGS", "KNOWN_TAGS"]

BREAKING_TAGS = word_set(
    "address article aside blockquote br caption center dd div dl dt figcaption figure footer form h1 h2 h3 h4 h5"
    " h6 header hr li main nav ol p pre section summary table tbody tfoot thead tr ul"
)
"""Tags that end a line on the page."""

CELL_TAGS = word_set("td th")
"""Tags between words that stand apart on the page."""

KNOWN_TAGS = BREAKING_TAGS | word_set(
    "a abbr acronym b bdi bdo big body button cite code col colgroup data del details dfn em font head html i iframe"
    " img input ins kbd label link mark meta object option picture q rp rt ruby s samp script select small source"
    " span strike strong style sub sup svg td template textarea th time title tt u var video wbr"
)
"""Tags a browser does not show as text."""

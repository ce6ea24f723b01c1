"""The inline scanner reads what a Markdown library reads."""

from __future__ import annotations

import pytest
from markdown_it import MarkdownIt

from longtracer.engine.text.prose import plain_text

SAMPLES = [
    "Pro costs $25.",
    "It is *very* **large** and ***new***.",
    "It is _very_ __large__ and snake_case_name.",
    'The [Pro plan](https://a.b/c) and [Basic](</x y> "title").',
    "The [link with (parens)](https://a.b/c_(d)) is long.",
    "Use `a.b` and ``a`b`` here.",
    "Fish &amp; chips &lt; 5 &euro; &nosuch; &#65;.",
    "It costs \\$5 and \\*not\\* more.",
    "See <https://a.b/c> now.",
    "un**believ**able and *a*b.",
    "2 * 3 * 4 and a ** b.",
    "**bold *and italic* text** here",
    "[a] and (b) and [c](d) and ]",
    "`unclosed and *unclosed",
    "A [link *with* `code`](x) here.",
]


def library_text(text: str) -> str:
    """What markdown-it shows of a paragraph."""
    (inline,) = MarkdownIt("commonmark").parseInline(text)
    return "".join(token.content for token in inline.children or ())


@pytest.mark.parametrize("text", SAMPLES)
def test_a_paragraph_is_read_as_the_library_reads_it(text: str) -> None:
    assert plain_text(text) == library_text(text)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("5*3*2 is 30", "5*3*2 is 30"),
        ("**cut off", "cut off"),
        ("<b>Pro</b> and <DECIMAL>", "Pro and <DECIMAL>"),
        ("Pro [1] is new.", "Pro is new."),
    ],
)
def test_where_language_models_differ_from_markdown_they_win(text: str, read: str) -> None:
    assert plain_text(text) == read

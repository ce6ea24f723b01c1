"""A claim that is a sentence word for word, with a value of it in another's place: "from 5% to 8%" as "from 8% to 5%".

What single values say is for `compare_facts`, which asks whether the evidence states them anywhere; here the place
counts, and so do ordinals, "twice" and the numbers of names, which only a sentence with the same words tells apart.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from .quantity import Kind, Quantity
from .relation import Relation, relation
from .same_value import in_order
from .template import FREQUENCIES, Template, same_words
from .vocabulary import listed
from .words import stem

__all__ = ["misplaced"]

_LIMIT = 16
"""Quantities of a claim; a text with more is a table."""
_JOINERS = frozenset(listed("and or plus by x"))
"""Words between two values that may change places: "5 and 8", "10 by 20 feet"."""
_PRONOUNS = frozenset(map(stem, listed("it he she they this that then was were is are had has in on at of the a")))
_RESPECTIVELY = frozenset(map(stem, listed("respectively respective order")))
_NEGATIONS = frozenset(map(stem, listed("not no never cannot without neither nor none hardly")))
_WON_OR_LOST = frozenset(
    map(stem, listed("won win wins lost lose loses beat beats beaten defeated victory defeat winning losing over"))
)
"""Beside these the order of a result says nothing: who lost 1-3 also lost 3-1."""
_TOPIC = frozenset(map(stem, listed("the a an in on at for during of by to from under its his her their this that")))
"""What may stand before a number that names what a sentence is about: "the second edition", "in Section 4"."""
_PLAIN = re.compile(r"[^\w.]+", re.UNICODE)

Agrees = Callable[[int, int], bool]


def misplaced(claim: str, sentence: str) -> tuple[Quantity, Quantity] | None:
    """The first value of `claim` that another one stands for in `sentence`, with that one, or None.

    Conservative: all other words are the same and in place, and `sentence`, one sentence of the evidence, says
    something else by what it has in that place: a value that the claim moved, another ordinal, another frequency,
    another number of a name. Equal values in other units, roundings, wider ranges and weaker bounds agree.
    """
    templates = same_words(claim, sentence)
    if templates is None or len(templates[0].slots) > _LIMIT:
        return None
    ours, theirs = templates
    pairs = list(zip(ours.slots, theirs.slots, strict=True))
    differing = [index for index, pair in enumerate(pairs) if not _agree(*pair, ours)]
    if not differing:
        return None
    if _moved(ours.slots, theirs.slots, differing):
        wrong = not _reordered(ours, theirs, differing)
    else:
        named = all(_is_named(ours, index) for index in differing)
        wrong = named and not _another_instance(ours, differing) and not _negated(ours)
    return pairs[differing[0]] if wrong else None


def _agree(one: Quantity, other: Quantity, template: Template) -> bool:
    """Whether `one`, of the claim, may be said where the sentence has `other`."""
    if one.kind is not other.kind and {one.kind, other.kind} & {Kind.ORDINAL, Kind.IDENTIFIER}:
        return True
    if one.kind is Kind.ORDINAL:
        return one.low == other.low
    if one.kind is Kind.IDENTIFIER:
        return _same_name(one.text, other.text)
    if "score" in (one.unit, other.unit) and not in_order(one, other):
        return not _WON_OR_LOST.isdisjoint(word for gap in template.gaps for word in gap)
    if one.role.direction and one.role.direction == other.role.direction:
        weaker = (other.low - one.low) * one.role.direction >= 0
        return weaker or one.unit != other.unit or _equal(one, other)
    return relation(one, other) is not Relation.DIFFERS


def _same_name(one: str, other: str) -> bool:
    """Whether the numbers of two names may be one: "3.11" and "v3.11.2"; citations and addresses name no thing."""
    if any(text[0] in "[【" or "/" in text or "@" in text for text in (one, other)):
        return True
    first, second = (_PLAIN.sub("", text.casefold()).removeprefix("v") for text in (one, other))
    return first in second or second in first


def _equal(one: Quantity, other: Quantity) -> bool:
    if Kind.ORDINAL in (one.kind, other.kind):
        return one.kind is other.kind and one.low == other.low
    if one.kind is Kind.IDENTIFIER:
        return one.kind is other.kind and one.text.casefold() == other.text.casefold()
    return relation(one, other) is Relation.EQUAL


def _moved(claimed: Sequence[Quantity], stated: Sequence[Quantity], differing: Sequence[int]) -> bool:
    """Whether every value that differs stands elsewhere in the sentence."""
    return all(
        any(place != index and _equal(claimed[index], other) for place, other in enumerate(stated))
        for index in differing
    )


def _is_named(template: Template, index: int) -> bool:
    """Whether the value is one that nothing but its place tells from another: an ordinal, "twice", "Boeing 747"."""
    slot = template.slots[index]
    return slot.kind in (Kind.ORDINAL, Kind.IDENTIFIER) or slot.unit == "score" or _is_frequency(template, index)


def _is_frequency(template: Template, index: int) -> bool:
    slot, following = template.slots[index], template.gaps[index + 1]
    return slot.text.lower() in FREQUENCIES or (slot.kind is Kind.CARDINAL and following[:1] == (stem("times"),))


def _another_instance(template: Template, differing: Sequence[int]) -> bool:
    """Whether the sentence may be about another thing of the same kind: "the first edition", beside "the second"."""
    if len(differing) == len(template.slots) > 1:
        return True
    before = [word for gap in template.gaps[: differing[0] + 1] for word in gap]
    if template.slots[differing[0]].kind is Kind.IDENTIFIER:
        before = before[:-1]  # the word that the number belongs to
    frequency = _is_frequency(template, differing[0])
    return not frequency and all(word in _TOPIC for word in before)


def _negated(template: Template) -> bool:
    return any(word in _NEGATIONS or word.endswith(("n't", "n’t")) for gap in template.gaps for word in gap)


def _reordered(ours: Template, theirs: Template, differing: Sequence[int]) -> bool:
    """Whether the claim only lists the same things in another order: "$6 in 2020 and $5 in 2019"."""
    count = len(ours.slots)
    in_turn = any(word in _RESPECTIVELY for gap in ours.gaps for word in gap)
    if in_turn:
        return len(differing) == count > 2
    first, last = differing[0], differing[-1]
    for size in range(1, count // 2 + 1):
        for start in range(max(0, first - size + 1), first + 1):
            groups = [range(at, at + size) for at in range(start, last + 1, size)]
            if groups[-1].stop <= count and _is_list(ours, groups) and _same_groups(ours.slots, theirs.slots, groups):
                return True
    return False


def _is_list(template: Template, groups: Sequence[range]) -> bool:
    """Whether groups of neighbouring slots are the items of a list: alike inside, and joined by "and" or a comma."""
    head = groups[0]
    for group in groups[1:]:
        if any(template.slots[a].kind is not template.slots[b].kind for a, b in zip(head, group, strict=True)):
            return False
        if not all(_alike(template.gaps[a], template.gaps[b]) for a, b in zip(head[1:], group[1:], strict=True)):
            return False
        if not _joins(template, head.start, group.start, len(head)):
            return False
    return True


def _alike(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether the words are the same, some of which may be left out on one side: "5 cars in May and 8 in June"."""
    return set(one) <= set(other) or set(other) <= set(one)


def _joins(template: Template, first: int, index: int, size: int) -> bool:
    """Whether the words before slot `index` only join it to the list that begins with slot `first`."""
    words = template.gaps[index]
    while words and words[0] in _JOINERS:
        words = words[1:]
    lead = [word for gap in template.gaps[: first + 1] for word in gap]
    if tuple(lead[len(lead) - len(words) :]) == words:
        return True
    return size > 1 and all(word in _PRONOUNS or word in lead for word in words)


def _same_groups(claimed: Sequence[Quantity], stated: Sequence[Quantity], groups: Sequence[range]) -> bool:
    """Whether each group of the claim is one of the sentence, each of which is used once."""
    left = list(groups)
    for group in groups:
        match = next(
            (other for other in left if all(_equal(claimed[a], stated[b]) for a, b in zip(group, other, strict=True))),
            None,
        )
        if match is None:
            return False
        left.remove(match)
    return True

"""Word lists for forming statements from questions; see `short_answers.py`."""

from __future__ import annotations

from .word_sets import word_set

__all__ = ["ATTRIBUTES", "DIMENSIONS", "MODALS", "NO", "PRONOUNS", "TIMES", "TRAITS", "YES"]


YES = frozenset(
    {"yes", "yeah", "yep", "yup", "correct", "true", "right", "that's right", "that is right", "that's correct"}
    | {"that is correct", "it is", "it does", "they do", "they are", "it was", "he did", "she did", "yes it is"}
    | {"yes, it is", "yes, it does", "yes, they do", "indeed", "yes it does", "that is true", "of course", "absolutely"}
)
NO = frozenset(
    {"no", "nope", "false", "incorrect", "wrong", "no it is not", "no, it is not", "no, it isn't", "no, it does not"}
    | {"no, it doesn't", "no, they do not", "no, they don't", "it is not", "it isn't", "it does not", "it doesn't"}
    | {"not at all", "that is false", "that is not true", "that's not true", "that is incorrect", "never"}
)
MODALS = word_set("is are was were am do does did can could will would should has have had may might must shall")
PRONOUNS = word_set("it he she they we you i there this that these those one everyone anyone")
ATTRIBUTES = word_set(
    "a an the in on at from by with without under over near for to more less most least not still also"
    " available free open closed true false possible allowed required included red blue green white black big"
    " small large old new good bad better worse best worst taller older younger larger bigger smaller faster"
    " cheaper higher lower longer shorter older first second last located based made part safe legal able due"
    " worth still alive dead married responsible famous known considered expensive cheap full empty public"
    " private mandatory optional waterproof compatible valid"
)
"""Words a predicate begins with after a form of "be"."""
TIMES = word_set("year month day date decade century week weekday season")
DIMENSIONS = word_set("long tall old deep high wide thick")
"""Adjectives that follow a measure: "42 km long"."""
TRAITS = word_set(
    "color colour nationality size shape age height weight gender profession occupation religion ethnicity"
)

"""Deterministic checks beside the model: quantities, negation, names, quotations.

Pure functions of text: no model, no state, linear time, and no exception for any string.
"""

from __future__ import annotations

from .compare import compare_facts
from .entities import EntityMismatch, entity_mismatch
from .findings import FactCheck, FactVerdict, Finding, FindingStatus
from .misplaced import misplaced
from .negation import negation_mismatch
from .quantities import find_quantities
from .quantity import Kind, PartialDate, Quantity, Role
from .quotations import Quotation, find_quotations, quotation_in

__all__ = [
    "EntityMismatch",
    "FactCheck",
    "FactVerdict",
    "Finding",
    "FindingStatus",
    "Kind",
    "PartialDate",
    "Quantity",
    "Quotation",
    "Role",
    "compare_facts",
    "entity_mismatch",
    "find_quantities",
    "find_quotations",
    "misplaced",
    "negation_mismatch",
    "quotation_in",
]

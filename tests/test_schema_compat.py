"""The schema keeps its promise, and the check of that promise catches every kind of breach."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from longtracer import CaseResult, ExecutionStatus, check_case
from longtracer.contracts import failed_case
from longtracer.contracts.schema import case_result_schema, packaged_schema, schema_text
from longtracer.contracts.schema_compat import incompatibilities

ROOT = Path(__file__).parent.parent
FROZEN = json.loads((Path(__file__).parent / "data" / "case_result.v1.frozen.json").read_text(encoding="utf-8"))

# name -> accepted JSON types, as consumers of version "1" know them
CASE_FIELDS = {
    "schema_version": {"string"},
    "case_id": {"string", "null"},
    "execution": {"string"},
    "availability": {"string"},
    "quality_gate": {"string"},
    "reason": {"string", "null"},
    "claims": {"array"},
    "trust_score": {"number"},
    "summary": {"string"},
    "error_message": {"string", "null"},
    "latency_ms": {"number", "null"},
    "metadata": {"object"},
}
CLAIM_FIELDS = {
    "claim_id": {"string"},
    "claim_text": {"string"},
    "assessment": {"string"},
    "availability": {"string"},
    "reason": {"string", "null"},
    "supporting_sources": {"array"},
    "contradicting_sources": {"array"},
    "confidence": {"number"},
    "details": {"string", "null"},
    "char_start": {"integer", "null"},
    "char_end": {"integer", "null"},
}
ENUMS = {
    "ExecutionStatus": "SUCCESS ERROR TIMEOUT SKIPPED CANCELLED",
    "AssessmentAvailability": "ASSESSED NO_ASSESSABLE_CLAIMS NOT_EVALUATED",
    "ClaimAssessment": "SUPPORTED CONTRADICTED INSUFFICIENT_EVIDENCE CONFLICTING_SOURCES",
    "QualityGate": "PASS FAIL INDETERMINATE",
    "ReasonCode": "INVALID_INPUT EMPTY_RESPONSE NO_EXTRACTABLE_CLAIMS NO_SOURCES_SUPPLIED MODEL_UNAVAILABLE "
    "EVALUATION_TIMEOUT EVALUATION_FAILED HONEST_UNCERTAINTY_ONLY EXECUTION_CANCELLED EXECUTION_SKIPPED "
    "SUPPORTED_BY_EVIDENCE CONTRADICTED_BY_EVIDENCE CONFLICTING_EVIDENCE LOW_EVIDENCE_SIMILARITY NOT_ENTAILED "
    "HONEST_UNCERTAINTY NO_SOURCE_TEXT",
}


def types_of(field: dict[str, Any], schema: dict[str, Any]) -> set[str]:
    if "$ref" in field:
        return types_of(schema["$defs"][field["$ref"].rsplit("/", 1)[1]], schema)
    if "anyOf" in field:
        return set().union(*(types_of(choice, schema) for choice in field["anyOf"]))
    return {field["type"]}


def test_the_schema_is_compatible_with_its_frozen_copy():
    assert incompatibilities(FROZEN, case_result_schema()) == []


def test_the_committed_file_is_what_the_models_say():
    assert (ROOT / "schema" / "case_result.v1.json").read_text(encoding="utf-8") == schema_text()


def test_the_schema_is_readable_from_the_package():
    assert packaged_schema() == case_result_schema()


def test_the_module_prints_the_schema():
    printed = subprocess.run(
        [sys.executable, "-m", "longtracer.contracts.schema"], capture_output=True, text=True, check=True
    )
    assert printed.stdout == schema_text()


def test_fields_and_types_of_version_1():
    schema = case_result_schema()
    claim = schema["$defs"]["ClaimResult"]
    assert {name: types_of(schema["properties"][name], schema) for name in CASE_FIELDS} == CASE_FIELDS
    assert {name: types_of(claim["properties"][name], schema) for name in CLAIM_FIELDS} == CLAIM_FIELDS
    assert set(claim["required"]) == {"claim_id", "claim_text", "assessment"}
    assert "required" not in schema


@pytest.mark.parametrize("name", ENUMS)
def test_enum_members_of_version_1(name):
    assert set(ENUMS[name].split()) <= set(case_result_schema()["$defs"][name]["enum"])


def remove_field(schema):
    del schema["properties"]["trust_score"]


def remove_claim_field(schema):
    del schema["$defs"]["ClaimResult"]["properties"]["details"]


def retype_field(schema):
    schema["properties"]["trust_score"]["type"] = "string"


def retype_claim_list(schema):
    schema["$defs"]["ClaimResult"]["properties"]["supporting_sources"]["items"]["type"] = "integer"


def forbid_null(schema):
    schema["properties"]["case_id"] = {"type": "string"}


def allow_null(schema):
    schema["properties"]["summary"] = {"anyOf": [{"type": "string"}, {"type": "null"}]}


def drop_enum_member(schema):
    schema["$defs"]["ReasonCode"]["enum"].remove("NOT_ENTAILED")


def require_field(schema):
    schema["required"] = ["trust_score"]


def require_claim_field(schema):
    schema["$defs"]["ClaimResult"]["required"].append("details")


def require_new_field(schema):
    schema["properties"]["extra"] = {"type": "string"}
    schema["required"] = ["extra"]


def tighten_bound(schema):
    schema["$defs"]["ClaimResult"]["properties"]["confidence"]["maximum"] = 0.5


def loosen_bound(schema):
    del schema["$defs"]["ClaimResult"]["properties"]["confidence"]["maximum"]


def forget_version(schema):
    del schema["properties"]["schema_version"]["const"]


def require_an_entry(schema):
    schema["properties"]["claims"]["minItems"] = 1


def narrow_text(schema):
    schema["properties"]["summary"]["format"] = "date"


def add_a_second_kind_of_text(schema):
    schema["properties"]["case_id"]["anyOf"].append({"type": "string", "enum": ["a"]})


def allow_only_some_texts(schema):
    schema["properties"]["summary"]["enum"] = ["fine"]


def restrict_values_of_metadata(schema):
    schema["properties"]["metadata"]["additionalProperties"] = {"type": "string"}


def require_field_of_evidence(schema):
    schema["$defs"]["EvidenceSentence"]["required"].append("joined")


def retype_inside_scores(schema):
    schema["$defs"]["ClaimScores"]["properties"]["windowed"] = {"type": "integer"}


def restrict_metadata(schema):
    schema["properties"]["metadata"]["additionalProperties"] = False


def refuse_unknown_fields(schema):
    schema["additionalProperties"] = False


def change_version(schema):
    schema["properties"]["schema_version"]["const"] = "2"


BREACHES = [
    remove_field,
    remove_claim_field,
    retype_field,
    retype_claim_list,
    forbid_null,
    allow_null,
    drop_enum_member,
    require_field,
    require_claim_field,
    require_new_field,
    tighten_bound,
    loosen_bound,
    forget_version,
    require_an_entry,
    narrow_text,
    add_a_second_kind_of_text,
    allow_only_some_texts,
    restrict_values_of_metadata,
    require_field_of_evidence,
    retype_inside_scores,
    restrict_metadata,
    refuse_unknown_fields,
    change_version,
]


@pytest.mark.parametrize("breach", BREACHES, ids=lambda breach: breach.__name__)
def test_every_breach_is_caught(breach: Callable[[dict[str, Any]], None]):
    mutated = copy.deepcopy(FROZEN)
    breach(mutated)
    assert incompatibilities(FROZEN, mutated)


def test_optional_fields_and_enum_members_may_be_added():
    grown = copy.deepcopy(FROZEN)
    grown["properties"]["extra"] = {"type": "string", "default": ""}
    grown["$defs"]["ReasonCode"]["enum"].append("NEW_REASON")
    grown["$defs"]["ClaimResult"]["properties"]["extra"] = {"$ref": "#/$defs/QualityGate"}
    assert incompatibilities(FROZEN, grown) == []


def test_real_results_validate_against_the_schema():
    schema = packaged_schema()
    for case in (
        check_case("The lake is deep. It is 3 km long.", ["The lake is very deep."], detect_conflicts=True),
        check_case("", []),
        failed_case(RuntimeError("x")),
    ):
        jsonschema.validate(case.model_dump(mode="json"), schema)


def test_a_record_of_a_version_1_producer_is_read():
    """The exact field set of a v1 record: ours reads it, and writes it back with the same values."""
    record = {
        "schema_version": "1",
        "case_id": None,
        "execution": "SUCCESS",
        "availability": "ASSESSED",
        "quality_gate": "FAIL",
        "reason": None,
        "claims": [
            {
                "claim_id": "claim_1",
                "claim_text": "x",
                "assessment": "CONTRADICTED",
                "availability": "ASSESSED",
                "reason": "CONTRADICTED_BY_EVIDENCE",
                "supporting_sources": [],
                "contradicting_sources": ["source_0"],
                "confidence": 0.9,
                "details": "raw",
                "char_start": None,
                "char_end": None,
            }
        ],
        "trust_score": 0.5,
        "summary": "s",
        "error_message": None,
        "latency_ms": 1.5,
        "metadata": {"a": 1},
    }
    case = CaseResult.model_validate(record)
    assert case.execution is ExecutionStatus.SUCCESS
    written = case.model_dump(mode="json")
    assert {name: written[name] for name in record if name != "claims"} == {
        name: value for name, value in record.items() if name != "claims"
    }
    (claim,) = written["claims"]
    assert {name: claim[name] for name in CLAIM_FIELDS} == record["claims"][0]


def test_a_version_1_consumer_reads_ours():
    """The default path writes only fields and enum members that a strict v1 consumer knows or ignores."""
    case = check_case("The lake is deep. I don't know more.", ["The lake is deep."])
    written = case.model_dump(mode="json")
    assert set(CASE_FIELDS) <= set(written)
    for claim in written["claims"]:
        assert set(CLAIM_FIELDS) <= set(claim)
        assert claim["reason"] in ENUMS["ReasonCode"].split()
        assert claim["assessment"] in ENUMS["ClaimAssessment"].split()
    assert written["reason"] is None or written["reason"] in ENUMS["ReasonCode"].split()

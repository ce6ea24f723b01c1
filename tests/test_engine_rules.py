"""Rules by name, by object and by file."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

from longtracer import CitationVerifier, InvalidInputError
from longtracer.engine import SIMILARITY_RULE, SPEC_RULE, DecisionRule, ModelPair
from longtracer.engine.rules import named_rule, rule_for
from longtracer.testing import WordOverlapEncoder, scripted_models


def test_names_and_objects():
    mine = DecisionRule(name="mine")
    assert named_rule("similarity") is SIMILARITY_RULE
    assert named_rule("entailment") is SPEC_RULE
    assert named_rule(mine) is mine
    assert named_rule(None) is None


@pytest.mark.parametrize("rule", ["strict", "", "missing.json", 7])
def test_anything_else_is_refused_before_any_traffic(rule):
    with pytest.raises(InvalidInputError):
        CitationVerifier(models=scripted_models(lambda p, h: "neutral"), rule=rule)


def test_the_callers_rule_goes_before_that_of_the_models():
    pair = scripted_models(lambda p, h: "neutral", rule=DecisionRule(name="theirs"))
    assert rule_for(None, pair).name == "theirs"
    assert rule_for(SPEC_RULE, pair) is SPEC_RULE
    assert rule_for(None, None) is SPEC_RULE


def test_a_rule_file_is_read_without_loading_its_models(tmp_path):
    file = tmp_path / "strict.json"
    file.write_text(json.dumps({"models": "standard", "rule": {"entailment": 0.9}}), encoding="utf-8")
    code = (
        "import sys\n"
        "from longtracer.engine.rules import named_rule\n"
        f"rule = named_rule({str(file)!r})\n"
        "assert (rule.name, rule.entailment) == ('strict', 0.9)\n"
        "assert 'onnxruntime' not in sys.modules and 'torch' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_rule_decides(tmp_path):
    models = scripted_models(lambda p, h: "entailment")
    for threshold, passed in ((0.9, True), (0.99, False)):
        with CitationVerifier(models=models, rule=DecisionRule(name="x", entailment=threshold)) as verifier:
            assert verifier.verify_case("The lake is deep.", ["The lake is very deep."]).passed is passed


def test_a_near_tie_with_contradiction_is_no_support():
    class Torn:
        name = "torn"

        def predict(self, pairs):
            return np.tile(np.array([[0.30, 0.36, 0.34]], dtype=np.float32), (len(pairs), 1))

    models = ModelPair(encoder=WordOverlapEncoder(), nli=Torn())
    for margin, passed in ((0.05, True), (0.1, False)):
        rule = DecisionRule(name="x", entailment=0.2, agreement_margin=margin)
        with CitationVerifier(models=models, rule=rule) as verifier:
            assert verifier.verify_case("The lake is deep.", ["The lake is very deep."]).passed is passed

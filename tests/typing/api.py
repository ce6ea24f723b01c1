"""How users write against the public API. Never run: mypy --strict must accept it as it stands."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from longtracer import (
    CaseResult,
    CitationVerifier,
    ClaimAssessment,
    LegacyVerificationAdapter,
    QualityGate,
    VerificationResult,
    check,
    check_batch,
    check_case,
    compute_quality_gate,
)
from longtracer.engine import CaseItem, DecisionRule, DeferredModels, ModelPair, load_models
from longtracer_integrations import GuardrailPolicy, RagAnswer, RetrievedDocument


def one_answer() -> QualityGate:
    case: CaseResult = check_case("x", ["y"], [{"id": 1}, None], case_id="c", timeout=1, detect_conflicts=True)
    supported = [claim for claim in case.claims if claim.assessment is ClaimAssessment.SUPPORTED]
    first: str | None = supported[0].supporting_sources[0] if supported else None
    return case.quality_gate if first else compute_quality_gate(case)


def legacy() -> CaseResult:
    result: VerificationResult = check("x", ["y"])
    results: list[VerificationResult] = check_batch(["x"], [["y"]])
    return LegacyVerificationAdapter.from_legacy(results[0] if results else result)


async def many() -> list[CaseResult]:
    with CitationVerifier(models=DeferredModels("standard"), rule="similarity", max_queue=10) as verifier:
        await verifier.verify_case_async("x", ["y"], question="q", history=[("user", "z")])
        items: list[CaseItem | tuple[str, list[str]]] = [CaseItem(response="x", sources=["y"]), ("x", ["y"])]
        return await verifier.verify_cases_async(items, progress=lambda done, total: None)


class MyEncoder:
    name = "mine"

    def encode(self, sentences: Sequence[str]) -> npt.NDArray[np.float32]:
        return np.zeros((len(sentences), 3), dtype=np.float32)


class MyClassifier:
    name = "mine"

    def predict(self, pairs: Sequence[tuple[str, str]]) -> npt.NDArray[np.float32]:
        return np.zeros((len(pairs), 3), dtype=np.float32)


PAIR = ModelPair(encoder=MyEncoder(), nli=MyClassifier(), rule=DecisionRule(name="mine", entailment=0.6))
VERIFIER = CitationVerifier(0.5, True, models=PAIR)
STANDARD: ModelPair = load_models("standard", device="cpu")


def replace(case: CaseResult, answer: str, documents: Sequence[RetrievedDocument]) -> str:
    return f"{answer} ({case.summary}; {len(documents)} documents)"


POLICIES = [
    GuardrailPolicy(),
    GuardrailPolicy(on_fail=replace),
    GuardrailPolicy(on_fail="redact", on_indeterminate="pass"),
]


def record(answer: RagAnswer) -> str:
    return f"{answer.question}: {answer.status} {answer.case.summary if answer.case else answer.error}"

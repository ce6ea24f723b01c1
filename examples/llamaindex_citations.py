"""Check the `[n]` markers of a citation query engine: does source n say what the sentence says?

Run it with `python examples/llamaindex_citations.py`; it needs no network and no key.
"""

from __future__ import annotations

from llama_index.core.query_engine import CitationQueryEngine
from llamaindex_parts import ScriptedLLM, handbook_index

from longtracer_integrations.llamaindex import CitationCheck

ANSWERS = [
    "Employees have 28 days of leave a year [1].",
    "Employees have 28 days of leave a year [2].",
    "Employees have 28 days of leave a year [7].",
]


def main() -> None:
    engine = CitationQueryEngine.from_args(handbook_index(), llm=ScriptedLLM(*ANSWERS), similarity_top_k=2)
    check = CitationCheck()
    for answer in ANSWERS:
        report = check.check(engine.query("How many days of leave do I have?"))
        print(answer, "->", "fine" if report.ok else "not fine")
        for finding in report.wrong_source:
            print(f"  {finding.marker} does not say so, but source {finding.right_numbers[0]} does")
        for finding in report.out_of_range:
            print(f"  {finding.marker} names a source that there is not")


if __name__ == "__main__":
    main()

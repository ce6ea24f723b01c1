"""Guard a query engine: an answer leaves it when its source nodes support it.

Run it with `python examples/llamaindex_guard_query.py`; it needs no network and no key.
"""

from __future__ import annotations

from llamaindex_parts import ScriptedLLM, handbook_index

from longtracer_integrations import GuardrailPolicy
from longtracer_integrations.llamaindex import GuardedQueryEngine

RIGHT = "You have 28 days of leave a year."
WRONG = "You have 38 days of leave a year."
QUESTION = "How many days of leave do I have?"
INDEX = handbook_index()


def guarded(policy: GuardrailPolicy, *answers: str, **options: bool) -> GuardedQueryEngine:
    engine = INDEX.as_query_engine(llm=ScriptedLLM(*answers), similarity_top_k=1, **options)
    return GuardedQueryEngine(engine, policy, stream_mode="sentence")


def main() -> None:
    block = GuardrailPolicy(block_message="I could not confirm that; please ask the office.")
    print("right:   ", guarded(block, RIGHT).query(QUESTION))
    response = guarded(block, WRONG).query(QUESTION)
    print("wrong:   ", response)
    print("          because:", response.metadata["longtracer"]["summary"])

    print("redacted:", guarded(GuardrailPolicy(on_fail="redact"), f"{RIGHT} {WRONG}").query(QUESTION))
    print("noted:   ", guarded(GuardrailPolicy(on_fail="annotate"), WRONG).query(QUESTION))
    print("retried: ", guarded(GuardrailPolicy(on_fail="retry"), WRONG, RIGHT).query(QUESTION))

    stream = guarded(block, f"{RIGHT} {WRONG} Ask me anything else.", streaming=True).query(QUESTION)
    print("streamed:", end=" ")
    stream.print_response_stream()
    print()


if __name__ == "__main__":
    main()

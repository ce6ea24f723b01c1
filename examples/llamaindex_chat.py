"""Guard a chat engine: the user sees what the documents support, and the history holds what the user saw.

Run it with `python examples/llamaindex_chat.py`; it needs no network and no key.
"""

from __future__ import annotations

from llama_index.core.memory import ChatMemoryBuffer
from llamaindex_parts import ScriptedLLM, handbook_index

from longtracer_integrations import GuardrailPolicy
from longtracer_integrations.llamaindex import GuardedChatEngine


def main() -> None:
    answers = ["You have 28 days of leave a year.", "Unused days expire at the end of May."]
    engine = handbook_index().as_chat_engine(
        chat_mode="context",
        llm=ScriptedLLM(*answers),
        memory=ChatMemoryBuffer.from_defaults(token_limit=2000),
        similarity_top_k=1,
    )
    chat = GuardedChatEngine(engine, GuardrailPolicy(block_message="I could not confirm that."))

    print("user: How many days of leave do I have?")
    print("chat:", chat.chat("How many days of leave do I have?"))

    print("user: When do unused days expire?")
    response = chat.stream_chat("When do unused days expire?")
    print("chat:", "".join(response.response_gen))
    print("     ", response.metadata["longtracer"]["summary"])

    print("history:")
    for message in chat.chat_history:
        print(f"  {message.role.value}: {message.content}")


if __name__ == "__main__":
    main()

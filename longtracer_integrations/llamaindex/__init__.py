"""llamaindex."""

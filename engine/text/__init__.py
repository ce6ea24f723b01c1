"""Text without models: claims of an answer, passages of a source, refusals, languages."""

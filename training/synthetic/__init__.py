"""Pairs made from prose: what answers get wrong, each beside edits that keep the meaning."""

"""The committed JSON Schema files, as package data."""

"""Entries, their revisions and values."""

"""Limits over all nodes: calls of an hour, and operations at once (guide/conventions.md, "Headers and limits")."""

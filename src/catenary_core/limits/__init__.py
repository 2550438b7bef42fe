"""Limits across all nodes: calls per hour, and concurrent operations (guide/conventions.md, "Headers and limits")."""

"""Limits over all nodes: calls of an hour, and operations at once (specification, "Limits")."""

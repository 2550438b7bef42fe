"""Processes of an installation: the supervisor, nodes, and parts that run as separate commands."""

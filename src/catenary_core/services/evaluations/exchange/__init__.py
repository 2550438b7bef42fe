"""Evaluations as files for other programs."""

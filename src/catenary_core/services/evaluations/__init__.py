"""Evaluations: running the deployed model, and keeping what came of it."""

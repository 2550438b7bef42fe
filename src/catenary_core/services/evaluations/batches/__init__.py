"""Batches: many evaluations at once, whose points workers take by the chunk."""

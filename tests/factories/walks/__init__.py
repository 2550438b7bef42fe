"""Recorded calls of every route, good and bad, and the comparisons of what came back."""

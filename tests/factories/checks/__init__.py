"""Checks that many tests share: leaks, hanging tests, durations, the order of times, and the repository's documents."""

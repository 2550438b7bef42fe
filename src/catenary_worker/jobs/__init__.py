"""Kinds of jobs that take more than one evaluation: checks of versions, chunks of points, live sessions."""

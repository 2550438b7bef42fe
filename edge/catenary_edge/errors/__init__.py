"""Errors of the edge: faults in a request, refusals, and the catalogue of reasons."""

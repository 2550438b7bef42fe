"""Errors of the edge: faults in a request's data, refusals, and the catalogue of reasons."""

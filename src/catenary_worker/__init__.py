"""Runs users' models: a warm zygote, one sandboxed child an evaluation, and the geometry that they return.

Kept empty: the zygote imports this package before it enters its root, and must stay small until then.
"""

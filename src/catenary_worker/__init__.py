"""Runs users' models: a warm zygote, one sandboxed child per evaluation, and the geometry files of the result.

Kept empty: the zygote imports this package before it enters its root, and must stay small until then.
"""

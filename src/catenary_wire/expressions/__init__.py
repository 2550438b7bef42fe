"""Expressions over parameters and metrics: `utilisation <= 1 and span <= 30 ft`.

`syntax` reads a text into steps, `quantities` checks names and dimensions, `evaluation` computes with values. No module
here calls a parser or an evaluator of Python.
"""

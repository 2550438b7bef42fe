"""Kinds of model files: Python, zip, OpenSCAD; and what they declare."""

"""Geometry of models: parts, their measures, and GLB."""

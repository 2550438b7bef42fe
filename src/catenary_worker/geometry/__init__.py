"""Geometry of models: parts, their properties, and GLB files."""

"""Geometry of models: shapes as arrays in the child; checks, properties and GLB files in the host."""

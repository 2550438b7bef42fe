"""The unit table, and conversion between units."""

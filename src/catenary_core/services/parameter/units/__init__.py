"""Units, unit types and unit systems."""

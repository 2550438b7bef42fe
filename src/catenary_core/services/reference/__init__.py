"""The reference data service: sources and their types."""

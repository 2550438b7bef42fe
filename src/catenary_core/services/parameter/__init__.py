"""The parameter service: assets, types, units, parameters with entries and revisions, and parameter sets."""

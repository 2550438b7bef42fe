"""The parameter service: assets, types, units, parameters with their entries and revisions, parameter sets."""

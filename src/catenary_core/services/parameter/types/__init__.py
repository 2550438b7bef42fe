"""Asset types, parameter types and item types."""

"""The event log: writing, reading and consuming events; notifications."""

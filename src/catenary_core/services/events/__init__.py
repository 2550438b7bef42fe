"""The events service: orders the event log and streams events to subscribers."""

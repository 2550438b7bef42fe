"""The events service: gives the log its order, and tells subscribers what happens."""

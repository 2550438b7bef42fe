"""The audit trail: who did what, with which outcome, in a chain of hashes."""

"""Idempotency keys: the first response to a call with a key is stored and replayed."""

"""Idempotency keys: the first answer of a keyed call is stored and replayed."""

"""Targets of webhooks: which addresses are allowed, and connections to them."""

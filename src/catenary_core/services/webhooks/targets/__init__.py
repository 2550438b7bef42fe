"""Targets of webhooks: allowed addresses, and connections to them."""

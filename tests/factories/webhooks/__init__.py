"""Webhooks with a receiver on this machine, addresses that a webhook must not reach, and the fault test's deliveries."""

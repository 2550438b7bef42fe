"""Deliveries of webhooks: fan-out, schedule, sending."""

"""The webhooks service: signed HTTP calls that report events to other systems."""

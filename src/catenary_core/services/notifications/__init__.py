"""The notifications service: makes notifications of events by rules, and shows each user its own."""

"""The notifications service: creates notifications from events by rules, and lists each user's own."""

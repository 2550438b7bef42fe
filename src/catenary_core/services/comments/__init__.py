"""The comments service: comments on anything that has an id."""

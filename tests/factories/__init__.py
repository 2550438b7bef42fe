"""Makers of what tests need."""

"""Shares of projects and variants: with users and teams, and as links."""

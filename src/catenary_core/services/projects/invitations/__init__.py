"""Invitations of people to projects: made by owners, taken once by whoever has the token."""

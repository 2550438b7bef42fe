"""Alembic's migrations: small, forward only."""

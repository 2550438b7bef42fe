"""The embedded PostgreSQL server: its installation, cluster and life."""

"""The embedded PostgreSQL server: its installation, cluster, start and stop."""

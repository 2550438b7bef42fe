"""LimitService: leases of requests for edges."""

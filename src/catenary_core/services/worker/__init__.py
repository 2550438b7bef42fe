"""The service for workers: leases of jobs, model files, results."""

"""The door for workers: jobs by lease, model files, results."""

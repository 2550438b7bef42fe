"""Live sessions: the callers' side, the job that finds a worker, and the watch over credentials and roles."""

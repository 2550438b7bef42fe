"""Services of the core behind a dispatcher, their callers, users, projects and models, and what a refused call says."""

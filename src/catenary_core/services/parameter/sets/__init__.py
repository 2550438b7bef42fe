"""Parameter sets, their types and categories."""

"""Worker tokens."""

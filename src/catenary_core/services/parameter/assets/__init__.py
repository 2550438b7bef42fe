"""Assets, and deletion together with their parameters and entries."""

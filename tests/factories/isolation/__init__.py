"""The isolation matrix: what a caller may see and do, for every operation that the descriptors name."""

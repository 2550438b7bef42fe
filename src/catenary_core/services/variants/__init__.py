"""The variants service: designs of projects that are saved under a name."""

"""An installation on this machine: its data directory, database and secret, and their upkeep."""

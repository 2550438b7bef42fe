"""An installation on this machine: its data directory, database and secret, and what looks after them."""

"""Files of assets, parameters and entries: their reading, and their writing through the services in one transaction."""

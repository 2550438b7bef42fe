"""HTTP in the edge: origins, headers, bodies, content encodings, conditional requests, credentials."""

"""HTTP as the edge speaks it: origins, headers, bodies, content encodings, conditions, credentials."""

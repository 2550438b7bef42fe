"""Studies: the search for good designs and the sensitivity of a model, without database and without event loop."""

"""Commands that use a running server over its REST API."""

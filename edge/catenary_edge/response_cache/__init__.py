"""The response cache: responses to GET, valid while the version of their surface stays the same."""

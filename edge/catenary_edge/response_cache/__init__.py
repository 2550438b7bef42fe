"""The response cache: answers to GET, kept while the versions of what they show hold."""

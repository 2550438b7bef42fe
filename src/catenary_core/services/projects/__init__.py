"""The projects service: projects and their members."""

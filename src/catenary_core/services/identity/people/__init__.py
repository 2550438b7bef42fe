"""Users and teams."""

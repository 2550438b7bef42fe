"""The demo of `serve --demo`: its client, project, models and environment project."""

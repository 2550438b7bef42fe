"""The identity service: users, clients, teams, API keys, access tokens and enterprise identity providers.

See guide/conventions.md, "Credentials" and "Roles".
"""

"""Who calls: users, clients, teams, API keys, access tokens and enterprise identity providers (contract, section 4)."""

"""The database as tests see it: counted statements, their plans, the tables that they read, and rows in great number."""

"""Database access: statements, transactions, migrations, wake-ups, leader election and retention."""

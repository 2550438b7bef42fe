"""The database: statements, transactions, migrations, wake-ups, leader election, retention."""

"""Alembic's environment: runs on the connection from `catenary_core.database.migrate`."""

from alembic import context

from catenary_core.database.migrate import VERSION_TABLE

connection = context.config.attributes["connection"]
context.configure(connection=connection, version_table=VERSION_TABLE, transaction_per_migration=True)
with context.begin_transaction():
    connection.exec_driver_sql("SET LOCAL lock_timeout = '10s'")
    context.run_migrations()

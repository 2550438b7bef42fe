"""Migrations and tables make the same schema."""

from __future__ import annotations

import importlib
import pkgutil

import psycopg
import pytest
import sqlalchemy as sa

from catenary_core import services
from catenary_core.audit import tables as audit_tables
from catenary_core.database import migrate
from catenary_core.database.statements import metadata
from catenary_core.event_log import consumer, events, notifications
from catenary_core.jobs import queue
from catenary_core.limits import counters

_PARTS = """
    SELECT n.nspname || '.' || c.relname || '.' || a.attname, format_type(a.atttypid, a.atttypmod)
           || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END || coalesce(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), '')
           || coalesce(' COLLATE ' || nullif(co.collname, 'default'), '')
      FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
      LEFT JOIN pg_collation co ON co.oid = a.attcollation
     WHERE c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped AND n.nspname = ANY(%(schemas)s)
    UNION ALL
    SELECT n.nspname || '.' || c.relname || ' constraint ' || k.conname, pg_get_constraintdef(k.oid)
      FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = ANY(%(schemas)s) AND k.contype <> 'n'
    UNION ALL
    SELECT schemaname || '.' || tablename || ' index ' || indexname, indexdef FROM pg_indexes WHERE schemaname = ANY(%(schemas)s)
"""


def _schema(dsn: str) -> dict[str, str]:
    schemas = sorted({table.schema for table in metadata.tables.values() if table.schema})
    with psycopg.connect(dsn) as connection:
        return dict(connection.execute(_PARTS, {"schemas": schemas}).fetchall())


def test_the_migrations_make_what_the_tables_declare(dsn: str, empty_dsn: str) -> None:
    for module in pkgutil.walk_packages(services.__path__, f"{services.__name__}."):
        if module.name.endswith(".tables"):
            importlib.import_module(module.name)
    of_the_frame = {
        events.event,
        consumer.follower,
        notifications.notification,
        queue.job,
        counters.counter,
        audit_tables.entry,
    }
    assert of_the_frame <= set(metadata.tables.values())
    engine = sa.create_engine(
        "postgresql+psycopg://", creator=lambda: psycopg.connect(empty_dsn), poolclass=sa.NullPool
    )
    with engine.begin() as connection:
        for schema in {table.schema for table in metadata.tables.values()}:
            connection.execute(sa.schema.CreateSchema(str(schema)))
        metadata.create_all(connection)
    assert _schema(dsn) == _schema(empty_dsn)


def test_both_times_of_a_new_row_are_one_reading_of_the_clock(dsn: str) -> None:
    readings = "SELECT count(*) FROM generate_series(1, 100000) WHERE {0} <> {0}"
    rows = """
        SELECT DISTINCT created.column_default, updated.column_default
          FROM information_schema.columns created
          JOIN information_schema.columns updated USING (table_schema, table_name)
          JOIN information_schema.tables USING (table_schema, table_name)
         WHERE table_type = 'BASE TABLE' AND created.column_name = 'created_at' AND updated.column_name = 'updated_at'
    """
    with psycopg.connect(dsn) as connection:
        default = "statement_timestamp()"
        assert connection.execute(rows).fetchall() == [(default, default)]
        assert connection.execute(readings.format(default)).fetchone() == (0,)
        assert connection.execute(readings.format("clock_timestamp()")).fetchone() != (0,)


def test_a_database_of_a_newer_release_is_refused(dsn: str) -> None:
    with psycopg.connect(dsn) as connection:
        connection.execute(f"UPDATE {migrate.VERSION_TABLE} SET version_num = '9999'")
    with pytest.raises(migrate.SchemaTooNewError, match="newer release"):
        migrate.upgrade(dsn)


def test_an_upgrade_of_the_newest_schema_changes_nothing(dsn: str) -> None:
    before = _schema(dsn)
    migrate.upgrade(dsn)
    assert _schema(dsn) == before

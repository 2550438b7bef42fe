"""The SQL of change counters."""

from __future__ import annotations

import sqlalchemy as sa

from catenary_core.database.statements import Statement

COUNTS = Statement(
    sa.text(
        """
        SELECT schema_name, sum(changes)::bigint AS changes, count(*) AS backends,
               extract(epoch FROM pg_postmaster_start_time())::text AS started
          FROM caching.change_count
         GROUP BY schema_name
        """
    )
)
"""The number of changes of each schema that has any, and the server's start time.

The start time is part of each version: after a restart the server may have been restored from a backup or a replica,
whose counters pass again through numbers that they had before.
"""

FOLD = Statement(
    sa.text(
        """
        WITH gone AS (
            DELETE FROM caching.change_count
             WHERE backend <> 0 AND backend NOT IN (SELECT pid FROM pg_stat_activity)
               AND pg_try_advisory_xact_lock(hashtextextended('caching.fold', 0))
            RETURNING schema_name, changes
        )
        INSERT INTO caching.change_count AS kept (schema_name, backend, changes)
        SELECT schema_name, 0, sum(changes) FROM gone GROUP BY schema_name
        ON CONFLICT (schema_name, backend) DO UPDATE SET changes = kept.changes + excluded.changes
        """
    )
)
"""Add the counts of ended connections to the schema's row of backend 0; the sum of a schema never changes."""

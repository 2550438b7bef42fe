"""The SQL of worker tokens."""

from __future__ import annotations

import sqlalchemy as sa

from catenary_core.database.columns import CLOCK, given
from catenary_core.database.statements import Statement, search_condition
from catenary_core.resources.platform_rows import PlatformRow, inserted
from catenary_core.services.identity.tables import worker_token

_minute_ago = CLOCK - sa.func.make_interval(0, 0, 0, 0, 0, 1)

_WORKER_TOKEN = (
    worker_token.c.id.label("worker_token_id"),
    worker_token.c.name,
    worker_token.c.prefix,
    worker_token.c.last_used_at,
    worker_token.c.created_at,
    worker_token.c.updated_at,
    worker_token.c.deleted_at,
)
_row = PlatformRow(worker_token, _WORKER_TOKEN, "worker_token_id")
WORKER_TOKEN, LOCK_WORKER_TOKEN, DELETE_WORKER_TOKEN = _row.one(), _row.lock(), _row.delete()
WORKER_TOKENS = _row.listed(_row.active, search_condition(worker_token.c.name))
ALL_WORKER_TOKENS = Statement(
    sa.select(*_WORKER_TOKEN).where(_row.active).order_by(worker_token.c.created_at, worker_token.c.id)
)
ADD_WORKER_TOKEN = Statement(
    inserted(worker_token, "id", "name", "prefix", "digest").on_conflict_do_nothing().returning(*_WORKER_TOKEN)
)

_found = (
    sa.select(worker_token.c.id, worker_token.c.last_used_at)
    .where(worker_token.c.digest == given(worker_token.c.digest), _row.active)
    .cte("found")
)
# Records the use of the token in the same statement, at most once a minute.
_noted = (
    sa.update(worker_token)
    .where(
        worker_token.c.id == _found.c.id,
        sa.or_(_found.c.last_used_at.is_(None), _found.c.last_used_at < _minute_ago),
    )
    .values(last_used_at=CLOCK)
    .cte("noted")
)
VALID_WORKER_TOKEN = Statement(sa.select(_found.c.id).add_cte(_noted))

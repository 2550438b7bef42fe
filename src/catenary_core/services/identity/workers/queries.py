"""The SQL of worker tokens."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert

from catenary_core.database.statements import Statement, search_condition
from catenary_core.resources.platform_pages import listed
from catenary_core.services.identity.tables import worker_token

_instant = sa.func.statement_timestamp()
_minute_ago = sa.func.clock_timestamp() - sa.func.make_interval(0, 0, 0, 0, 0, 1)


def _given(column: sa.Column[Any], name: str | None = None) -> sa.BindParameter[Any]:
    return sa.bindparam(name or column.name, type_=column.type)


_WORKER_TOKEN = (
    worker_token.c.id.label("worker_token_id"),
    worker_token.c.name,
    worker_token.c.prefix,
    worker_token.c.last_used_at,
    worker_token.c.created_at,
    worker_token.c.updated_at,
    worker_token.c.deleted_at,
)
_is_valid = worker_token.c.deleted_at.is_(None)
_valid_tokens = sa.select(*_WORKER_TOKEN).where(_is_valid)
_this_token = sa.and_(worker_token.c.id == _given(worker_token.c.id, "worker_token_id"), _is_valid)
WORKER_TOKEN = Statement(_valid_tokens.where(_this_token))
WORKER_TOKENS = listed(
    _valid_tokens.where(search_condition(worker_token.c.name)),
    worker_token.c.created_at,
    worker_token.c.id,
    id_key="worker_token_id",
)
ALL_WORKER_TOKENS = Statement(_valid_tokens.order_by(worker_token.c.created_at, worker_token.c.id))
ADD_WORKER_TOKEN = Statement(
    insert(worker_token)
    .values({name: _given(worker_token.c[name]) for name in ("id", "name", "prefix", "digest")})
    .on_conflict_do_nothing()
    .returning(*_WORKER_TOKEN)
)
LOCK_WORKER_TOKEN = Statement(sa.select(worker_token.c.id).where(_this_token).with_for_update())
DELETE_WORKER_TOKEN = Statement(
    sa.update(worker_token)
    .where(_this_token)
    .values(deleted_at=_instant, updated_at=_instant)
    .returning(*_WORKER_TOKEN)
)

_found = (
    sa.select(worker_token.c.id, worker_token.c.last_used_at)
    .where(worker_token.c.digest == _given(worker_token.c.digest), _is_valid)
    .cte("found")
)
# Records the use of the token in the same statement, at most once a minute.
_noted = (
    sa.update(worker_token)
    .where(
        worker_token.c.id == _found.c.id,
        sa.or_(_found.c.last_used_at.is_(None), _found.c.last_used_at < _minute_ago),
    )
    .values(last_used_at=sa.func.clock_timestamp())
    .cte("noted")
)
VALID_WORKER_TOKEN = Statement(sa.select(_found.c.id).add_cte(_noted))

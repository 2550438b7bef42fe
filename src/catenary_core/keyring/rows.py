"""The rows of the installation's secrets and of the nodes that use them, with their statements."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import UUID, insert

from catenary_core.database.columns import CLOCK, NOW
from catenary_core.database.statements import Statement, metadata

_LOCK_NUMBER = 0x6B657973  # "keys" in ASCII
LIVE = sa.text("interval '30 seconds'")
"""Time after which a node that doesn't report counts as ended."""

# A secret has no value here: `name` follows from it, and `roots` are the root keys encrypted under it. `version` counts the
# changes of the root keys. `unfinished`: the retirement of the secret before it has not encrypted everything anew yet.
secret = sa.Table(
    "secret",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("roots", sa.LargeBinary, nullable=True),
    sa.Column("version", sa.BigInteger, nullable=False),
    sa.Column("unfinished", sa.Boolean, nullable=False, server_default=sa.text("false")),
    sa.Column("created_at", sa.DateTime(timezone=True), nullable=False, server_default=NOW),
    sa.CheckConstraint("state IN ('current', 'new', 'ended')", name="state"),
    sa.CheckConstraint("(state = 'ended') = (roots IS NULL)", name="roots"),
    sa.Index("secret_state_idx", "state", unique=True, postgresql_where=sa.text("state <> 'ended'")),
    schema="keyring",
)

# A running core, with the secret that it was started with and the version of the root keys that it has read.
node = sa.Table(
    "node",
    metadata,
    sa.Column("id", UUID(as_uuid=False), primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("secret", sa.Text, nullable=False),
    sa.Column("version", sa.BigInteger, nullable=False),
    sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False, server_default=NOW),
    schema="keyring",
)

# Left by the migration in an installation whose root keys follow from its secret: values that were encrypted with them, or
# one row without a value. The first start with the right secret deletes the rows.
inherited = sa.Table(
    "inherited",
    metadata,
    sa.Column("id", sa.BigInteger, sa.Identity(always=True), primary_key=True),
    sa.Column("sealed", sa.LargeBinary, nullable=True),
    schema="keyring",
)


def _given(column: sa.Column[Any]) -> sa.BindParameter[Any]:
    return sa.bindparam(f"given_{column.name}", type_=column.type)


CHANGING = Statement(sa.select(sa.cast(sa.func.pg_advisory_xact_lock(_LOCK_NUMBER), sa.Text)))
"""Waits until nobody else reads or changes the secrets."""
READING = Statement(sa.select(sa.cast(sa.func.pg_advisory_xact_lock_shared(_LOCK_NUMBER), sa.Text)))
"""Waits until nobody changes the secrets."""
SECRETS = Statement(sa.select(secret).order_by(secret.c.created_at, secret.c.name))
SECRET = Statement(sa.select(secret).where(secret.c.name == _given(secret.c.name)))
ADD_SECRET = Statement(
    sa.insert(secret).values({name: _given(secret.c[name]) for name in ("name", "state", "roots", "version")})
)
CHANGE_SECRET = Statement(
    sa.update(secret)
    .where(secret.c.name == _given(secret.c.name))
    .values({name: _given(secret.c[name]) for name in ("state", "roots", "version", "unfinished")})
)
END_SECRET = Statement(
    sa.update(secret).where(secret.c.name == _given(secret.c.name)).values(state="ended", roots=None, unfinished=False)
)
FINISH = Statement(sa.update(secret).where(secret.c.name == _given(secret.c.name)).values(unfinished=False))

INHERITED = Statement(sa.select(inherited.c.sealed))
DROP_INHERITED = Statement(sa.delete(inherited))

_is_live = node.c.seen_at > CLOCK - LIVE
NODES = Statement(sa.select(node).where(_is_live).order_by(node.c.name, node.c.id))
"""The running nodes."""
_seen = insert(node).values(
    {"seen_at": CLOCK} | {name: _given(node.c[name]) for name in ("id", "name", "secret", "version")}
)
REPORT = Statement(
    _seen.on_conflict_do_update(
        index_elements=[node.c.id], set_={"version": _seen.excluded.version, "seen_at": _seen.excluded.seen_at}
    )
)
"""Writes that a node runs."""
LEAVE = Statement(sa.delete(node).where(node.c.id == _given(node.c.id)))
DROP_ENDED_NODES = Statement(sa.delete(node).where(sa.not_(_is_live)))


def page_of(column: sa.Column[Any], size: int) -> Statement:
    """Return a statement for the next rows of an encrypted column, in the order of the table's key, with `after`."""
    (key,) = column.table.primary_key.columns
    after = sa.bindparam("after", type_=key.type)
    chosen = sa.select(key.label("key"), column.label("sealed")).where(
        sa.or_(sa.cast(after, key.type).is_(None), key > after)
    )
    return Statement(chosen.order_by(key).limit(size))


def replacing(column: sa.Column[Any]) -> Statement:
    """Return a statement that replaces an encrypted value, unless it has changed meanwhile."""
    (key,) = column.table.primary_key.columns
    same = sa.and_(key == sa.bindparam("of", type_=key.type), column == sa.bindparam("old", type_=column.type))
    return Statement(sa.update(column.table).where(same).values({column.name: sa.bindparam("new", type_=column.type)}))

"""The tables of the audit trail. Entries are only added; the chain and the retention alone touch them afterwards."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import INET, JSON

from catenary_core.database.columns import Id
from catenary_core.database.statements import metadata

SCHEMA = "audit"
OBJECT_PATH = "^(/[a-z]+)?/v[0-9]+/[^/]+/[^/]+"
"""The beginning of a REST path that names an object which lies in no other; PostgreSQL and Python read it alike."""
OBJECT = f"regexp_substr(subject, '{OBJECT_PATH}')"
"""The SQL of the path of the object in which an entry's subject lies, or which it is."""
_is_chained = sa.text("chain_sequence IS NOT NULL")
is_open = sa.text("fold_key IS NOT NULL AND chain_sequence IS NULL")
"""Condition of a row of refusals that may still grow."""

entry = sa.Table(
    "entry",
    metadata,
    # The order of insertion, with gaps; rows become visible in another order.
    sa.Column("sequence", sa.BigInteger, sa.Identity(always=True), primary_key=True),
    sa.Column("occurred_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.text("clock_timestamp()")),
    # A user or a client, also one that was deleted later; null for strangers and for the platform itself.
    sa.Column("actor_id", Id, nullable=True),
    sa.Column("credential_id", sa.Text, nullable=True),
    # An RPC's path (`/catenary.platform.v1.TeamService/CreateTeam`), or a name of `entries`.
    sa.Column("action", sa.Text, nullable=False),
    # REST path of the resource.
    sa.Column("subject", sa.Text, nullable=True),
    # `ok`, or the reason of the refusal.
    sa.Column("outcome", sa.Text, nullable=False),
    sa.Column("request_id", sa.Text, nullable=False),
    # Equal refusals of one minute that the row stands for.
    sa.Column("count", sa.Integer, nullable=False, server_default=sa.text("1")),
    # Ids, and names of settings; no value of a person.
    sa.Column("details", JSON, nullable=True),
    # Until the entry is chained, which takes the address into the table `address`: a writer has one row to insert.
    sa.Column("address", INET, nullable=True),
    # The place in the chain, without gaps, given after the commit; and the hash up to this row.
    sa.Column("chain_sequence", sa.BigInteger, nullable=True),
    sa.Column("chain_hash", sa.LargeBinary, nullable=True),
    # Of a row of refusals: the hash of what they have in common, and the end of their minute. Until then the count grows.
    sa.Column("fold_key", sa.LargeBinary, nullable=True),
    sa.Column("open_until", sa.DateTime(timezone=True), nullable=True),
    # Writers never touch this index: a new entry isn't in it.
    sa.Index("entry_chain_sequence_key", "chain_sequence", unique=True, postgresql_where=_is_chained),
    sa.Index("entry_unchained_idx", "sequence", postgresql_where=sa.text("chain_sequence IS NULL")),
    sa.Index("entry_open_key", "fold_key", "open_until", unique=True, postgresql_where=is_open),
    # For lists, newest first, of chained entries: each would otherwise be put into them twice, by its writer and with its
    # place in the chain. Those that wait for the chain are few and read by `entry_unchained_idx`.
    sa.Index("entry_time_idx", "occurred_at", "sequence", postgresql_where=_is_chained),
    sa.Index(
        "entry_actor_idx",
        "actor_id",
        "occurred_at",
        "sequence",
        postgresql_where=sa.text("actor_id IS NOT NULL AND chain_sequence IS NOT NULL"),
    ),
    sa.Index("entry_action_idx", "action", "occurred_at", "sequence", postgresql_where=_is_chained),
    sa.Index(
        "entry_object_idx",
        sa.text(f"({OBJECT})"),
        "occurred_at",
        "sequence",
        postgresql_where=sa.text("subject IS NOT NULL AND chain_sequence IS NOT NULL"),
    ),
    sa.Index(
        "entry_subject_idx",
        "subject",
        "occurred_at",
        "sequence",
        postgresql_where=sa.text(f"{OBJECT} IS DISTINCT FROM subject AND chain_sequence IS NOT NULL"),
    ),
    sa.Index(
        "entry_refusal_idx",
        "outcome",
        "occurred_at",
        "sequence",
        postgresql_where=sa.text("outcome <> 'ok' AND chain_sequence IS NOT NULL"),
    ),
    schema=SCHEMA,
)
"""The entries."""

address = sa.Table(
    "address",
    metadata,
    sa.Column("sequence", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("address", INET, nullable=False),
    schema=SCHEMA,
)
"""The addresses of callers, outside the chain, since they are kept for a shorter time than the entries."""

anchor = sa.Table(
    "anchor",
    metadata,
    # The last row of the chain that the anchor vouches for; it may have been removed.
    sa.Column("chain_sequence", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("chain_hash", sa.LargeBinary, nullable=False),
    sa.Column("signature", sa.LargeBinary, nullable=False),
    # Whether the rows up to it were removed.
    sa.Column("trimmed", sa.Boolean, nullable=False),
    sa.Column("made_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.text("clock_timestamp()")),
    schema=SCHEMA,
)
"""Signed places of the chain: where old rows were removed, and from time to time its end."""

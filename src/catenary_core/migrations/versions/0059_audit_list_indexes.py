"""The indexes of lists of the audit trail without the entries that wait for the chain."""

from alembic import op

revision = "0059"
down_revision = "0057"

_OBJECT = "regexp_substr(subject, '^(/[a-z]+)?/v[0-9]+/[^/]+/[^/]+')"
_INDEXES = {
    "time": ("", None),
    "actor": ("actor_id, ", "actor_id IS NOT NULL"),
    "action": ("action, ", None),
    "object": (f"({_OBJECT}), ", "subject IS NOT NULL"),
    "subject": ("subject, ", f"{_OBJECT} IS DISTINCT FROM subject"),
    "refusal": ("outcome, ", "outcome <> 'ok'"),
}


def upgrade() -> None:
    """Make the indexes anew: a writer then has no part in them, and each entry is put into them once instead of twice.

    Until the commit the table is locked: who reads or writes entries waits. After it a core of the release before, whose
    lists have no such condition, reads them from the whole table, which takes longer and misses nothing.
    """
    for name, (columns, also) in _INDEXES.items():
        condition = "chain_sequence IS NOT NULL" if also is None else f"{also} AND chain_sequence IS NOT NULL"
        op.execute(f"DROP INDEX audit.entry_{name}_idx")
        op.execute(f"CREATE INDEX entry_{name}_idx ON audit.entry ({columns}occurred_at, sequence) WHERE {condition}")

"""Indexes of the lists of audit entries."""

from alembic import op

revision = "0041"
down_revision = "0040"

_OBJECT = "regexp_substr(subject, '^(/[a-z]+)?/v[0-9]+/[^/]+/[^/]+')"


def upgrade() -> None:
    """Replace the indexes by sequence: lists are in the order of time, by which they are bounded too."""
    for name in ("occurred_at", "actor_id_sequence", "action_sequence", "subject_sequence"):
        op.execute(f"DROP INDEX audit.entry_{name}_idx")
    for name, columns, condition in (
        ("time", "occurred_at, sequence", ""),
        ("actor", "actor_id, occurred_at, sequence", "WHERE actor_id IS NOT NULL"),
        ("action", "action, occurred_at, sequence", ""),
        ("object", f"({_OBJECT}), occurred_at, sequence", "WHERE subject IS NOT NULL"),
        ("subject", "subject, occurred_at, sequence", f"WHERE {_OBJECT} IS DISTINCT FROM subject"),
        ("refusal", "outcome, occurred_at, sequence", "WHERE outcome <> 'ok'"),
    ):
        op.execute(f"CREATE INDEX entry_{name}_idx ON audit.entry ({columns}) {condition}")
